/**
 * Reads an address that an operator has configured, and follows where it sends us, but never into our own network: what
 * a redirect names is resolved once, must be public, and exactly that address is connected to.
 */
import { lookup as resolveName } from 'node:dns';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublic } from './addresses.ts';

const REDIRECTS = 5;
const REDIRECT_STATUS = new Set([301, 302, 303, 307, 308]);

export interface PublicRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const refused = (host: string) =>
  new Error(`A redirect to ${host}, which is not on the public internet, is not followed`);

/** Answers only public addresses, to the very connection that asks: a second resolution could say something else. */
const publicLookup: LookupFunction = (hostname, options, answer) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return answer(error, []);
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublic(address))) {
      return answer(refused(hostname), []);
    }
    const [first] = addresses;
    if (options.all) return answer(null, addresses);
    return answer(null, first?.address ?? '', first?.family);
  });
};

function ask(url: URL, isConfigured: boolean, { headers, signal }: PublicRequest): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!isConfigured && isIP(host) !== 0 && !isPublic(host)) return Promise.reject(refused(host));
  const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    // No connection is kept: one to an address of the setting must not serve a redirect.
    const sent = send(url, { headers, signal, agent: false, ...(isConfigured ? {} : { lookup: publicLookup }) });
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.end();
  });
}

/** Where an answer sends us; undefined when it is the answer itself. */
function redirectOf(answer: IncomingMessage, url: URL): URL | undefined {
  if (!REDIRECT_STATUS.has(answer.statusCode ?? 0) || answer.headers.location === undefined) return undefined;
  const next = URL.parse(answer.headers.location, url.href);
  if (next === null || !/^https?:$/.test(next.protocol)) throw new Error('A redirect leads to no web address');
  if (next.username !== '' || next.password !== '') throw new Error('A redirect holds a password');
  return next;
}

/**
 * @param address of the setting: it and its origin may be anywhere, a redirect's only on the public internet
 * @throws Error that says why there is no answer
 */
export async function fetchPublic(address: string, given: PublicRequest): Promise<IncomingMessage> {
  const { origin } = new URL(address);
  let url = new URL(address);
  for (let hop = 0; hop <= REDIRECTS; hop += 1) {
    const answer = await ask(url, url.origin === origin, given);
    const next = redirectOf(answer, url);
    if (next === undefined) return answer;
    answer.destroy();
    url = next;
  }
  throw new Error(`More than ${REDIRECTS} redirects`);
}
