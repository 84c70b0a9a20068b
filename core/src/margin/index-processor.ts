/** New indexes: what they make of a market's mark and funding. */
import type { EventLog } from '../events/event-log.ts';
import type { BulkCancels } from '../orders/bulk-cancels.ts';
import type { MarketBook } from '../orders/market-book.ts';
import { BUY, SELL, type Side } from '../terms/order-terms.ts';
import { OK, type Outcome, refused } from '../terms/outcome.ts';
import { NEWEST_RULES, PASSED_ORDERS_END, TRIGGERS_ARE_CONFIRMED } from '../terms/rules.ts';
import type { SetIndexPrice } from './commands.ts';
import { impactPrice } from './funding.ts';
import type { PerpetualSettlement } from './perpetual-settlement.ts';
import { type BookPrices, follow, predictedRate } from './pricing.ts';

export class IndexProcessor {
  readonly #find: (id: number) => MarketBook | undefined;
  readonly #log: EventLog;
  readonly #cancels: BulkCancels;
  /** The version under which commands are applied. */
  rules: number = NEWEST_RULES;

  constructor(find: (id: number) => MarketBook | undefined, log: EventLog, cancels: BulkCancels) {
    this.#find = find;
    this.#log = log;
    this.#cancels = cancels;
  }

  setIndex({ market: id, price, waitsWhileHalted }: SetIndexPrice): Outcome {
    const market = this.#find(id);
    if (market === undefined) return refused('UNKNOWN_MARKET');
    const { perpetual } = market;
    if (perpetual === undefined) return refused('INVALID_MARKET');
    if (market.delisted) return refused('MARKET_DELISTED');
    if (!Number.isInteger(price) || price < 0 || price > market.maximumTicks) return refused('INVALID_PRICE');
    if (price === 0) {
      perpetual.state = { ...perpetual.state, index: 0, indexAt: this.#log.time };
      this.#priced(market, perpetual);
      return OK;
    }
    this.#follow(market, perpetual, price);
    if (waitsWhileHalted && market.halted) return OK;
    const { markPrice, lastPrice } = market;
    market.markWatch?.observe(markPrice, markPrice);
    market.indexWatch?.observe(price, price);
    // A new mark may confirm what the last price has passed.
    if (this.rules >= TRIGGERS_ARE_CONFIRMED && !market.halted && lastPrice > 0) market.lastWatch?.observe(lastPrice);
    return OK;
  }

  #follow(market: MarketBook, perpetual: PerpetualSettlement, price: number): void {
    const terms = market.spec.perpetual!;
    const { state, mark, settled } = follow(
      perpetual.state,
      terms,
      perpetual.terms,
      { index: price, time: this.#log.time, rules: this.rules },
      bookPrices(market, perpetual),
    );
    perpetual.state = state;
    market.markPrice = mark;
    this.#priced(market, perpetual);
    const { fundingIndex } = state;
    if (settled !== undefined)
      this.#log.object({ kind: 'funding-settled', market: market.spec.id, ...settled, fundingIndex });
  }

  /** Ends what the mark has run past. Who is liquidated by it comes before; what it triggers and whoever sees it does not. */
  endPassed({ market: id }: SetIndexPrice): void {
    const market = this.#find(id);
    if (market !== undefined && this.rules >= PASSED_ORDERS_END) this.#cancels.passed(market, this.rules);
  }

  #priced({ spec, markPrice: mark }: MarketBook, { state }: PerpetualSettlement): void {
    const ratePpb = predictedRate(state, spec.perpetual!.funding, this.rules);
    this.#log.object({ kind: 'perpetual-priced', market: spec.id, mark, ratePpb, state });
  }
}

function bookPrices(market: MarketBook, { terms }: PerpetualSettlement): BookPrices {
  const { book, spec, lastPrice } = market;
  const impact = (side: Side) => impactPrice(levelsOf(market, side), terms, spec.perpetual!.funding.impactValue);
  return {
    last: lastPrice,
    bid: book.best(BUY),
    ask: book.best(SELL),
    highest: market.maximumTicks,
    impactBid: () => impact(BUY),
    impactAsk: () => impact(SELL),
  };
}

/** What is shown of a side, the best first. */
function* levelsOf({ book }: MarketBook, side: Side): Iterable<readonly [ticks: number, lots: number]> {
  for (let price = book.best(side); price !== 0; price = book.worse(side, price)) {
    yield [price, book.ladder.lots(book.ladder.find(price))];
  }
}
