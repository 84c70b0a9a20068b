/** Open orders as the columns of a snapshot. */
import type { SectionReader, SectionWriter } from '../collections/sections.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import type { OrderPool } from '../matching/order-pool.ts';

/** By index, in the order in which they were added. */
export interface SavedOrders {
  readonly id: Float64Array;
  readonly priority: Float64Array;
  readonly createdAt: Float64Array;
  readonly owner: Int32Array;
  readonly price: Int32Array;
  readonly quantity: Int32Array;
  readonly remaining: Int32Array;
  readonly terms: Int32Array;
  /** Filled value, fee and credit. Ask for each order once, ascending; good until the next is asked for. */
  figuresOf(index: number): BigInt64Array;
}

/** Filled value, fee and credit. */
const FIGURES = 3;
const NO_FIGURES = new BigInt64Array(FIGURES);

/** Takes as many orders as the pool has. */
export class OrderColumns {
  readonly #pool: OrderPool;
  readonly #accounts: AccountTable;
  readonly #doubles: readonly [Float64Array, Float64Array, Float64Array];
  readonly #words: readonly [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array];
  /** Indexes of the orders that have traded, and their figures. */
  readonly #traded: number[] = [];
  readonly #figures: bigint[] = [];
  size = 0;

  constructor(pool: OrderPool, accounts: AccountTable) {
    this.#pool = pool;
    this.#accounts = accounts;
    const doubles = () => new Float64Array(pool.count);
    const words = () => new Int32Array(pool.count);
    this.#doubles = [doubles(), doubles(), doubles()];
    this.#words = [words(), words(), words(), words(), words()];
  }

  add(slot: number): void {
    const pool = this.#pool;
    const at = this.size;
    this.size += 1;
    const [id, priority, createdAt] = this.#doubles;
    id[at] = pool.orderId(slot);
    priority[at] = pool.priority(slot);
    createdAt[at] = pool.createdAt(slot);
    const [owner, price, quantity, remaining, terms] = this.#words;
    owner[at] = this.#accounts.ownerNumber(pool.owner(slot));
    price[at] = pool.price(slot);
    quantity[at] = pool.quantity(slot);
    remaining[at] = pool.remaining(slot);
    terms[at] = pool.terms(slot);
    if (!pool.hasFigures(slot)) return;
    this.#traded.push(at);
    this.#figures.push(pool.filledValue(slot), pool.fee(slot), pool.credit(slot));
  }

  save(to: SectionWriter): void {
    for (const column of [...this.#doubles, ...this.#words]) to.column(column);
    to.column(Int32Array.from(this.#traded));
    to.column(BigInt64Array.from(this.#figures));
  }
}

export function readOrders(from: SectionReader): SavedOrders {
  const doubles = () => from.column(Float64Array);
  const words = () => from.column(Int32Array);
  const [id, priority, createdAt] = [doubles(), doubles(), doubles()];
  const [owner, price, quantity, remaining, terms] = [words(), words(), words(), words(), words()];
  const traded = words();
  const figures = from.column(BigInt64Array);
  let next = 0;
  return {
    ...{ id, priority, createdAt, owner, price, quantity, remaining, terms },
    figuresOf(index) {
      if (traded[next] !== index) return NO_FIGURES;
      next += 1;
      return figures.subarray((next - 1) * FIGURES, next * FIGURES);
    },
  };
}
