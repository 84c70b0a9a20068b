/**
 * Halts all pairs while the exchange is maintained: its clients could neither cancel nor add margin. They trade again some time after
 * it has ended, so that what is no longer wanted can be cancelled first. A pair that an operator halts or resumes meanwhile is the
 * operator's.
 */
import type { ExchangeView } from '../../exchange/engine/feed.ts';
import type { MaintenanceHaltStore } from './maintenance-halt-store.ts';
import type { Actor, MarketAdmin, MarketError } from './service.ts';
import type { SettlingStore } from './settling-store.ts';

/** Between the end of maintenance and trading. */
const TO_CANCEL_MS = 60_000;

export interface MaintenanceHaltDeps {
  readonly admin: Pick<MarketAdmin, 'submit' | 'record'>;
  readonly view: ExchangeView;
  readonly store: MaintenanceHaltStore;
  readonly settlings: Pick<SettlingStore, 'priceOf'>;
  readonly isMaintained: () => boolean;
  readonly clock: { now(): number };
}

/** The exchange itself. */
const EXCHANGE = { actorId: undefined, reason: '', address: '' };

export class MaintenanceHalts {
  readonly #deps: MaintenanceHaltDeps;
  readonly #halted: Set<number>;
  #resumeAt: number | undefined;

  private constructor(deps: MaintenanceHaltDeps, halted: readonly number[]) {
    this.#deps = deps;
    this.#halted = new Set(halted);
  }

  static async open(deps: MaintenanceHaltDeps): Promise<MaintenanceHalts> {
    return new MaintenanceHalts(deps, await deps.store.all());
  }

  /** How many pairs are halted for maintenance, and when they trade again; null while it lasts. */
  state(): { readonly pairs: number; readonly resumeAt: number | null } {
    return { pairs: this.#halted.size, resumeAt: this.#dueAt() ?? null };
  }

  /** Halts what trades. That it was this is kept before it is done. */
  async begin(): Promise<MarketError | undefined> {
    const { view, store } = this.#deps;
    const trading = view.markets().flatMap(({ id }) => (this.#isTrading(id) ? [id] : []));
    await store.add(trading);
    for (const market of trading) this.#halted.add(market);
    const halts = trading.map((market) => this.#deps.admin.submit({ kind: 'halt-market', market, halted: true }));
    return (await Promise.all(halts)).find((error) => error !== undefined);
  }

  /** An operator has decided about this pair. */
  async forget(market: number): Promise<void> {
    if (this.#halted.delete(market)) await this.#deps.store.remove(market);
  }

  /** Lets them trade once it is time. */
  async follow(): Promise<void> {
    const { clock, isMaintained } = this.#deps;
    const dueAt = this.#dueAt();
    if (dueAt !== undefined && clock.now() >= dueAt) await this.resume(EXCHANGE, () => !isMaintained());
  }

  /** Counted from when the end is first seen: after a restart they wait anew. */
  #dueAt(): number | undefined {
    const { clock, isMaintained } = this.#deps;
    const isWaiting = this.#halted.size > 0 && !isMaintained();
    this.#resumeAt = isWaiting ? (this.#resumeAt ?? clock.now() + TO_CANCEL_MS) : undefined;
    return this.#resumeAt;
  }

  /** Lets them trade now. */
  async resume(actor: Actor, goesOn = () => true): Promise<void> {
    for (const market of [...this.#halted]) {
      if (!goesOn()) return;
      if (this.#halted.has(market)) await this.#resume(actor, market);
    }
  }

  async #resume(actor: Actor, market: number): Promise<void> {
    const { view, admin, settlings } = this.#deps;
    const { halted, delisted } = view.marketState(market);
    // One that is being settled stays as it is: what is left of it has its price.
    if (halted && !delisted && (await settlings.priceOf(market)) === undefined) {
      const { symbol } = view.markets().find(({ id }) => id === market)!;
      await admin.record(actor, 'resume-market', { market: symbol, after: 'maintenance' });
      await admin.submit({ kind: 'halt-market', market, halted: false });
    }
    await this.forget(market);
  }

  #isTrading(market: number): boolean {
    const { halted, delisted } = this.#deps.view.marketState(market);
    return !halted && !delisted;
  }
}
