/**
 * Icebergs: limit orders of which the book has a part at a time. When the part has traded, the next one goes to the end
 * of the queue of its price, as an order that arrives then would. Holds, fees and fills are those of the whole order.
 */
import type { OrderBook } from '../matching/order-book.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import type { MarketBook } from './market-book.ts';

/** Parts that an iceberg may have, so that the work of an order that trades with it stays bounded. */
export const MAXIMUM_PARTS = 100;

/** Whether an iceberg may show so many of its lots: a whole order of the pair in itself, and not all of them. */
export function isVisible(market: MarketBook, price: number, quantity: number, visible: number): boolean {
  const isOrder = market.limitProblem(price, visible) === undefined;
  return isOrder && visible < quantity && visible * MAXIMUM_PARTS >= quantity;
}

/** A resting order on its way through a dry run. */
interface Part {
  readonly isOwn: boolean;
  readonly visible: number;
  shown: number;
  hidden: number;
}

/** What a dry run takes from the orders that it meets, one after another. */
export interface DryRun {
  /** Owner index. */
  readonly owner: number;
  /** @returns the lots that are taken of those at a price, 0 for an order that gives way; undefined ends the run */
  take(price: number, lots: number, isOwn: boolean): number | undefined;
}

/**
 * The orders that an arriving order would meet at one price, in the order in which it would: the parts of an iceberg
 * come again behind those that were there. @returns whether the run goes on
 */
export function meetLevel(pool: OrderPool, book: OrderBook, price: number, run: DryRun): boolean {
  const queue: Part[] = [];
  for (let slot = book.ladder.head(book.ladder.find(price)); slot !== 0; slot = pool.next(slot)) {
    const [shown, hidden] = [pool.remaining(slot), pool.hidden(slot)];
    queue.push({ isOwn: pool.owner(slot) === run.owner, visible: pool.visible(slot), shown, hidden });
  }
  // The queue grows while it is walked through, by at most the parts that its icebergs have.
  for (let index = 0; index < queue.length; index += 1) {
    const part = queue[index]!;
    const taken = run.take(price, part.shown, part.isOwn);
    if (taken === undefined) return false;
    if (taken < part.shown || part.hidden === 0) continue;
    const shown = Math.min(part.visible, part.hidden);
    queue.push({ ...part, shown, hidden: part.hidden - shown });
  }
  return true;
}
