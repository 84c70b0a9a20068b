/** What a peer may write to the port that is no request of ours: the process must neither throw nor stop answering. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestExchange, type TestExchange } from '../market-data/test-exchange.ts';
import type { Streams } from './service.ts';
import { attachStreams } from './test-streams.ts';

let exchange: TestExchange;
let streams: Streams;
let port: number;
const uncaught: unknown[] = [];
const keep = (error: unknown) => void uncaught.push(error);

beforeAll(async () => {
  exchange = await startTestExchange();
  streams = attachStreams(exchange);
  port = Number((await exchange.listen()).split(':')[1]);
});

afterAll(async () => {
  await streams.close();
  await exchange.stop();
  await exchange.source.remove();
});

beforeEach(() => {
  uncaught.length = 0;
  process.on('uncaughtException', keep);
  process.on('unhandledRejection', keep);
});
afterEach(async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v5/public/time`);
  process.off('uncaughtException', keep);
  process.off('unhandledRejection', keep);
  expect(answer.status).toBe(200);
  expect(uncaught).toEqual([]);
});

const QUIET_MS = 100;
/** Before the first byte, which takes its time on a busy machine. */
const FIRST_MS = 3_000;

/** Writes bytes, one after the other, and answers all that came back once the peer closed or fell silent. */
function exchangeBytes(...parts: readonly (string | Buffer)[]): Promise<{ text: string; closed: boolean }> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1');
    const heard: Buffer[] = [];
    let closed = false;
    const done = () => {
      socket.destroy();
      resolve({ text: Buffer.concat(heard).toString('latin1'), closed });
    };
    let timer = setTimeout(done, FIRST_MS);
    socket.on('data', (chunk: Buffer) => {
      heard.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(done, QUIET_MS);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed = true;
      clearTimeout(timer);
      done();
    });
    for (const part of parts) socket.write(part);
  });
}

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const upgrade = (target: string, further = '', key = KEY, version = '13') =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: ${version}\r\n${further}\r\n`;

const PUBLIC = '/ws/v5/public';

describe('an upgrade', () => {
  it.each([
    '//',
    '///',
    '//[',
    '//%',
    '//:99999',
    'http://',
    'http://[/ws/v5/public',
    'http://x:99999/ws/v5/public',
    '//elsewhere.example/ws/v5/public',
  ])('to the malformed target %s is answered 400 and closed', async (target) => {
    const { text, closed } = await exchangeBytes(upgrade(target));
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(closed).toBe(true);
  });

  it.each(['/', '/ws/v5/../nothing', '/%zz', '/ws/v5/public%00', '/constructor', `/${'a'.repeat(8000)}`, '/?x=//'])(
    'to %s, which is no stream, is answered 404 and closed',
    async (target) => {
      const { text, closed } = await exchangeBytes(upgrade(target));
      expect(text).toMatch(/^HTTP\/1\.1 404 /);
      expect(closed).toBe(true);
    },
  );

  it.each(['constructor', '__proto__', '*', '\\\\', 'ws/v5/public', '#', '?'])(
    'to %s, which is not even a path, opens nothing',
    async (target) => {
      const { text } = await exchangeBytes(upgrade(target));
      expect(text).not.toMatch(/ 101 /);
    },
  );

  it.each([
    ['a short key', '', 'AAAA', '13'],
    ['an empty key', '', '', '13'],
    ['an old version', '', KEY, '1'],
    ['a version that is no number', '', KEY, 'x'],
    ['two keys', `Sec-WebSocket-Key: ${KEY}\r\n`, KEY, '13'],
    ['a malformed protocol', 'Sec-WebSocket-Protocol: ,,;\r\n', KEY, '13'],
  ])('with %s is refused', async (_name, further, key, version) => {
    const { text, closed } = await exchangeBytes(upgrade(PUBLIC, further, key, version));
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(closed).toBe(true);
  });

  it('with malformed extensions opens without them', async () => {
    const { text } = await exchangeBytes(upgrade(PUBLIC, 'Sec-WebSocket-Extensions: ;;=,\r\n'));
    expect(text).toMatch(/^HTTP\/1\.1 101 /);
  });

  it.each([
    ['another protocol', `GET ${PUBLIC} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`],
    ['another method', `POST ${PUBLIC} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ['a body', upgrade(PUBLIC, 'Content-Length: 5\r\n').replace('GET', 'POST')],
    ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['no host', `GET // HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
  ])('with %s opens nothing', async (_name, bytes) => {
    expect((await exchangeBytes(bytes)).text).not.toMatch(/ 101 /);
  });

  it('that is cut off at every byte leaves nothing behind', async () => {
    const whole = upgrade('//');
    const cuts = Array.from({ length: Math.floor(whole.length / 8) }, (_, index) => whole.slice(0, index * 8));
    await Promise.all(
      cuts.map(
        (cut) =>
          new Promise<void>((resolve) => {
            const socket = connect(port, '127.0.0.1', () => {
              socket.write(cut, () => socket.resetAndDestroy());
            });
            socket.on('error', () => undefined);
            socket.on('close', () => resolve());
          }),
      ),
    );
  });
});

describe('a request', () => {
  it.each([
    ['a target of two slashes', 'GET // HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a malformed escape', 'GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an absolute target', 'GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a method that is none', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a bad chunk', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['a header of 64 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(65_536)}\r\n\r\n`],
    ['3000 headers', `GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(3000)}\r\n`],
    ['an expectation', 'POST / HTTP/1.1\r\nHost: x\r\nExpect: 200-never\r\nContent-Length: 1\r\n\r\n'],
    ['bare line feeds and NUL', 'GET /\0 HTTP/1.1\nHost: x\n\n'],
    ['no HTTP at all', randomBytes(2000)],
    ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex')],
  ])('with %s is refused or ignored', async (_name, bytes) => {
    expect((await exchangeBytes(bytes)).text).not.toMatch(/ (101|200|500) /);
  });
});

/** A client's frame: `first` is FIN, RSV and the opcode. */
function frame(first: number, payload: Buffer, masked = true): Buffer {
  const mask = randomBytes(4);
  const header = Buffer.from([first, (masked ? 0x80 : 0) | payload.length]);
  const body = masked ? payload.map((byte, at) => byte ^ mask[at % 4]!) : payload;
  return Buffer.concat([header, ...(masked ? [mask] : []), body]);
}

describe('a stream', () => {
  const hello = Buffer.from('ping');
  it.each([
    ['an unknown opcode', frame(0x83, hello)],
    ['an unknown control opcode', frame(0x8b, hello)],
    ['an unmasked frame', frame(0x81, hello, false)],
    ['reserved bits', frame(0xf1, hello)],
    ['a fragmented ping', frame(0x09, hello)],
    ['a continuation of nothing', frame(0x80, hello)],
    ['two beginnings', Buffer.concat([frame(0x01, hello), frame(0x01, hello)])],
    ['a length of 2^63', Buffer.from('81ffffffffffffffffff', 'hex')],
    ['a length above the limit', Buffer.from('81ff000000000010000000000000', 'hex')],
    ['an oversized control frame', Buffer.from(`89fe0100${'00'.repeat(260)}`, 'hex')],
    ['text that is not UTF-8', frame(0x81, Buffer.from('c328', 'hex'))],
    ['a bad close code', frame(0x88, Buffer.from('03ed', 'hex'))],
    ['a close of one byte', frame(0x88, Buffer.from('03', 'hex'))],
  ])('that gets %s is closed', async (_name, bytes) => {
    const { text, closed } = await exchangeBytes(upgrade(PUBLIC), bytes);
    expect(text).toMatch(/^HTTP\/1\.1 101 /);
    expect(closed).toBe(true);
  });

  it('goes on after half a frame and noise that is no request', async () => {
    const noise = ['null', '[]', '{"op":1}', '{"op":"subscribe","args":[{}]}', '{"op":"login","args":[{"token":""}]}'];
    const { text } = await exchangeBytes(
      upgrade(PUBLIC),
      ...noise.map((line) => frame(0x81, Buffer.from(line))),
      frame(0x82, hello),
      frame(0x81, hello),
    );
    expect(text).toMatch(/pong$/);
  });
});
