/** Where a request comes from, as a person should see it: device, address and place. */
import { isIP } from 'node:net';
import bowser from 'bowser';
import type { FastifyRequest } from 'fastify';
import { networkOf } from './throttle.ts';

export interface Origin {
  readonly userAgent: string;
  readonly address: string;
  /** Two letters of a country from the operator's proxy, `Private network`, or `Unknown`. */
  readonly place: string;
}

export type OriginOf = (http: FastifyRequest) => Origin;

const USER_AGENT_LENGTH = 300;
const PRIVATE = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|f[cd]|fe[89ab]|0:0:0:0$|::1$)/i;

/** @param placeHeader a header that the operator's proxy sets to the country, such as `cf-ipcountry` */
export function originReader(placeHeader: string | undefined): OriginOf {
  return (http) => {
    const named = placeHeader === undefined ? undefined : http.headers[placeHeader];
    const address = isIP(http.ip) === 0 ? '' : http.ip.replace(/^::ffff:/, '');
    const unnamed = PRIVATE.test(networkOf(address)) ? 'Private network' : 'Unknown';
    const place = typeof named === 'string' && /^[A-Z]{2}$/.test(named) ? named : unnamed;
    return { userAgent: (http.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH), address, place };
  };
}

/** Such as `Firefox on Windows`; what says nothing of itself is `Unknown device`. */
export function deviceOf(userAgent: string): string {
  if (userAgent === '') return 'Unknown device';
  const { browser, os } = bowser.parse(userAgent);
  const names = [browser.name, os.name].filter((name): name is string => Boolean(name));
  return names.join(' on ') || 'Unknown device';
}
