/** Requests that no client library would send, for calls and for upgrades. */
import type { Random } from '../random.ts';

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

const targets = [
  '//',
  '///',
  '/',
  '*',
  '',
  '?',
  '#',
  '//evil.example',
  '//evil.example:99999/',
  '/\\',
  '\\\\',
  '/%',
  '/%zz',
  '/%00',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/../../etc/passwd',
  '/ws/v5/private?%',
  '/ws/v5/private#x',
  '/ws/v5/private/',
  '/ws/v5/private//',
  '//ws/v5/private',
  '/ws/v5/%70rivate',
  'http://',
  'http://[',
  'http://[::1',
  'http://a:b:c/',
  'http://evil.example/ws/v5/public',
  'ws://127.0.0.1/ws/v5/public',
  'javascript:alert(1)',
  'a b c',
  '/\u0001',
  '/é',
  '/\u00ff\u00fe',
  `/${'a'.repeat(20_000)}`,
  `/?${'a=1&'.repeat(4000)}`,
  '/ws/v5/public',
  '/ws/v5/business',
  '/ws/v5/private',
  '/api/v3/login',
  '/api/v3/auth/google/callback?state=%',
  '/docs/../api',
  '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
];

const methods = [
  'GET',
  'POST',
  'HEAD',
  'OPTIONS',
  'PUT',
  'CONNECT',
  'TRACE',
  'get',
  'GETX',
  '',
  'PRI',
  'A'.repeat(5000),
];
const versions = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/', '', 'ICY/1.1'];

const oddHeaders = [
  'Host:',
  'Host: a\r\nHost: b',
  'Host: [',
  'Host: evil.example:0',
  'Host : x',
  ': empty',
  'X',
  'X-\u00e9: 1',
  `X: ${'y'.repeat(20_000)}`,
  ...Array.from({ length: 1 }, () => Array.from({ length: 3000 }, (_, index) => `X-${index}: 1`).join('\r\n')),
  'Content-Length: -1',
  'Content-Length: 5\r\nContent-Length: 6',
  'Content-Length: 99999999999999999999',
  'Content-Length: 10\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: gzip',
  'Expect: 100-continue',
  'Expect: 999',
  'Connection: upgrade, close, keep-alive',
  'Authorization: Bearer',
  'Authorization: Bearer \u00ff',
  `Authorization: Bearer ${'a'.repeat(10_000)}`,
  'Cookie: a=b; c',
  'Range: bytes=0-0,1-1,5-',
  'If-None-Match: "',
  'If-Modified-Since: x',
  'Accept-Language: %',
  `Accept-Language: ${'de,'.repeat(3000)}`,
  'Accept-Encoding: br;q=x, gzip;q=-1',
  'Content-Type: application/json; charset="',
  'X-Forwarded-For: ,,,',
  `X-Forwarded-For: ${'1.1.1.1,'.repeat(1000)}`,
  'X-Forwarded-For: [::::',
  'X-Forwarded-Proto: javascript',
  'Forwarded: for="[',
  'Sec-WebSocket-Key: x',
  'Sec-WebSocket-Key:',
  'Sec-WebSocket-Version: 99',
  'Sec-WebSocket-Protocol: ,',
  'Sec-WebSocket-Protocol: a\u0000b',
  'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99',
  'Sec-WebSocket-Extensions: ;;;',
  'Upgrade: h2c',
  'Upgrade: websocket, h2c',
  'Origin: null',
  'HTTP2-Settings: x',
];

const bodies = ['', '{', '0\r\n\r\n', 'zz\r\n', '5\r\nabc', 'ffffffffffffffff\r\n', '\u0000'.repeat(100)];

const upgradeHeaders = [
  'Upgrade: websocket',
  'Connection: Upgrade',
  `Sec-WebSocket-Key: ${KEY}`,
  'Sec-WebSocket-Version: 13',
];

function headersFor(random: Random): string[] {
  const host = random.chance(85) ? ['Host: 127.0.0.1'] : [];
  const upgrade = random.chance(55) ? upgradeHeaders.filter(() => random.chance(90)) : [];
  const odd = Array.from({ length: random.below(3) }, () => random.pick(oddHeaders));
  return [...host, ...upgrade, ...odd];
}

/** One request, cut into parts at random places. */
export function randomRequest(random: Random): Buffer[] {
  const method = random.chance(75) ? 'GET' : random.pick(methods);
  const version = random.chance(90) ? 'HTTP/1.1' : random.pick(versions);
  const end = random.chance(95) ? '\r\n\r\n' : random.pick(['\n\n', '\r\n', '', '\r\r\n']);
  const head = [`${method} ${random.pick(targets)} ${version}`, ...headersFor(random)].join('\r\n');
  const whole = Buffer.from(`${head}${end}${random.chance(30) ? random.pick(bodies) : ''}`, 'latin1');
  if (random.chance(15)) for (let hits = 0; hits < 5; hits += 1) whole[random.below(whole.length)] = random.below(256);
  if (random.chance(10)) return [whole.subarray(0, random.below(whole.length))];
  if (random.chance(80)) return [whole];
  const cut = random.below(whole.length);
  return [whole.subarray(0, cut), whole.subarray(cut)];
}

/** A handshake that any server accepts. */
export const handshake = (path: string): string =>
  [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...upgradeHeaders].join('\r\n').concat('\r\n\r\n');

/** Each target, upgraded: what ended the process once. */
export const upgradesOfEveryTarget = (): Buffer[][] =>
  targets.map((target) => [Buffer.from(handshake(target), 'latin1')]);
