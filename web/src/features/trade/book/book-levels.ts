/** What the book panel draws: levels gathered by step, nearest first, with running totals. */
import { formatExact } from '../../../lib/format.ts';
import type { BookRow, BookView } from '../../../lib/order-book/book-state.ts';

export interface Level {
  readonly ticks: number;
  readonly lots: number;
  /** Lots from the best price to here. */
  readonly cumulative: number;
  /** This level's share of the shown side, 0 to 100. */
  readonly percent: number;
}

/** Where a price falls when levels are gathered: asks round up and bids down, so that none promises too much. */
export function groupOf(ticks: number, step: number, asks: boolean): number {
  return (asks ? Math.ceil(ticks / step) : Math.floor(ticks / step)) * step;
}

/** The first `count` levels of a sorted side. */
export function levelsOf(side: readonly BookRow[], step: number, asks: boolean, count: number): Level[] {
  const gathered: [number, number][] = [];
  for (const [ticks, lots] of side) {
    const group = groupOf(ticks, step, asks);
    const last = gathered.at(-1);
    if (last?.[0] === group) last[1] += lots;
    else if (gathered.length === count) break;
    else gathered.push([group, lots]);
  }
  const total = gathered.reduce((sum, [, lots]) => sum + lots, 0);
  let cumulative = 0;
  return gathered.map(([ticks, lots]) => {
    cumulative += lots;
    return { ticks, lots, cumulative, percent: (lots / total) * 100 };
  });
}

export interface Sum {
  readonly lots: number;
  /** Ticks × lots, at the prices of the book and not of gathered levels. Beyond safe integers. */
  readonly value: bigint;
}

/** What an order that takes everything up to a gathered level would trade. */
export function sumTo(side: readonly BookRow[], step: number, asks: boolean, last: number): Sum {
  let lots = 0;
  let value = 0n;
  for (const [ticks, size] of side) {
    const group = groupOf(ticks, step, asks);
    if (asks ? group > last : group < last) break;
    lots += size;
    value += BigInt(ticks) * BigInt(size);
  }
  return { lots, value };
}

export interface ShownLevels {
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
}

let latest: { readonly book: BookView; step: number; count: number; shown: ShownLevels } | undefined;

/**
 * Both sides as deep as they are shown; undefined while there is no book. Gathered once for a book and its shape: each side
 * and the line below ask for the same in turn.
 */
export function shownLevels(book: BookView | undefined, step: number, count: number): ShownLevels | undefined {
  if (!book) return undefined;
  if (latest?.book === book && latest.step === step && latest.count === count) return latest.shown;
  const shown = { asks: levelsOf(book.asks, step, true, count), bids: levelsOf(book.bids, step, false, count) };
  latest = { book, step, count, shown };
  return shown;
}

/** The deepest running total of both sides, 1 at least. */
export function deepestOf({ asks, bids }: ShownLevels): number {
  return Math.max(1, asks.at(-1)?.cumulative ?? 0, bids.at(-1)?.cumulative ?? 0);
}

export interface Spread {
  readonly ticks: number;
  /** Of the middle price. */
  readonly percent: number;
}

export function spreadOf({ asks, bids }: BookView): Spread | undefined {
  const [ask] = asks[0] ?? [];
  const [bid] = bids[0] ?? [];
  if (ask === undefined || bid === undefined) return undefined;
  return { ticks: ask - bid, percent: ((ask - bid) / ((ask + bid) / 2)) * 100 };
}

/** The bids' share of everything within the shown levels, 0 to 100; undefined for an empty book. */
export function imbalanceOf({ asks, bids }: ShownLevels): number | undefined {
  const [selling, buying] = [asks.at(-1)?.cumulative ?? 0, bids.at(-1)?.cumulative ?? 0];
  return selling + buying === 0 ? undefined : (buying / (selling + buying)) * 100;
}

export const stepText = (step: number, scale: number) => formatExact({ units: BigInt(step), scale });

/** Steps on offer: the tick and its multiples by ten, while they are small beside the price. */
export function stepsFor(lastTicks: number): number[] {
  const steps = [1];
  while (steps.length < 5 && (steps.at(-1) ?? 1) * 10 <= lastTicks / 200) steps.push((steps.at(-1) ?? 1) * 10);
  return steps;
}
