/**
 * Work for one client at a time: between the look at what may leave and the moment at which the ledger holds it, no other
 * withdrawal of the client comes. The engine writes from one process alone, so its memory is enough.
 */
export class OwnerQueue {
  readonly #last = new Map<number, Promise<unknown>>();

  /** Whether anything of the client is underway or waits for it. */
  isBusy(owner: number): boolean {
    return this.#last.has(owner);
  }

  async run<Result>(owner: number, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(owner);
    const done = before === undefined ? work() : before.then(work, work);
    const end = done.catch(() => undefined);
    this.#last.set(owner, end);
    try {
      return await done;
    } finally {
      if (this.#last.get(owner) === end) this.#last.delete(owner);
    }
  }
}
