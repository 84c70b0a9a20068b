/**
 * Writes what was queued for connections: each push is framed once, and every connection gets all of its frames in one
 * write, in slices, so that thousands of sockets never hold up the exchange.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { textFrame } from './frame.ts';
import type { Topic } from './topics.ts';

export interface FlushFigures {
  readonly frames: number;
  readonly writes: number;
  readonly bytes: number;
}

const SLICE = 256;

/** Joins frames once for all connections that have the same ones to send; mostly these are all of them. */
function createJoiner() {
  const numbers = new Map<Buffer, number>();
  const joined = new Map<string, Buffer>();
  let lastFrames: readonly Buffer[] = [];
  let lastJoined: Buffer = Buffer.alloc(0);

  function numberOf(frame: Buffer): number {
    const known = numbers.get(frame) ?? numbers.size;
    numbers.set(frame, known);
    return known;
  }

  return (frames: readonly Buffer[]): Buffer => {
    if (frames.length === 1) return frames[0]!;
    if (frames.length === lastFrames.length && frames.every((frame, index) => frame === lastFrames[index])) {
      return lastJoined;
    }
    const key = frames.map(numberOf).join();
    lastFrames = frames;
    lastJoined = joined.get(key) ?? Buffer.concat(frames);
    joined.set(key, lastJoined);
    return lastJoined;
  };
}

export class FanOut {
  readonly #onFlush: ((figures: FlushFigures) => void) | undefined;
  #receivers = new Set<Connection>();
  #framesMade = 0;

  constructor(onFlush: ((figures: FlushFigures) => void) | undefined) {
    this.#onFlush = onFlush;
  }

  /** Whether anything is queued. */
  get isWaiting(): boolean {
    return this.#receivers.size > 0;
  }

  publish(topic: Topic, body: string | undefined): void {
    if (body === undefined) return;
    const frame = textFrame(`{"arg":${JSON.stringify(topic.arg)},${body}`);
    this.#framesMade += 1;
    for (const connection of topic.subscribers) {
      connection.queue(frame);
      this.#receivers.add(connection);
    }
  }

  forget(connection: Connection): void {
    this.#receivers.delete(connection);
  }

  async write(): Promise<void> {
    const connections = [...this.#receivers];
    this.#receivers = new Set();
    const join = createJoiner();
    let bytes = 0;
    for (let start = 0; start < connections.length; start += SLICE) {
      if (start > 0) await nextTurn();
      for (const connection of connections.slice(start, start + SLICE)) {
        connection.writeWaiting((frames) => {
          const joined = join(frames);
          bytes += joined.length;
          return joined;
        });
      }
    }
    this.#onFlush?.({ frames: this.#framesMade, writes: connections.length, bytes });
    this.#framesMade = 0;
  }
}
