/** Owners for whom a transfer waits until their books are found in order, and what was found. */
export class Wishes {
  readonly #wanted = new Set<number>();
  /** By owner, the batch at which the books were in order. */
  readonly #granted = new Map<number, number>();
  #came = Promise.withResolvers<void>();

  /** @returns whether no other owner was waited for */
  add(owner: number): boolean {
    const isFirst = this.#wanted.size === 0;
    this.#wanted.add(owner);
    this.#came.resolve();
    return isFirst;
  }

  /** All of them, which are then no longer waited for. */
  take(): number[] {
    const owners = [...this.#wanted];
    this.#wanted.clear();
    this.#came = Promise.withResolvers<void>();
    return owners;
  }

  /** Resolves when an owner is waited for, at once where one is. */
  next(): Promise<void> {
    return this.#came.promise;
  }

  grant(owner: number, batch: number): void {
    this.#granted.set(owner, batch);
  }

  isGranted(owner: number, batch: number): boolean {
    return (this.#granted.get(owner) ?? -1) >= batch;
  }

  /** A pass has found the same of all owners. */
  forgetGranted(upTo: number): void {
    for (const [owner, batch] of this.#granted) if (batch <= upTo) this.#granted.delete(owner);
  }

  close(): void {
    this.#came.resolve();
  }
}
