/** The TWAPs that are open: found by id and by owner, counted by market, and in the order in which slices are due. */
import { SortedList } from '../../collections/sorted-list.ts';
import type { StateHasher } from '../../collections/state-hash.ts';
import type { TwapOrder } from './twap.ts';

const SELF_TRADES = ['CANCEL_NEWEST', 'CANCEL_OLDEST', 'CANCEL_BOTH', 'DECREMENT'];

/** What is due first comes last, from where a sorted list gives it away for nothing. */
const dueLast = (left: TwapOrder, right: TwapOrder) => right.nextAt - left.nextAt || right.orderId - left.orderId;

/** The next slice is due an interval after the last one, or sooner. */
const lastAt = ({ nextAt, intervalMs }: TwapOrder) => nextAt - intervalMs;

/** An exchange without TWAPs pays nothing for them. */
export class Twaps {
  readonly #byId = new Map<number, TwapOrder>();
  readonly #byOwner = new Map<number, Set<number>>();
  readonly #byMarket = new Map<number, number>();
  readonly #due = new SortedList<TwapOrder>(dueLast);
  /** No slice was placed later than this. */
  #newestAt = 0;

  get size(): number {
    return this.#byId.size;
  }

  /** When the next slice is due, ms; undefined while there is no TWAP. */
  get nextAt(): number | undefined {
    return this.#due.last?.nextAt;
  }

  find(orderId: number): TwapOrder | undefined {
    return this.#byId.get(orderId);
  }

  /** Ascending by order id, of one market or of all. */
  of(owner: number, market?: number): TwapOrder[] {
    const ids = [...(this.#byOwner.get(owner) ?? [])].sort((left, right) => left - right);
    const own = ids.map((id) => this.#byId.get(id)!);
    return market === undefined ? own : own.filter((order) => order.market === market);
  }

  countOf(owner: number, market: number): number {
    return this.#byOwner.has(owner) ? this.of(owner, market).length : 0;
  }

  countIn(market: number): number {
    return this.#byMarket.get(market) ?? 0;
  }

  /** Those that are due at a time, the earliest first, at most so many. */
  due(time: number, maximum: number): TwapOrder[] {
    const due: TwapOrder[] = [];
    while (due.length < maximum && (this.nextAt ?? Number.POSITIVE_INFINITY) <= time) due.push(this.#due.pop()!);
    for (const order of due) this.#due.add(order);
    return due;
  }

  /** Those whose next slice is due later than an interval from a time, ascending by order id: a clock that was ahead left them behind. */
  ahead(time: number): TwapOrder[] {
    if (this.#newestAt <= time) return [];
    this.#newestAt = time;
    return this.all().filter((order) => lastAt(order) > time);
  }

  /** Adds an order, or puts it in place of what it was. */
  put(order: TwapOrder): void {
    this.remove(order.orderId);
    this.#byId.set(order.orderId, order);
    this.#byOwner.set(order.owner, (this.#byOwner.get(order.owner) ?? new Set()).add(order.orderId));
    this.#byMarket.set(order.market, this.countIn(order.market) + 1);
    this.#due.add(order);
    this.#newestAt = Math.max(this.#newestAt, lastAt(order));
  }

  remove(orderId: number): void {
    const order = this.#byId.get(orderId);
    if (order === undefined) return;
    this.#byId.delete(orderId);
    const own = this.#byOwner.get(order.owner)!;
    own.delete(orderId);
    if (own.size === 0) this.#byOwner.delete(order.owner);
    this.#byMarket.set(order.market, this.countIn(order.market) - 1);
    this.#due.remove(order);
  }

  /** Ascending by order id. */
  all(): TwapOrder[] {
    return [...this.#byId.values()].sort((left, right) => left.orderId - right.orderId);
  }
}

/** What it says of positions, as a number above 0. */
const positionCode = ({ reduceOnly, positionSide }: TwapOrder): number =>
  (reduceOnly ? 1 : 0) + (positionSide === undefined ? 0 : positionSide === 'long' ? 2 : 4);

/** Folds TWAPs into the hash of a state; a state without any has the hash that it had before there were TWAPs. */
export function hashTwaps(hasher: StateHasher, orders: readonly TwapOrder[]): void {
  for (const order of orders) {
    const { orderId, owner, market, side, price, quantity, remaining, createdAt } = order;
    const { intervalMs, slices, done, nextAt, endsAt } = order;
    const facts = [orderId, owner, market, side, price, quantity, remaining, createdAt];
    const schedule = [SELF_TRADES.indexOf(order.selfTrade), intervalMs, slices, done, nextAt, endsAt];
    for (const value of [...facts, ...schedule]) hasher.number(value);
    if (order.reduceOnly || order.positionSide) hasher.number(positionCode(order));
    for (const amount of [order.filledValue, order.fee, order.credit]) hasher.amount(amount);
  }
}
