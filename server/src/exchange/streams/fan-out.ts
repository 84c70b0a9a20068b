/**
 * Writes what was queued for connections: each push is framed once, and a connection gets all of its frames in one
 * write. Connections are written to in turn and in slices, so that thousands of sockets never hold up the exchange.
 */
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Connection } from './connection.ts';
import { textFrame } from './frame.ts';
import type { Topic } from './topics.ts';

const SLICE = 128;
/** Writing may take this part of the time; with more subscribers than that allows, each waits longer for its turn. */
const BUSY_SHARE = 0.85;
/** A timer is no more exact than a millisecond, so shorter rests are put together. */
const LEAST_REST_MS = 4;
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
  readonly #start: () => void;
  /**
   * Connections that frames wait for, longest first. Who was written to comes to the end with the next frame, so all have
   * their turn before any has another, and frames that are published meanwhile go with those that wait already.
   */
  readonly #receivers = new Set<Connection>();
  #isWriting = false;

  constructor(logger: Logger) {
    this.#start = guarded(logger, 'stream fan-out', () => this.#writeAll());
  }

  publish(topic: Topic, body: string | undefined): void {
    if (body === undefined) return;
    const frame = textFrame(`{"arg":${JSON.stringify(topic.arg)},${body}`);
    for (const connection of topic.subscribers) {
      if (connection.queue(frame)) this.#receivers.add(connection);
    }
  }

  /** Starts to write what was published, unless that is going on. */
  write(): void {
    if (!this.#isWriting && this.#receivers.size > 0) this.#start();
  }

  forget(connection: Connection): void {
    this.#receivers.delete(connection);
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    try {
      let owedMs = 0;
      for (;;) {
        const begun = performance.now();
        this.#writeSlice();
        if (this.#receivers.size === 0) return;
        const ended = performance.now();
        owedMs += (ended - begun) * (1 / BUSY_SHARE - 1);
        await (owedMs < LEAST_REST_MS ? nextTurn() : wait(owedMs));
        owedMs = Math.max(0, owedMs - (performance.now() - ended));
      }
    } finally {
      this.#isWriting = false;
    }
  }

  #writeSlice(): void {
    const join = createJoiner();
    let left = SLICE;
    for (const connection of this.#receivers) {
      this.#receivers.delete(connection);
      connection.writeWaiting(join);
      left -= 1;
      if (left === 0) return;
    }
  }
}
