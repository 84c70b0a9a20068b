/** Websocket frames byte by byte (RFC 6455, section 5.2): good ones, and every way of getting one wrong. */
import type { Random } from '../random.ts';

interface FrameParts {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly final: boolean;
  readonly reserved: number;
  readonly isMasked: boolean;
  /** The length that the header claims, where it lies. */
  readonly claims?: number | bigint;
}

function lengthBytes(length: number | bigint, isMasked: boolean): Buffer {
  const mask = isMasked ? 0x80 : 0;
  if (typeof length === 'number' && length < 126) return Buffer.from([mask | length]);
  if (typeof length === 'number' && length < 65_536) return Buffer.from([mask | 126, length >> 8, length & 255]);
  const bytes = Buffer.alloc(9);
  bytes[0] = mask | 127;
  bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(length)), 1);
  return bytes;
}

export function frame({ opcode, payload, final, reserved, isMasked, claims }: FrameParts): Buffer {
  const first = Buffer.from([(final ? 0x80 : 0) | (reserved << 4) | opcode]);
  const key = Buffer.from([1, 2, 3, 4]);
  const body = isMasked ? Buffer.from(payload.map((byte, index) => byte ^ (key[index % 4] ?? 0))) : payload;
  return Buffer.concat([first, lengthBytes(claims ?? payload.length, isMasked), ...(isMasked ? [key] : []), body]);
}

const messages = [
  'ping',
  '{}',
  '[]',
  'null',
  '{"op":"login","args":[{"token":"x"}]}',
  '{"op":"login","args":[]}',
  '{"op":"login","args":[{"token":{"a":1}}]}',
  '{"op":"subscribe","args":[{"channel":"orders"}]}',
  '{"op":"subscribe","args":[{"channel":"__proto__","instId":"constructor"}]}',
  '{"op":"subscribe","args":[{"channel":"books","instId":"BTC-USDT"}]}',
  '{"op":"unsubscribe","args":[{"channel":"books","instId":"BTC-USDT"}]}',
  '{"op":"unsubscribe","args":[{"channel":"account"}]}',
  '{"op":"place","id":"1","args":[{}]}',
  `{"op":"subscribe","args":[${'{"channel":"x"},'.repeat(200)}{"channel":"x"}]}`,
  '['.repeat(5000),
  '\u0000',
  '{"op":"subscribe","id":"\ud800","args":[{"channel":"tickers","instId":"BTC-USDT"}]}',
];

const payloads = (random: Random): Buffer =>
  random.chance(70) ? Buffer.from(random.pick(messages)) : random.bytes(random.pick([0, 1, 2, 125, 126, 300, 17_000]));

export function randomFrame(random: Random): Buffer {
  const isText = random.chance(60);
  return frame({
    opcode: isText ? 1 : random.below(16),
    payload: payloads(random),
    final: random.chance(85),
    reserved: random.chance(90) ? 0 : random.below(8),
    isMasked: random.chance(90),
    ...(random.chance(8) ? { claims: random.pick([0, 1, 127, 65_535, 2 ** 31, 2n ** 63n - 1n, 2n ** 64n - 1n]) } : {}),
  });
}
