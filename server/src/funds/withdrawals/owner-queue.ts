/** Requests of one client that wait for each other, at most. */
const WAITING = 50;

/**
 * Work for one client at a time: between the look at what may leave and the moment at which the ledger holds it, no other
 * withdrawal of the client comes. The engine writes from one process alone, so its memory is enough.
 */
export class OwnerQueue {
  readonly #last = new Map<number, Promise<unknown>>();
  readonly #waiting = new Map<number, number>();

  /** Whether anything of the client is underway or waits for it. */
  isBusy(owner: number): boolean {
    return this.#last.has(owner);
  }

  /** @returns undefined where too many wait already */
  async run<Result>(owner: number, work: () => Promise<Result>): Promise<Result | undefined> {
    const waiting = this.#waiting.get(owner) ?? 0;
    if (waiting >= WAITING) return undefined;
    this.#waiting.set(owner, waiting + 1);
    const before = this.#last.get(owner);
    const done = before === undefined ? work() : before.then(work, work);
    const end = done.catch(() => undefined);
    this.#last.set(owner, end);
    try {
      return await done;
    } finally {
      this.#waiting.set(owner, (this.#waiting.get(owner) ?? 1) - 1);
      if (this.#last.get(owner) === end) {
        this.#last.delete(owner);
        this.#waiting.delete(owner);
      }
    }
  }
}
