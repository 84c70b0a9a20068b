import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { anyKind } from '../../test/databases.ts';
import { isPublic } from './addresses.ts';
import { originReader } from './origin.ts';
import { createProxies } from './proxies.ts';

const request = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage;

describe('the address of a client', () => {
  const forged = { 'x-forwarded-for': '203.0.113.1, 198.51.100.7, 10.0.0.2' };
  it.each([
    ['no proxy', 0, '10.0.0.1', '10.0.0.1'],
    ['one hop', 1, '10.0.0.1', '10.0.0.2'],
    ['two hops', 2, '10.0.0.1', '198.51.100.7'],
    ['more hops than named', 9, '10.0.0.1', '203.0.113.1'],
    ['our network', ['10.0.0.0/8'], '10.0.0.1', '198.51.100.7'],
    ['our network by name', ['uniquelocal'], '10.0.0.1', '198.51.100.7'],
    ['our network, asked from elsewhere', ['10.0.0.0/8'], '192.0.2.1', '192.0.2.1'],
    ['no network', [], '10.0.0.1', '10.0.0.1'],
  ])('with %s is counted from the right', (_name, trusted, peer, address) => {
    expect(createProxies(trusted).addressOf(request(peer, forged))).toBe(address);
  });

  it('is of this machine only when nothing has forwarded the request', () => {
    const { isLocal } = createProxies(1);
    for (const peer of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) expect(isLocal(request(peer))).toBe(true);
    for (const peer of ['10.0.0.1', '::2', '', '::ffff:10.0.0.1']) expect(isLocal(request(peer))).toBe(false);
    for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
      expect(isLocal(request('127.0.0.1', { [header]: '127.0.0.1' }))).toBe(false);
    }
  });

  it('has a place only from a proxy of ours', () => {
    const http = (peer: string) => {
      const raw = request(peer, { 'cf-ipcountry': 'NL' });
      return { headers: raw.headers, ip: peer, raw } as unknown as FastifyRequest;
    };
    const placeOf = originReader('cf-ipcountry', createProxies(['10.0.0.0/8']));
    expect(placeOf(http('10.1.1.1')).place).toBe('NL');
    expect(placeOf(http('192.0.3.1')).place).toBe('Unknown');
    expect(originReader('cf-ipcountry', createProxies(0))(http('10.1.1.1')).place).toBe('Private network');
  });
});

it.each([
  ['8.8.8.8', true],
  ['2606:4700::1', true],
  ['::ffff:8.8.8.8', true],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:a00:1', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['nonsense', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublic(address)).toBe(expected);
});

describe('behind one proxy', () => {
  let server: TestApp;
  let port: number;

  beforeAll(async () => {
    server = await startTestApp(anyKind, undefined, { TRUST_PROXY: 'true', RATE_LIMIT_PER_MINUTE: '30' });
    await server.app.http.listen({ port: 0, host: '127.0.0.1' });
    port = (server.app.http.server.address() as { port: number }).port;
  });
  afterAll(() => server.remove());

  /** A proxy appends the peer that it saw to what the client had sent. */
  const forwarded = (count: number) => `203.0.113.${count % 200}, 198.51.100.7`;

  it('a client that forges addresses is still one client to the rate limit', async () => {
    const statuses = new Set<number>();
    for (let count = 0; count < 40; count += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v3/time`, {
        headers: { 'x-forwarded-for': forwarded(count) },
      });
      statuses.add(answer.status);
    }
    expect(statuses).toEqual(new Set([200, 429]));
    const other = await fetch(`http://127.0.0.1:${port}/api/v3/time`, { headers: { 'x-forwarded-for': '192.0.3.9' } });
    expect(other.status).toBe(200);
  });

  it.each([
    ['a client that forges addresses', forwarded],
    ['a client with many addresses of IPv6', (count: number) => `2001:db8::${count + 1}`],
  ])('and %s to the limit of its streams', async (_name, from) => {
    const sockets: Socket[] = [];
    const upgrade = (count: number) =>
      new Promise<string>((resolve) => {
        const socket = connect(port, '127.0.0.1');
        sockets.push(socket);
        socket.once('data', (chunk: Buffer) => resolve(chunk.toString().slice(9, 12)));
        socket.on('error', () => undefined);
        socket.write(
          `GET /ws/v5/public HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
            `X-Forwarded-For: ${from(count)}\r\n` +
            `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
        );
      });
    const statuses: string[] = [];
    for (let count = 0; count < 101; count += 1) statuses.push(await upgrade(count));
    for (const socket of sockets) socket.destroy();
    expect(new Set(statuses.slice(0, 100))).toEqual(new Set(['101']));
    expect(statuses[100]).toBe('429');
  });
});
