import { selfTradeOf, timeInForceOf, typeOf } from '../events/event-record.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import { OrderIndex } from '../matching/order-index.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import type { Side } from '../terms/order-terms.ts';
import type { MarketBook } from './market-book.ts';
import type { OpenOrder } from './order-state.ts';

/** Every open order: found by id, queued in its book and listed under its owner. */
export class OpenOrders {
  readonly #pool: OrderPool;
  readonly #accounts: AccountTable;
  readonly #index: OrderIndex;

  constructor(pool: OrderPool, accounts: AccountTable) {
    this.#pool = pool;
    this.#accounts = accounts;
    this.#index = new OrderIndex(pool);
  }

  /** The slot of an order; 0 when it is not open. */
  find(orderId: number): number {
    return this.#index.find(orderId);
  }

  /**
   * Adds an order at the end of the queue of its price and returns its slot. `paying` is an available account, `terms`
   * are codes of event records; its figures are set by the caller.
   */
  add(
    market: MarketBook,
    side: Side,
    orderId: number,
    owner: number,
    paying: number,
    price: number,
    quantity: number,
    remaining: number,
    priority: number,
    terms: number,
  ): number {
    const pool = this.#pool;
    const slot = pool.take();
    pool.setIdentity(slot, orderId, priority);
    pool.setTerms(slot, price, quantity, remaining);
    pool.setTermsCode(slot, terms);
    pool.setParties(slot, (market.index << 1) | side, owner, paying);
    pool.linkOwner(slot, this.#accounts.firstOrder(owner));
    this.#accounts.listOrders(owner, slot, 1);
    this.#index.add(orderId, slot);
    market.book.insert(side, slot);
    return slot;
  }

  /** Takes an order out of everything and frees its slot. */
  remove(market: MarketBook, side: Side, slot: number): void {
    const pool = this.#pool;
    const owner = pool.owner(slot);
    market.book.remove(side, slot);
    this.#index.remove(pool.orderId(slot), slot);
    this.#accounts.listOrders(owner, pool.unlinkOwner(slot, this.#accounts.firstOrder(owner)), -1);
    pool.free(slot);
  }

  /** A slot as a plain record. */
  describe(markets: readonly MarketBook[], slot: number): OpenOrder {
    const pool = this.#pool;
    const bookSide = pool.bookSide(slot);
    const terms = pool.terms(slot);
    return {
      orderId: pool.orderId(slot),
      owner: this.#accounts.ownerNumber(pool.owner(slot)),
      market: markets[bookSide >> 1]!.spec.id,
      side: (bookSide & 1) as Side,
      type: typeOf(terms),
      timeInForce: timeInForceOf(terms),
      selfTrade: selfTradeOf(terms),
      price: pool.price(slot),
      quantity: pool.quantity(slot),
      remaining: pool.remaining(slot),
      priority: pool.priority(slot),
      filledValue: pool.filledValue(slot),
      fee: pool.fee(slot),
      credit: pool.credit(slot),
      createdAt: pool.createdAt(slot),
    };
  }
}
