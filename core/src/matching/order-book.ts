import { InvariantError } from '../invariant.ts';
import { BUY, type Side } from '../terms/order-terms.ts';
import type { OrderPool } from './order-pool.ts';
import { PriceLadder } from './price-ladder.ts';

// A constant of this module is folded into the compiled code; an imported one is loaded at every use.
const BUYS: Side = BUY;

/**
 * One market's resting orders in price-time priority. It queues and unqueues slots of the shared pool; what orders
 * cost and who owns them is not its business.
 */
export class OrderBook {
  readonly ladder = new PriceLadder();
  readonly #pool: OrderPool;
  /** Best prices in ticks; 0 when the side is empty. */
  bestBid = 0;
  bestAsk = 0;

  constructor(pool: OrderPool) {
    this.#pool = pool;
  }

  best(side: Side): number {
    return side === BUYS ? this.bestBid : this.bestAsk;
  }

  /** The next price with orders of a side after `price`, going away from the touch; 0 when there is none. */
  worse(side: Side, price: number): number {
    return side === BUYS ? this.ladder.below(price) : this.ladder.above(price);
  }

  /** Whether an order of `side` at `price` would trade at once. */
  crosses(side: Side, price: number): boolean {
    return side === BUYS ? this.bestAsk !== 0 && price >= this.bestAsk : price <= this.bestBid;
  }

  /** The level of a price if it has orders of that side, else 0. */
  levelOf(side: Side, price: number): number {
    const level = this.ladder.find(price);
    if (level === 0 || this.ladder.orders(level) === 0) return 0;
    return (side === BUYS) === price <= this.bestBid ? level : 0;
  }

  /** Puts a slot, its terms and priority set, at the end of the queue of its price. It must not cross. */
  insert(side: Side, slot: number): void {
    const pool = this.#pool;
    const price = pool.price(slot);
    const level = this.ladder.open(price);
    const last = this.ladder.tail(level);
    // The level knows the last priority, because looking at the order before would wait for its cache line.
    if (!this.ladder.arrive(level, pool.priority(slot))) {
      throw new InvariantError('a queue is in order of arrival', { price });
    }
    if (last === 0) this.ladder.setHead(level, slot);
    pool.setNext(last, slot);
    this.ladder.setTail(level, slot);
    pool.setNext(slot, 0);
    pool.setPrevious(slot, last);
    pool.setLevel(slot, level);
    this.ladder.count(level, 1, pool.remaining(slot));
    if (side === BUYS) {
      if (price > this.bestBid) this.bestBid = price;
    } else if (price < this.bestAsk || this.bestAsk === 0) {
      this.bestAsk = price;
    }
  }

  /** Takes a slot out of its queue. */
  remove(side: Side, slot: number): void {
    const pool = this.#pool;
    const level = pool.level(slot);
    const next = pool.next(slot);
    const previous = pool.previous(slot);
    if (previous === 0) this.ladder.setHead(level, next);
    if (next === 0) this.ladder.setTail(level, previous);
    pool.setNext(previous, next);
    pool.setPrevious(next, previous);
    if (this.ladder.count(level, -1, -pool.remaining(slot)) === 0) this.#close(side, level, pool.price(slot));
  }

  /** Takes lots off an order that keeps its place. */
  reduce(slot: number, lots: number): void {
    const remaining = this.#pool.remaining(slot) - lots;
    this.#pool.setRemaining(slot, remaining);
    this.ladder.addLots(this.#pool.level(slot), -lots);
  }

  #close(side: Side, level: number, price: number): void {
    this.ladder.close(level);
    if (side === BUYS) {
      if (price === this.bestBid) this.bestBid = this.ladder.below(price);
    } else if (price === this.bestAsk) {
      this.bestAsk = this.ladder.above(price);
    }
  }
}
