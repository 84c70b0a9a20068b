/** Cancels many orders at once: an owner's, a market's, and those that only reduce and give way to another. */
import { Ending, isReducing, legOf } from '../events/event-record.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import { BUY, type PositionLeg, SELL, type Side } from '../terms/order-terms.ts';
import type { MarketBook } from './market-book.ts';
import type { Matcher } from './matcher.ts';

const { CANCELLED_BY_OWNER, CANCELLED_MARKET_CLEARED: CLEARED, CANCELLED_PRICE_BAND } = Ending;
const { CANCELLED_NOTHING_TO_CLOSE: NOTHING_TO_CLOSE, CANCELLED_BY_OPERATOR } = Ending;

const NONE: readonly number[] = [];
const NOTHING_SPARED: ReadonlySet<number> = new Set();

export class BulkCancels {
  readonly #pool: OrderPool;
  readonly #accounts: AccountTable;
  readonly #matcher: Matcher;

  constructor(pool: OrderPool, accounts: AccountTable, matcher: Matcher) {
    this.#pool = pool;
    this.#accounts = accounts;
    this.#matcher = matcher;
  }

  /** Cancels what an owner has open, oldest first, in the market of one index or in all, of one side or of both. */
  all(markets: readonly MarketBook[], ownerNumber: number, index: number | undefined, side: Side | undefined): void {
    const isWanted = (slot: number) => {
      const bookSide = this.#pool.bookSide(slot);
      return (index === undefined || bookSide >> 1 === index) && (side === undefined || (bookSide & 1) === side);
    };
    this.#cancelOf(markets, ownerNumber, isWanted, CANCELLED_BY_OWNER);
  }

  /** Cancels what an owner has open but what only reduces a position, oldest first, by the exchange. */
  stop(markets: readonly MarketBook[], ownerNumber: number): void {
    const isWanted = (slot: number) => !isReducing(this.#pool.terms(slot));
    this.#cancelOf(markets, ownerNumber, isWanted, CANCELLED_BY_OPERATOR);
  }

  #cancelOf(
    markets: readonly MarketBook[],
    ownerNumber: number,
    isWanted: (slot: number) => boolean,
    ending: Ending,
  ): void {
    const pool = this.#pool;
    const owner = this.#accounts.findOwner(ownerNumber);
    if (owner === 0) return;
    const slots: number[] = [];
    for (let slot = this.#accounts.firstOrder(owner); slot !== 0; slot = pool.ownerNext(slot)) {
      if (isWanted(slot)) slots.push(slot);
    }
    slots.sort((left, right) => pool.orderId(left) - pool.orderId(right));
    for (const slot of slots) {
      const bookSide = pool.bookSide(slot);
      this.#matcher.cancelResting(markets[bookSide >> 1]!, (bookSide & 1) as Side, slot, ending);
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

  /** Cancels what may open something and is further beyond the mark than an order may rest, the best first. */
  passed(market: MarketBook, rules: number): void {
    const { book } = market;
    const pool = this.#pool;
    for (const side of [BUY, SELL] as const) {
      const slots: number[] = [];
      for (let price = book.best(side); price !== 0; price = book.worse(side, price)) {
        if (market.mayRest(side, price, rules)) break;
        for (let slot = book.ladder.head(book.ladder.find(price)); slot !== 0; slot = pool.next(slot))
          if (!isReducing(pool.terms(slot))) slots.push(slot);
      }
      for (const slot of slots) this.#matcher.cancelResting(market, side, slot, CANCELLED_PRICE_BAND);
    }
  }

  /**
   * What only reduces a position gives way, the newest first, to an order that closes so many lots of the same: together they
   * would close more than is open, and an order that only reduces would open the rest.
   * @param spared orders that do not give way
   * @returns whether something else was measured meanwhile
   */
  makeRoom(
    market: MarketBook,
    side: Side,
    owner: number,
    leg: PositionLeg,
    lots: number,
    spared = NOTHING_SPARED,
  ): boolean {
    if (!market.perpetual?.find(owner, leg)?.reducingLots(side)) return false;
    for (const slot of this.givingWay(market, side, owner, leg, lots, spared))
      this.#matcher.cancelResting(market, side, slot, NOTHING_TO_CLOSE);
    return true;
  }

  /** Slots of what would be cancelled so that an order may close so many lots, the newest first. */
  givingWay(
    market: MarketBook,
    side: Side,
    owner: number,
    leg: PositionLeg,
    lots: number,
    spared: ReadonlySet<number>,
  ): readonly number[] {
    let excess = lots - (market.perpetual?.closable(owner, side, leg) ?? 0);
    if (excess <= 0) return NONE;
    const slots = this.#reducing(market, side, owner, leg, spared);
    const isNeeded = (slot: number) => {
      const before = excess;
      excess -= this.#lotsOf(slot);
      return before > 0;
    };
    return slots.sort((left, right) => this.#pool.orderId(right) - this.#pool.orderId(left)).filter(isNeeded);
  }

  /** Lots that could give way. */
  reducingLots(market: MarketBook, side: Side, owner: number, leg: PositionLeg, spared = NOTHING_SPARED): number {
    return this.#reducing(market, side, owner, leg, spared).reduce((sum, slot) => sum + this.#lotsOf(slot), 0);
  }

  /** Slots of an owner's orders that only reduce, in no order. */
  #reducing(
    { index, perpetual }: MarketBook,
    side: Side,
    owner: number,
    leg: PositionLeg,
    spared: ReadonlySet<number>,
  ): number[] {
    const pool = this.#pool;
    const slots: number[] = [];
    if (!perpetual?.find(owner, leg)?.reducingLots(side)) return slots;
    for (let slot = this.#accounts.firstOrder(owner); slot !== 0; slot = pool.ownerNext(slot)) {
      const terms = pool.terms(slot);
      if (pool.bookSide(slot) !== ((index << 1) | side) || !isReducing(terms)) continue;
      if (legOf(side, terms) === leg && !spared.has(pool.orderId(slot))) slots.push(slot);
    }
    return slots;
  }

  /** Lots that are not filled, hidden ones included. */
  #lotsOf(slot: number): number {
    return this.#pool.remaining(slot) + this.#pool.hidden(slot);
  }
}
