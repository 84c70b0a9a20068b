/**
 * Tells the core once a second what the index of each perpetual is: the price of its coin on other markets. Marks, funding and
 * the first liquidations follow in the core; those that are left are asked for until none is.
 */
import { indexPrice } from '@cambist/core/margin/mark-price.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import type { Engine } from '../engine/engine.ts';
import type { Catalogue } from '../instruments/service.ts';
import type { Alarms } from '../ledger/service.ts';

/** A price that a source holds is no older than its own rule allows; here it is of this moment. */
const FRESH_MS = 10_000;
/** Accounts in one command, so that orders do not wait long; and commands in one run, so that the next index is not late. */
const AT_ONCE = 50;
const COMMANDS = 20;
const LOST_MS = 60_000;
const WAITING_MS = 30_000;

export interface IndexRunnerDeps {
  readonly engine: Pick<Engine, 'exchange' | 'sequencer'>;
  readonly catalogue: Pick<Catalogue, 'perpetuals' | 'markets'>;
  /** Ticks, with a fraction, of a spot market elsewhere; undefined where and while nothing trustworthy is known. */
  readonly referenceOf: (market: number) => number | undefined;
  readonly alarms: Pick<Alarms, 'raise'>;
  readonly clock: { now(): number };
}

export class IndexRunner {
  readonly #deps: IndexRunnerDeps;
  /** Since when a market's index has been lost, ms. */
  readonly #lostSince = new Map<number, number>();
  #waitingSince: number | undefined;

  constructor(deps: IndexRunnerDeps) {
    this.#deps = deps;
  }

  async run(): Promise<void> {
    await Promise.all(this.#deps.catalogue.perpetuals.map(({ spec }) => this.#price(spec)));
    await this.#liquidate();
  }

  async #price(perpetual: MarketSpec): Promise<void> {
    const { alarms, clock } = this.#deps;
    const now = clock.now();
    const price = this.#indexOf(perpetual, now) ?? 0;
    if (await this.#say(perpetual, price)) {
      this.#lostSince.delete(perpetual.id);
      return;
    }
    const since = this.#lostSince.get(perpetual.id) ?? now;
    this.#lostSince.set(perpetual.id, since);
    if (now - since < LOST_MS) return;
    const detail = `No index of ${perpetual.symbol} is known: its positions are not liquidated and its funding waits`;
    await alarms.raise('index-lost', detail);
  }

  /** @returns whether the market has an index now; a loss is said once */
  async #say({ id: market }: MarketSpec, price: number): Promise<boolean> {
    const { exchange, sequencer } = this.#deps.engine;
    if (price === 0 && exchange.perpetualState(market).index === 0) return false;
    // A price that the market can not have is refused.
    const { outcome } = await sequencer.submit({ kind: 'set-index-price', market, price });
    return price > 0 && outcome.ok;
  }

  /** In ticks of the perpetual; each source that is fresh counts once. */
  #indexOf({ base, quote, tickScale }: MarketSpec, now: number): number | undefined {
    const { catalogue, referenceOf } = this.#deps;
    const sources = catalogue.markets.flatMap(({ spec }) => {
      const price = spec.base.id === base.id && spec.quote.id === quote.id ? referenceOf(spec.id) : undefined;
      if (price === undefined) return [];
      return [{ ticks: Math.max(1, Math.round(price * 10 ** (tickScale - spec.tickScale))), time: now }];
    });
    return indexPrice(sources, now, FRESH_MS);
  }

  async #liquidate(): Promise<void> {
    const { engine, alarms, clock } = this.#deps;
    const { exchange, sequencer } = engine;
    for (let count = 0; count < COMMANDS && exchange.hasLiquidations(); count += 1)
      await sequencer.submit({ kind: 'run-liquidations', maximum: AT_ONCE });
    if (!exchange.hasLiquidations()) {
      this.#waitingSince = undefined;
      return;
    }
    this.#waitingSince ??= clock.now();
    if (clock.now() - this.#waitingSince < WAITING_MS) return;
    await alarms.raise('liquidations-waiting', 'Positions that are to be liquidated have waited for half a minute');
  }
}
