/**
 * Halts all pairs while the exchange is maintained: its clients could neither cancel nor add margin. They trade again some time after
 * it has ended, so that what is no longer wanted can be cancelled first. A pair that an operator halts or resumes meanwhile is the
 * operator's.
 */
import type { ExchangeView } from '../../exchange/engine/feed.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
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
  /** Keeps what memory has by then. */
  readonly #save: () => Promise<void>;
  #resumeAt: number | undefined;

  private constructor(deps: MaintenanceHaltDeps, halted: readonly number[]) {
    this.#deps = deps;
    this.#halted = new Set(halted);
    this.#save = oneAtATime(() => deps.store.save([...this.#halted]));
  }

  static async open(deps: MaintenanceHaltDeps): Promise<MaintenanceHalts> {
    return new MaintenanceHalts(deps, await deps.store.all());
  }

  /** How many pairs are halted for maintenance, and when they trade again; null while it lasts. */
  state(): { readonly pairs: number; readonly resumeAt: number | null } {
    const pairs = [...this.#halted].filter((market) => !this.#isTrading(market)).length;
    return { pairs, resumeAt: this.#dueAt() ?? null };
  }

  /** Halts what trades. That it was this is kept before it is done. */
  async begin(): Promise<MarketError | undefined> {
    const { view, admin } = this.#deps;
    const trading = view.markets().flatMap(({ id }) => (this.#isTrading(id) ? [id] : []));
    for (const market of trading) this.#halted.add(market);
    await this.#save();
    const ours = trading.filter((market) => this.#halted.has(market));
    const halts = ours.map((market) => admin.submit({ kind: 'halt-market', market, halted: true }));
    return (await Promise.all(halts)).find((error) => error !== undefined);
  }

  /** An operator has decided about this pair. */
  async forget(market: number): Promise<void> {
    if (this.#halted.delete(market)) await this.#save();
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
    try {
      for (const market of [...this.#halted]) if (goesOn()) await this.#resume(actor, market, goesOn);
    } finally {
      await this.#save();
    }
  }

  async #resume(actor: Actor, market: number, goesOn: () => boolean): Promise<void> {
    const { view, admin, settlings } = this.#deps;
    const { halted, delisted } = view.marketState(market);
    // One that is being settled stays as it is: what is left of it has its price.
    if (!halted || delisted || (await settlings.priceOf(market)) !== undefined) {
      this.#halted.delete(market);
      return;
    }
    const { symbol } = view.markets().find(({ id }) => id === market)!;
    await admin.record(actor, 'resume-market', { market: symbol, after: 'maintenance' });
    // An operator or another maintenance may have come meanwhile; in this step neither can.
    if (!goesOn() || !this.#halted.delete(market)) return;
    try {
      await admin.submit({ kind: 'halt-market', market, halted: false });
    } catch (error) {
      this.#halted.add(market);
      throw error;
    }
  }

  #isTrading(market: number): boolean {
    const { halted, delisted } = this.#deps.view.marketState(market);
    return !halted && !delisted;
  }
}
