import { IntegerMap } from '../collections/integer-map.ts';
import type { OrderPool } from './order-pool.ts';

/** The newest 65,536 ids have a place of their own. */
const WINDOW = 1 << 16;
const MASK = WINDOW - 1;

/**
 * Order id → slot. Ids ascend, and most orders that are looked for are young: so an id's low bits are its place in a
 * ring, written in sequence, and the slot itself says whose it is. An order that is still open when its place is needed
 * again moves to a map.
 */
export class OrderIndex {
  readonly #pool: OrderPool;
  readonly #ring = new Int32Array(WINDOW);
  readonly #older = new IntegerMap();

  constructor(pool: OrderPool) {
    this.#pool = pool;
  }

  /** The slot of an open order; 0 when there is none of that id. */
  find(orderId: number): number {
    const slot = this.#ring[orderId & MASK]!;
    if (slot !== 0 && this.#pool.orderId(slot) === orderId) return slot;
    return this.#older.get(orderId);
  }

  /** Adds a slot whose id is set and not there yet. */
  add(orderId: number, slot: number): void {
    const before = this.#ring[orderId & MASK]!;
    if (before !== 0) this.#older.add(this.#pool.orderId(before), before);
    this.#ring[orderId & MASK] = slot | 0;
  }

  /** Makes room for so many orders at once. */
  reserve(orders: number): void {
    this.#older.reserve(orders);
  }

  /** Forgets an id that is there. */
  remove(orderId: number, slot: number): void {
    if (this.#ring[orderId & MASK] === slot) this.#ring[orderId & MASK] = 0;
    else this.#older.remove(orderId);
  }
}
