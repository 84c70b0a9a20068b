/** Where a request comes from, as a person should see it: device, address and place. */
import { isIP } from 'node:net';
import { DEVICE_HEADER } from '@cambist/contract/accounts.ts';
import { msg } from '@cambist/contract/locales.ts';
import bowser from 'bowser';
import type { FastifyRequest } from 'fastify';
import type { Proxies } from './proxies.ts';
import { type LocalizedText, say, spoken } from './texts.ts';
import { networkOf } from './throttle.ts';

export interface Origin {
  readonly userAgent: string;
  readonly address: string;
  /** Two letters of a country from the operator's proxy, `Private network`, or `Unknown`. */
  readonly place: string;
  /** What an earlier sign-in gave this browser, as it came. */
  readonly device?: string | undefined;
}

export type OriginOf = (http: FastifyRequest) => Origin;

const USER_AGENT_LENGTH = 300;
const PRIVATE = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|f[cd]|fe[89ab]|0:0:0:0$|::1$)/i;

function deviceSecret(sent: string | string[] | undefined): string | undefined {
  return typeof sent === 'string' && /^[\w-]{43}$/.test(sent) ? sent : undefined;
}

/** @param placeHeader a header that the operator's proxy sets to the country, such as `cf-ipcountry` */
export function originReader(placeHeader: string | undefined, proxies: Pick<Proxies, 'isFromProxy'>): OriginOf {
  return (http) => {
    const named = placeHeader !== undefined && proxies.isFromProxy(http.raw) ? http.headers[placeHeader] : undefined;
    const address = isIP(http.ip) === 0 ? '' : http.ip.replace(/^::ffff:/, '');
    const unnamed = PRIVATE.test(networkOf(address)) ? msg('Private network') : msg('Unknown');
    const place = typeof named === 'string' && /^[A-Z]{2}$/.test(named) ? named : unnamed;
    const userAgent = (http.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH);
    return { userAgent, address, place, device: deviceSecret(http.headers[DEVICE_HEADER]) };
  };
}

function deviceOf(userAgent: string): LocalizedText | string {
  if (userAgent === '') return msg('Unknown device');
  const { browser, os } = bowser.parse(userAgent);
  if (browser.name && os.name) return say('{{browser}} on {{system}}', { browser: browser.name, system: os.name });
  return browser.name || os.name || msg('Unknown device');
}

/** Such as `Firefox on Windows` in `NL`, in the language of the one who asks. */
export function shownOrigin(http: FastifyRequest, seen: { readonly user_agent: string; readonly place: string }) {
  return { device: spoken(deviceOf(seen.user_agent), http), place: spoken(seen.place, http) };
}
