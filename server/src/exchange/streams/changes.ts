/**
 * When each client's channels last changed, whether or not a page listens. Memory is bounded: of who is forgotten it is known
 * only that nothing changed since then, which may have a page read once too often, and never once too seldom.
 */
import { PRIVATE_CHANNELS, type PrivateChannel } from '@cambist/contract/stream.ts';
import type { Moments } from '../../platform/moments.ts';

/** Of a generation, of which there are two: about as many clients have changed something in the last minutes. */
const LIMIT = 50_000;

const indexes = new Map(PRIVATE_CHANNELS.map((channel, index) => [channel, index]));

const keyOf = (owner: number, channel: PrivateChannel): number => owner * indexes.size + indexes.get(channel)!;

export class Changes {
  readonly #moments: Moments;
  readonly #limit: number;
  #newer = new Map<number, number>();
  #older = new Map<number, number>();
  /** When `older` was closed: all in it is from before. */
  #closedAt = 0;
  /** All that was forgotten is from before. */
  #forgottenBefore = 0;

  constructor(moments: Moments, limit = LIMIT) {
    this.#moments = moments;
    this.#limit = limit;
  }

  /** @param moment that of a commit where it changed several */
  note(owner: number, channel: PrivateChannel, moment: number = this.#moments.next()): number {
    this.#newer.set(keyOf(owner, channel), moment);
    if (this.#newer.size >= this.#limit) {
      this.#forgottenBefore = this.#closedAt;
      this.#closedAt = this.#moments.now();
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    return moment;
  }

  /** Nothing of the channel has changed since. */
  lastOf(owner: number, channel: PrivateChannel): number {
    const key = keyOf(owner, channel);
    return this.#newer.get(key) ?? this.#older.get(key) ?? this.#forgottenBefore;
  }
}
