/**
 * Tells the core once a second what the index of each perpetual is: the price of its coin on other markets. Marks, funding and
 * the first liquidations follow in the core; those that are left are asked for until none is.
 */
import type { MarketSpec } from '@cambist/core/money/market.ts';
import type { Engine } from '../engine/engine.ts';
import type { Alarms } from '../ledger/service.ts';
import { indexOf, quotesOf, type SourceParts, strays } from './index-sources.ts';

/** Accounts in one command, so that orders do not wait long; and commands in one run, so that the next index is not late. */
const AT_ONCE = 50;
const COMMANDS = 20;
const LOST_MS = 60_000;
const WAITING_MS = 30_000;

export interface IndexRunnerDeps extends SourceParts {
  readonly engine: Pick<Engine, 'exchange' | 'sequencer'>;
  readonly alarms: Pick<Alarms, 'raise'>;
  readonly clock: { now(): number };
}

export class IndexRunner {
  readonly #deps: IndexRunnerDeps;
  /** Since when a market's index has been lost, ms. */
  readonly #lostSince = new Map<number, number>();
  /** Since when a source has been silent or has strayed, ms; infinity once that was said. */
  readonly #since = new Map<string, number>();
  #waitingSince: number | undefined;

  constructor(deps: IndexRunnerDeps) {
    this.#deps = deps;
  }

  async run(): Promise<void> {
    await Promise.all(this.#deps.catalogue.perpetuals.map(({ spec }) => this.#price(spec)));
    await this.#liquidate();
    await this.#watch();
  }

  async #price(perpetual: MarketSpec): Promise<void> {
    const { alarms, clock } = this.#deps;
    const now = clock.now();
    const price = indexOf(quotesOf(this.#deps, perpetual), now) ?? 0;
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
    const { outcome } = await sequencer.submit({ kind: 'set-index-price', market, price, waitsWhileHalted: true });
    return price > 0 && outcome.ok;
  }

  /** While others make the index, nothing else shows that one of several sources is silent or strays. */
  async #watch(): Promise<void> {
    const { alarms, catalogue, indexSources } = this.#deps;
    if (indexSources.length < 2) return;
    for (const { name, isFresh } of indexSources) {
      const detail = `The index source ${name} says nothing: the index is made from the others`;
      if (this.#lasts(`silent ${name}`, !isFresh())) await alarms.raise('index-source', detail);
    }
    const now = this.#deps.clock.now();
    for (const { spec } of catalogue.perpetuals) {
      const quotes = quotesOf(this.#deps, spec);
      const index = indexOf(quotes, now);
      for (const quote of quotes) {
        const { name } = quote.source;
        const detail = `The index source ${name} is more than 1% away from the others in ${spec.symbol}`;
        if (this.#lasts(`${name} ${spec.symbol}`, strays(quote, index))) await alarms.raise('index-source', detail);
      }
    }
  }

  /** @returns once, when something has been so for a minute */
  #lasts(what: string, isSo: boolean): boolean {
    const now = this.#deps.clock.now();
    if (!isSo) this.#since.delete(what);
    const since = this.#since.get(what) ?? now;
    if (isSo) this.#since.set(what, since);
    if (!isSo || now - since < LOST_MS) return false;
    this.#since.set(what, Number.POSITIVE_INFINITY);
    return true;
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
