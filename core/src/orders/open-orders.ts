import type { SectionReader, SectionWriter } from '../collections/sections.ts';
import { positionTermsOf, selfTradeOf, termsCode, timeInForceOf, typeOf } from '../events/event-record.ts';
import { InvariantError } from '../invariant.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import { OrderIndex } from '../matching/order-index.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import { BUY, SELL, type Side } from '../terms/order-terms.ts';
import type { MarketBook } from './market-book.ts';
import { OrderColumns, readOrders, type SavedOrders } from './order-columns.ts';
import type { OpenOrder } from './order-state.ts';

/** Every open order: found by id, queued in its book and listed under its owner. */
export class OpenOrders {
  readonly #pool: OrderPool;
  readonly #accounts: AccountTable;
  readonly #index: OrderIndex;
  /** The newest place in a queue that an order has. */
  lastPriority = 0;

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

  /** Adds an order as it was. @throws InvariantError for one that can't have rested */
  restore(market: MarketBook, order: OpenOrder): void {
    const { orderId, side, price, quantity, remaining, visible, hidden, priority } = order;
    const shown = remaining - hidden;
    const sane = shown > 0 && remaining <= quantity && price > 0 && price <= market.maximumTicks;
    if (!sane || market.book.crosses(side, price) || this.find(orderId) !== 0) {
      throw new InvariantError('a restored order rests', { orderId, market: order.market, side, price, remaining });
    }
    const owner = this.#accounts.owner(order.owner);
    const paying = market.settlement.payingAccount(owner, side);
    const terms = termsCode(
      order.type,
      order.timeInForce,
      order.selfTrade,
      order.reduceOnly,
      order.positionSide !== undefined,
    );
    const slot = this.add(market, side, orderId, owner, paying, price, quantity, shown, priority, terms);
    this.#pool.setFigures(slot, order.createdAt, BigInt64Array.of(order.filledValue, order.fee, order.credit));
    if (visible > 0) this.hide(slot, visible, hidden);
    market.settlement.measure(side, price, remaining, owner, terms);
    market.settlement.restored();
  }

  /** Hides lots of an order that was just added with those that it shows. */
  hide(slot: number, visible: number, hidden: number): void {
    this.#pool.setIceberg(slot, visible, hidden);
  }

  /** Puts the next part of an iceberg, whose last one is gone, at the end of the queue of its price. */
  showNext(market: MarketBook, side: Side, slot: number): void {
    const pool = this.#pool;
    const hidden = pool.hidden(slot);
    const shown = Math.min(pool.visible(slot), hidden);
    market.book.remove(side, slot);
    this.lastPriority += 1;
    pool.setIdentity(slot, pool.orderId(slot), this.lastPriority);
    pool.setRemaining(slot, shown);
    pool.setHidden(slot, hidden - shown);
    market.book.insert(side, slot);
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

  /** Writes the orders of all books, best price first and then oldest first; figures of those alone that have traded. */
  save(to: SectionWriter, markets: readonly MarketBook[]): void {
    const columns = new OrderColumns(this.#pool, this.#accounts);
    const counts = new Int32Array(markets.length * 2);
    for (const { book, index } of markets) {
      for (const side of [BUY, SELL] as const) {
        const before = columns.size;
        for (let price = book.best(side); price !== 0; price = book.worse(side, price)) {
          let slot = book.ladder.head(book.ladder.find(price));
          for (; slot !== 0; slot = this.#pool.next(slot)) columns.add(slot);
        }
        counts[index * 2 + side] = columns.size - before;
      }
    }
    to.section('orders', 1);
    to.column(counts);
    columns.save(to);
  }

  /** Reads into empty books what `save` wrote. */
  load(from: SectionReader, markets: readonly MarketBook[]): void {
    from.section('orders', 1);
    const counts = from.column(Int32Array);
    const orders = readOrders(from);
    this.#pool.reserve(orders.id.length);
    this.#index.reserve(orders.id.length);
    let at = 0;
    for (const market of markets) {
      for (const side of [BUY, SELL] as const) {
        for (const end = at + counts[market.index * 2 + side]!; at < end; at += 1) this.#put(market, side, orders, at);
      }
    }
  }

  /** Written where there are icebergs, after all that was written before there were any. */
  saveIcebergs(to: SectionWriter, markets: readonly MarketBook[]): void {
    const pool = this.#pool;
    if (pool.icebergs === 0) return;
    const rows: number[] = [];
    for (const { book } of markets) {
      for (const side of [BUY, SELL] as const) {
        for (let price = book.best(side); price !== 0; price = book.worse(side, price)) {
          let slot = book.ladder.head(book.ladder.find(price));
          for (; slot !== 0; slot = pool.next(slot)) {
            if (pool.visible(slot) > 0) rows.push(pool.orderId(slot), pool.visible(slot), pool.hidden(slot));
          }
        }
      }
    }
    to.section('icebergs', 1);
    to.column(Float64Array.from(rows));
  }

  loadIcebergs(from: SectionReader, markets: readonly MarketBook[]): void {
    if (!from.begins('icebergs')) return;
    from.section('icebergs', 1);
    const pool = this.#pool;
    const rows = from.column(Float64Array);
    for (let at = 0; at < rows.length; at += 3) {
      const slot = this.find(rows[at]!);
      const hidden = rows[at + 2]!;
      this.hide(slot, rows[at + 1]!, hidden);
      const { settlement } = markets[pool.bookSide(slot) >> 1]!;
      settlement.measure(
        (pool.bookSide(slot) & 1) as Side,
        pool.price(slot),
        hidden,
        pool.owner(slot),
        pool.terms(slot),
      );
      settlement.restored();
    }
  }

  #put(market: MarketBook, side: Side, orders: SavedOrders, at: number): void {
    const owner = this.#accounts.owner(orders.owner[at]!);
    const paying = market.settlement.payingAccount(owner, side);
    const [price, quantity, remaining] = [orders.price[at]!, orders.quantity[at]!, orders.remaining[at]!];
    const [priority, terms] = [orders.priority[at]!, orders.terms[at]!];
    const id = orders.id[at]!;
    const slot = this.add(market, side, id, owner, paying, price, quantity, remaining, priority, terms);
    this.#pool.setFigures(slot, orders.createdAt[at]!, orders.figuresOf(at));
    market.settlement.measure(side, price, remaining, owner, terms);
    market.settlement.restored();
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
      remaining: pool.remaining(slot) + pool.hidden(slot),
      priority: pool.priority(slot),
      filledValue: pool.filledValue(slot),
      fee: pool.fee(slot),
      credit: pool.credit(slot),
      createdAt: pool.createdAt(slot),
      visible: pool.visible(slot),
      hidden: pool.hidden(slot),
      ...positionTermsOf((bookSide & 1) as Side, terms),
    };
  }
}
