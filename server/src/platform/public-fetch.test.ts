import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchPublic } from './public-fetch.ts';

/** Names that only this test knows; the rest is resolved as ever. */
vi.mock('node:dns', async (original) => {
  const dns = await original<typeof import('node:dns')>();
  const known: Record<string, string[]> = {
    'inside.example': ['10.0.0.7'],
    'both.example': ['93.184.216.34', '127.0.0.1'],
    'metadata.example': ['169.254.169.254'],
    'mapped.example': ['::ffff:127.0.0.1'],
  };
  const lookup = (name: string, options: object, answer: (error: Error | null, addresses: object[]) => void) => {
    const addresses = known[name]?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (addresses) answer(null, addresses);
    else dns.lookup(name, options, answer as never);
  };
  return { ...dns, lookup };
});

let configured: Server;
let inside: Server;
let [base, insidePort] = ['', 0];
let location = '';
const asked: string[] = [];
const listen = (server: Server) =>
  new Promise<number>((resolve) => server.listen(0, () => resolve((server.address() as AddressInfo).port)));

beforeAll(async () => {
  configured = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/there') response.end('the feed');
    else if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else response.writeHead(301, location === '' ? {} : { location }).end();
  });
  inside = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('secret');
  });
  base = `http://127.0.0.1:${await listen(configured)}`;
  insidePort = await listen(inside);
});
afterAll(() => {
  configured.close();
  inside.close();
});
beforeEach(() => {
  asked.length = 0;
  location = '';
});

const read = (path = '/') => fetchPublic(base + path, { headers: {}, signal: AbortSignal.timeout(5000) });

describe('a redirect', () => {
  it.each([
    'http://127.0.0.1:PORT/x',
    'http://localhost:PORT/x',
    'http://[::1]:PORT/x',
    'http://[::ffff:127.0.0.1]:PORT/x',
    'http://2130706433:PORT/x',
    'http://0x7f.1:PORT/x',
    '//127.0.0.1:PORT/x',
    'http://0.0.0.0:PORT/x',
    'http://inside.example:PORT/x',
    'http://both.example:PORT/x',
    'http://metadata.example/latest/meta-data',
    'http://mapped.example:PORT/x',
    'https://169.254.169.254/latest/meta-data',
  ])('to %s is not followed, and nobody there is asked', async (to) => {
    location = to.replace('PORT', String(insidePort));
    await expect(read()).rejects.toThrow(/not on the public internet/);
    expect(asked).toEqual([]);
  });

  it.each([
    ['file:///etc/passwd', /no web address/],
    ['gopher://127.0.0.1/', /no web address/],
    ['http://[', /no web address/],
    ['http://user:word@feeds.example/', /holds a password/],
  ])('to %s is not followed', async (to, reason) => {
    location = to;
    await expect(read()).rejects.toThrow(reason);
  });

  it('to the configured origin is, and one without an end is not', async () => {
    location = '/there';
    const answer = await read();
    const chunks: Buffer[] = [];
    for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('the feed');
    await expect(read('/loop')).rejects.toThrow(/More than 5 redirects/);
  });
});
