import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { Connection, type DropReason, defaultLimits } from './connection.ts';
import { textFrame } from './frame.ts';

function connection(writableLength: () => number) {
  const written: Buffer[] = [];
  const dropped: DropReason[] = [];
  let destroyed = false;
  const socket = {
    writable: true,
    get writableLength() {
      return writableLength();
    },
    write: (bytes: Buffer) => written.push(bytes),
    destroy: () => {
      destroyed = true;
    },
  };
  const made = new Connection({
    path: 'public',
    address: '127.0.0.1',
    socket: socket as unknown as Socket,
    webSocket: {} as WebSocket,
    limits: { ...defaultLimits, bufferedBytes: 1_000 },
    now: 0,
    onDrop: (_connection, reason) => dropped.push(reason),
  });
  return { made, socket, written, dropped, isDestroyed: () => destroyed };
}

describe('a connection', () => {
  it('writes what waits in one go, and an answer after what waits', () => {
    const { made, written } = connection(() => 0);
    expect(made.queue(textFrame('one'))).toBe(true);
    expect(made.queue(textFrame('two'))).toBe(false);
    made.writeWaiting(Buffer.concat);
    expect(written).toEqual([Buffer.concat([textFrame('one'), textFrame('two')])]);
    made.queue(textFrame('three'));
    made.sendText('four');
    expect(written.slice(1)).toEqual([textFrame('three'), textFrame('four')]);
  });

  it('lets a reader go that does not keep up, once and with the reason, and writes nothing more', () => {
    let length = 0;
    const { made, written, dropped, isDestroyed } = connection(() => length);
    made.sendText('fits');
    length = 1_001;
    made.sendText('too much');
    made.sendText('more');
    expect(dropped).toEqual(['slow']);
    expect(isDestroyed()).toBe(true);
    expect(written).toEqual([textFrame('fits')]);
  });

  it('has stalled when what waits is not taken between two looks', () => {
    let [length, bytesWritten] = [0, 0];
    const { made, socket } = connection(() => length);
    Object.defineProperty(socket, 'bytesWritten', { get: () => bytesWritten });
    const look = (total: number, waiting: number) => {
      [bytesWritten, length] = [total, waiting];
      return made.hasStalled();
    };
    expect(look(100, 0)).toBe(false);
    expect(look(100, 0)).toBe(false);
    expect(look(600, 500)).toBe(true);
    expect(look(700, 500)).toBe(false);
    expect(look(900, 700)).toBe(true);
  });

  it('allows a burst of messages and then the steady rate', () => {
    const { made } = connection(() => 0);
    const { messagesPerSecond } = defaultLimits;
    let allowed = 0;
    while (made.allowMessage(0)) allowed += 1;
    expect(allowed).toBe(messagesPerSecond * 3);
    expect(made.allowMessage(1_000)).toBe(true);
  });

  it('allows the steady rate after the clock was set back, too', () => {
    const { made } = connection(() => 0);
    const HOUR_MS = 3_600_000;
    expect(made.allowMessage(HOUR_MS)).toBe(true);
    expect(made.allowMessage(0)).toBe(true);
    expect(made.allowMessage(1_000)).toBe(true);
  });
});

it.each([
  [0, 2],
  [125, 2],
  [126, 4],
  [65_535, 4],
  [65_536, 10],
])('frames a text of %i bytes with a header of %i', (size, header) => {
  const text = 'é'.repeat(Math.floor(size / 2)) + 'x'.repeat(size % 2);
  const frame = textFrame(text);
  const short = frame[1]!;
  const length = short < 126 ? short : short === 126 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2));
  expect(frame[0]).toBe(0x81);
  expect(length).toBe(size);
  expect(frame.subarray(header).toString()).toBe(text);
});
