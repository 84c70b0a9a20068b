/** Why payouts wait, and when those that were refused are tried again, which is kept in memory alone. */
import { isUntaken } from './funds.ts';
import type { KeptPayout } from './kept-payout.ts';
import type { WaitsFor } from './service.ts';
import type { PayoutStore } from './store.ts';

/** What was refused, or would fail, is tried again after so long. */
const RETRY_MS = 60_000;
const ALONE_MS = 3_600_000;

export class Waiting {
  readonly #store: Pick<PayoutStore, 'waits' | 'allWait'>;
  readonly #clock: { now(): number };
  readonly #alarm: (kind: string, detail: string) => Promise<void>;
  /** What operators were told of and lasts, so that what they have acknowledged is not raised again. */
  readonly #told = new Set<string>();
  readonly #retryAt = new Map<number, number>();
  /** Until when a payout goes by itself: a transaction with it and others was refused. */
  readonly #aloneUntil = new Map<number, number>();

  constructor(
    store: Pick<PayoutStore, 'waits' | 'allWait'>,
    clock: { now(): number },
    alarm: (kind: string, detail: string) => Promise<void>,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#alarm = alarm;
  }

  /** Raises an alarm, once until its cause has ended. @param cause of what, and for which payout or coin */
  async tell(cause: string, kind: string, detail: string): Promise<void> {
    if (this.#told.has(cause)) return;
    await this.#alarm(kind, detail);
    this.#told.add(cause);
  }

  /** What it was about goes on. */
  ended(cause: string): void {
    this.#told.delete(cause);
  }

  /** Says why payouts that are not in a block wait. */
  async wait(payouts: readonly KeptPayout[], waitsFor: WaitsFor): Promise<void> {
    const own = payouts.filter(({ carriedBy, state }) => carriedBy === null && state !== 'MINED');
    const news = own.filter((payout) => payout.waitsFor !== waitsFor);
    for (const payout of news) if (!isUntaken(payout)) await this.#store.waits(payout, waitsFor, this.#clock.now());
    await this.#store.allWait(news.filter(isUntaken), waitsFor, this.#clock.now());
  }

  /** It is tried again in a while. */
  postpone({ id }: KeptPayout): void {
    this.#retryAt.set(id, this.#clock.now() + RETRY_MS);
  }

  isDue({ id }: KeptPayout): boolean {
    return (this.#retryAt.get(id) ?? 0) <= this.#clock.now();
  }

  /** One of them may be what was refused: each goes by itself for a while. */
  separate(payouts: readonly KeptPayout[]): void {
    for (const { id } of payouts) this.#aloneUntil.set(id, this.#clock.now() + ALONE_MS);
  }

  /** Whether it goes with no other now. */
  isAlone(payout: KeptPayout): boolean {
    return !this.isDue(payout) || (this.#aloneUntil.get(payout.id) ?? 0) > this.#clock.now();
  }
}
