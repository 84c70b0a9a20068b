/** Whose forwarding headers are believed. One decision for calls, pages and websockets. */
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import { isLoopback } from './addresses.ts';

/** How many proxies of ours a request passes, or the networks that they are in (`10.0.0.0/8`, `loopback`). */
export type TrustedProxies = number | readonly string[];

export interface Proxies {
  /** For Fastify: whether the address at a hop, counted from our socket outwards, is a proxy of ours. */
  readonly trust: ((address: string, hop: number) => boolean) | false;
  /** The nearest address that is no proxy of ours: what lies before it is only what a client said. */
  addressOf(request: IncomingMessage): string;
  /** Whether the peer itself is a proxy of ours, so that what it adds to a request is believed. */
  isFromProxy(request: IncomingMessage): boolean;
  /** A process on this machine that asks by itself: nothing has forwarded the request. */
  isLocal(request: IncomingMessage): boolean;
}

const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

function trustOf(trusted: TrustedProxies): Proxies['trust'] {
  if (typeof trusted === 'number') return trusted === 0 ? false : (_address, hop) => hop < trusted;
  return trusted.length === 0 ? false : proxyAddr.compile([...trusted]);
}

export function createProxies(trusted: TrustedProxies): Proxies {
  const trust = trustOf(trusted);
  const peerOf = (request: IncomingMessage) => request.socket.remoteAddress ?? '';
  return {
    trust,
    addressOf: (request) => (trust === false ? peerOf(request) : proxyAddr(request, trust)),
    isFromProxy: (request) => trust !== false && trust(peerOf(request), 0),
    isLocal: (request) =>
      isLoopback(peerOf(request)) && FORWARDING.every((name) => request.headers[name] === undefined),
  };
}
