/**
 * When a position is liquidated, and at which price it has nothing left. Prices are found by searching with the very condition
 * that the engine asks, so what a person is shown and what happens are one.
 *
 * What backs a position is, for an isolated one, its margin; for a cross one, the account's balance with the unrealised profit
 * of its other positions, less what those must keep.
 */
import { formatAmount } from '../money/amount.ts';
import { divCeil } from '../money/rounding.ts';
import { BUY, type Side } from '../terms/order-terms.ts';
import {
  closingFee,
  type Direction,
  highestTicks,
  LONG,
  notionalOf,
  type PerpetualTerms,
  requirement,
} from './perpetual.ts';
import { type Position, unrealised } from './position.ts';

const MILLION = 1_000_000n;

/**
 * Whether a position is liquidated at a mark price: what it has is no more than what it must have, which OKX calls a margin ratio
 * of 100 % or less.
 */
export const isLiquidated = (terms: PerpetualTerms, position: Position, backing: bigint, mark: number): boolean =>
  backing + unrealised(terms, position, mark) <= requirement(terms, notionalOf(terms, mark, position.lots));

const RATIO_DECIMALS = 6;

/**
 * What must be there over what is, as decimals: rounded up, so that it never looks safer than it is. 0 where nothing must be there, and
 * else 1 where nothing is.
 */
export function marginRatio(required: bigint, backing: bigint): string {
  const one = 10n ** BigInt(RATIO_DECIMALS);
  if (required === 0n) return formatAmount(0n, RATIO_DECIMALS);
  return formatAmount(backing <= 0n ? one : divCeil(required * one, backing), RATIO_DECIMALS);
}

/** Whether closing at a price leaves something, or nothing at all, but no debt. */
const isCovered = (terms: PerpetualTerms, position: Position, backing: bigint, ticks: number): boolean =>
  backing + unrealised(terms, position, ticks) >= closingFee(terms, notionalOf(terms, ticks, position.lots));

/** The last number from `low` to `high` for which a condition holds that holds for the first ones alone; `low − 1` if none. */
function lastThat(low: number, high: number, holds: (value: number) => boolean): number {
  let [before, after] = [low - 1, high + 1];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (holds(middle)) before = middle;
    else after = middle;
  }
  return before;
}

/** The owner's other cross position in the same market: in hedge mode the same price moves both, and both are liquidated as one. */
export interface OppositeLeg {
  readonly position: Position;
  /** Ticks, above zero, at which the backing counts it. */
  readonly mark: number;
}

/**
 * The first mark price, in ticks, at which a position is liquidated as the price moves against it: the highest one for a long,
 * the lowest for a short. Undefined where no price does it.
 * @param backing with what an opposite leg has won at its mark, less what that must keep
 */
export function liquidationPrice(
  terms: PerpetualTerms,
  position: Position,
  backing: bigint,
  opposite?: OppositeLeg | undefined,
): number | undefined {
  if (opposite !== undefined) return liquidationPriceOfLegs(terms, position, backing, opposite);
  const highest = highestTicks(terms, position.lots);
  const ends = (mark: number) => isLiquidated(terms, position, backing, mark);
  if (position.direction === LONG) return lastThat(1, highest, ends) || undefined;
  const safe = lastThat(1, highest, (mark) => !ends(mark));
  return safe < highest ? safe + 1 : undefined;
}

/** What two legs have beyond what they must have rises up to some price and falls from there on, so each way is searched by itself. */
function liquidationPriceOfLegs(
  terms: PerpetualTerms,
  position: Position,
  backing: bigint,
  { position: other, mark: now }: OppositeLeg,
): number | undefined {
  const beyond = (one: Position, mark: number) =>
    unrealised(terms, one, mark) - requirement(terms, notionalOf(terms, mark, one.lots));
  const left = backing - beyond(other, now);
  const ends = (mark: number) => left + beyond(other, mark) + beyond(position, mark) <= 0n;
  if (position.direction === LONG) return lastThat(1, now, ends) || undefined;
  const highest = highestTicks(terms, Math.max(position.lots, other.lots));
  const safe = lastThat(now, highest, (mark) => !ends(mark));
  return safe < highest ? safe + 1 : undefined;
}

/**
 * The worst price, in ticks, at which closing a position leaves no debt, its fee included: the lowest for a long, the highest for
 * a short. No order of a liquidation is worse. Undefined where no price leaves none.
 */
export function bankruptcyPrice(terms: PerpetualTerms, position: Position, backing: bigint): number | undefined {
  const highest = highestTicks(terms, position.lots);
  const covers = (ticks: number) => isCovered(terms, position, backing, ticks);
  if (position.direction !== LONG) return lastThat(1, highest, covers) || undefined;
  const short = lastThat(1, highest, (ticks) => !covers(ticks));
  return short < highest ? short + 1 : undefined;
}

/**
 * The price, in ticks, at which an owner has nothing left behind a position as the price moves against it, the fee of closing
 * included: the lowest that leaves no debt for a long, the highest for a short. Undefined where none does, as under a price of zero.
 * Beyond the price of liquidation wherever there are both: other cross positions count at their marks, and an opposite leg moves too.
 * @param backing as of `liquidationPrice`
 */
export function ruinPrice(
  terms: PerpetualTerms,
  position: Position,
  backing: bigint,
  opposite?: OppositeLeg | undefined,
): number | undefined {
  if (opposite !== undefined) return ruinPriceOfLegs(terms, position, backing, opposite);
  const price = bankruptcyPrice(terms, position, backing);
  const last = position.direction === LONG ? 1 : highestTicks(terms, position.lots);
  return price === last ? undefined : price;
}

/** What two legs would leave changes by the difference of their lots alone, so at most one of them has such a price. */
function ruinPriceOfLegs(
  terms: PerpetualTerms,
  position: Position,
  backing: bigint,
  { position: other, mark: now }: OppositeLeg,
): number | undefined {
  const closed = (one: Position, ticks: number) =>
    unrealised(terms, one, ticks) - closingFee(terms, notionalOf(terms, ticks, one.lots));
  const kept = unrealised(terms, other, now) - requirement(terms, notionalOf(terms, now, other.lots));
  const isDebt = (ticks: number) => backing - kept + closed(other, ticks) + closed(position, ticks) < 0n;
  if (position.direction === LONG) {
    const debt = lastThat(1, now, isDebt);
    return debt === 0 ? undefined : debt + 1;
  }
  const highest = highestTicks(terms, Math.max(position.lots, other.lots));
  const safe = lastThat(now, highest, (ticks) => !isDebt(ticks));
  return safe < highest ? safe : undefined;
}

/**
 * The worst price, in ticks, that the insurance pays the way to: the mark, and beyond it what both sides of a trade pay at least. Who
 * is on both sides has paid as much for opening what is closed there, so it brings nothing to offer a worse price to oneself.
 */
export function insuredPrice(direction: Direction, mark: number, makerPpm: number): number {
  const [ticks, beyond] = [BigInt(mark), 2n * BigInt(makerPpm)];
  if (direction === LONG) return Math.max(1, Number(divCeil(ticks * (MILLION - beyond), MILLION)));
  return Number((ticks * (MILLION + beyond)) / MILLION);
}

/**
 * The worst price, in ticks, at which an order may rest: beyond the mark by the margin of the highest leverage. Who trades there loses no
 * more at once than an order reserves, however many of them one trade takes; what more it would lose is asked, but not reserved.
 */
export function restingPrice({ tiers: [lowest] }: Pick<PerpetualTerms, 'tiers'>, side: Side, mark: number): number {
  const beyond = Math.ceil(mark / (lowest?.maximumLeverage ?? 1));
  return side === BUY ? mark + beyond : mark - beyond;
}
