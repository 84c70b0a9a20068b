/** What the book panel draws: levels gathered by step, nearest first, with running totals. */
import type { BookState } from './book-state.ts';

export interface Level {
  readonly ticks: number;
  readonly lots: number;
  /** Lots from the best price to here. */
  readonly cumulative: number;
  /** This level's share of the shown side, 0 to 100. */
  readonly percent: number;
}

/** Asks round up and bids down, so that a gathered level never promises a better price than it has. */
function gather(side: ReadonlyMap<number, number>, step: number, up: boolean): Map<number, number> {
  const gathered = new Map<number, number>();
  for (const [ticks, lots] of side) {
    const group = (up ? Math.ceil(ticks / step) : Math.floor(ticks / step)) * step;
    gathered.set(group, (gathered.get(group) ?? 0) + lots);
  }
  return gathered;
}

export function levelsOf(side: ReadonlyMap<number, number>, step: number, asks: boolean, count: number): Level[] {
  const sorted = [...gather(side, step, asks)].sort(([a], [b]) => (asks ? a - b : b - a)).slice(0, count);
  const total = sorted.reduce((sum, [, lots]) => sum + lots, 0);
  let cumulative = 0;
  return sorted.map(([ticks, lots]) => {
    cumulative += lots;
    return { ticks, lots, cumulative, percent: (lots / total) * 100 };
  });
}

export interface Spread {
  readonly ticks: number;
  /** Of the middle price. */
  readonly percent: number;
}

export function spreadOf(book: BookState): Spread | undefined {
  if (book.asks.size === 0 || book.bids.size === 0) return undefined;
  const ask = Math.min(...book.asks.keys());
  const bid = Math.max(...book.bids.keys());
  return { ticks: ask - bid, percent: ((ask - bid) / ((ask + bid) / 2)) * 100 };
}

/** Steps on offer: the tick and its multiples by ten, while they are small beside the price. */
export function stepsFor(lastTicks: number): number[] {
  const steps = [1];
  while (steps.length < 5 && (steps.at(-1) ?? 1) * 10 <= lastTicks / 200) steps.push((steps.at(-1) ?? 1) * 10);
  return steps;
}
