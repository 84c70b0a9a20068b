/** Cancels many orders at once: an owner's, a market's, and those that only reduce and give way to another. */
import { Ending, isReducing, legOf } from '../events/event-record.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import { BUY, type PositionLeg, SELL, type Side } from '../terms/order-terms.ts';
import type { MarketBook } from './market-book.ts';
import type { Matcher } from './matcher.ts';

const { CANCELLED_BY_OWNER, CANCELLED_MARKET_CLEARED: CLEARED } = Ending;
const { CANCELLED_NOTHING_TO_CLOSE: NOTHING_TO_CLOSE } = Ending;

export class BulkCancels {
  readonly #pool: OrderPool;
  readonly #accounts: AccountTable;
  readonly #matcher: Matcher;

  constructor(pool: OrderPool, accounts: AccountTable, matcher: Matcher) {
    this.#pool = pool;
    this.#accounts = accounts;
    this.#matcher = matcher;
  }

  /** Cancels what an owner has open, oldest first, in the market of one index or in all. */
  all(markets: readonly MarketBook[], ownerNumber: number, index: number | undefined): void {
    const pool = this.#pool;
    const owner = this.#accounts.findOwner(ownerNumber);
    if (owner === 0) return;
    const slots: number[] = [];
    for (let slot = this.#accounts.firstOrder(owner); slot !== 0; slot = pool.ownerNext(slot)) {
      if (index === undefined || pool.bookSide(slot) >> 1 === index) slots.push(slot);
    }
    slots.sort((left, right) => pool.orderId(left) - pool.orderId(right));
    for (const slot of slots) {
      const bookSide = pool.bookSide(slot);
      this.#matcher.cancelResting(markets[bookSide >> 1]!, (bookSide & 1) as Side, slot, CANCELLED_BY_OWNER);
    }
  }

  /** Cancels the orders at a market's best prices, at most so many. @returns how many */
  clear(market: MarketBook, maximum: number): number {
    const { book } = market;
    let cleared = 0;
    for (const side of [BUY, SELL] as const) {
      for (let price = book.best(side); price !== 0 && cleared < maximum; price = book.best(side)) {
        this.#matcher.cancelResting(market, side, book.ladder.head(book.ladder.find(price)), CLEARED);
        cleared += 1;
      }
    }
    return cleared;
  }

  /**
   * What only reduces a position gives way, the newest first, to an order that closes so many lots of the same: together they
   * would close more than is open, and an order that only reduces would open the rest.
   * @returns whether something else was measured meanwhile
   */
  makeRoom(market: MarketBook, side: Side, owner: number, leg: PositionLeg, lots: number): boolean {
    const { perpetual } = market;
    const reducing = perpetual?.find(owner, leg)?.reducingLots(side) ?? 0;
    if (perpetual === undefined || reducing === 0) return false;
    let excess = lots - perpetual.closable(owner, side, leg);
    const pool = this.#pool;
    const slots: number[] = [];
    for (let slot = this.#accounts.firstOrder(owner); slot !== 0; slot = pool.ownerNext(slot)) {
      const terms = pool.terms(slot);
      if (pool.bookSide(slot) !== ((market.index << 1) | side) || !isReducing(terms)) continue;
      if (legOf(side, terms) === leg) slots.push(slot);
    }
    slots.sort((left, right) => pool.orderId(right) - pool.orderId(left));
    for (const slot of slots) {
      if (excess <= 0) break;
      excess -= pool.remaining(slot) + pool.hidden(slot);
      this.#matcher.cancelResting(market, side, slot, NOTHING_TO_CLOSE);
    }
    return true;
  }
}
