/** What a market order would meet in the book of this moment. */
import { divFloor } from '@cambist/core/money/rounding.ts';
import { type Decimal, rescale } from '../decimal.ts';
import type { BookRow } from './book-state.ts';

export interface Impact {
  /** Average over what is filled, at four decimals more than the tick. */
  readonly average: Decimal;
  /** The last level that is reached. */
  readonly worst: Decimal;
  /** How far the average is from the best price, in percent; for warning, not for money. */
  readonly slippagePercent: number;
  /** Whether the known book is deep enough. */
  readonly complete: boolean;
}

export interface ImpactSize {
  /** Base coin, or quote coin when `byTotal`. */
  readonly size: Decimal;
  readonly byTotal: boolean;
}

interface Scales {
  readonly priceScale: number;
  readonly quantityScale: number;
}

const EXTRA_DIGITS = 4;

/** Lots that are taken of one level, and how much is then still wanted (lots, or tick-lots when by total). */
function take([ticks, lots]: BookRow, wanted: bigint, byTotal: boolean): [taken: bigint, left: bigint] {
  const price = BigInt(ticks);
  const reachable = byTotal ? wanted / price : wanted;
  const taken = reachable < BigInt(lots) ? reachable : BigInt(lots);
  return [taken, wanted - (byTotal ? taken * price : taken)];
}

/** Walks the side that the order would meet, best price first. Undefined when nothing would be filled. */
export function impactOf(side: readonly BookRow[], { size, byTotal }: ImpactSize, scales: Scales): Impact | undefined {
  const scale = byTotal ? scales.priceScale + scales.quantityScale : scales.quantityScale;
  let wanted = rescale(size, scale, 'floor').units;
  let filled = 0n;
  let spent = 0n;
  let worst = 0;
  let complete = false;
  for (const row of side) {
    const [taken, left] = take(row, wanted, byTotal);
    if (taken > 0n) worst = row[0];
    filled += taken;
    spent += taken * BigInt(row[0]);
    wanted = left;
    // By total, what is left over cannot buy one more lot.
    complete = taken < BigInt(row[1]) || wanted === 0n;
    if (complete) break;
  }
  const [best] = side[0] ?? [];
  if (filled === 0n || best === undefined) return undefined;
  const units = divFloor(spent * 10n ** BigInt(EXTRA_DIGITS), filled);
  const average = { units, scale: scales.priceScale + EXTRA_DIGITS };
  const ticks = Number(average.units) / 10 ** EXTRA_DIGITS;
  return {
    average,
    worst: { units: BigInt(worst), scale: scales.priceScale },
    slippagePercent: (Math.abs(ticks - best) / best) * 100,
    complete,
  };
}
