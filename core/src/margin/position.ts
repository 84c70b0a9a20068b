/**
 * A position: how many lots, and what they have cost. The cost is exact and the average price follows from it, so that over the
 * life of a position its realised profit is, to the unit, what its trades have brought less what they have cost.
 */
import { invariant } from '../invariant.ts';
import { divCeil, divFloor, divNearest } from '../money/rounding.ts';
import { type Direction, LONG, notionalOf, type PerpetualTerms } from './perpetual.ts';

export interface Position {
  readonly direction: Direction;
  /** Above zero. */
  readonly lots: number;
  /** What the open lots were opened for, in settlement units. */
  readonly cost: bigint;
}

/** Pure. @param position none where there was none; otherwise of the same direction */
export function increase(
  terms: PerpetualTerms,
  position: Position | undefined,
  direction: Direction,
  ticks: number,
  lots: number,
): Position {
  invariant(position === undefined || position.direction === direction, 'a position grows in its own direction');
  return {
    direction,
    lots: (position?.lots ?? 0) + lots,
    cost: (position?.cost ?? 0n) + notionalOf(terms, ticks, lots),
  };
}

export interface Reduced {
  /** None where all was closed. */
  readonly left: Position | undefined;
  /** Settlement units; below zero for a loss. Fees are apart. */
  readonly realised: bigint;
}

/**
 * Closes lots at a price. Their part of the cost is rounded against the owner, who gets what was rounded back with the last lot:
 * no sequence of partial closes brings more than one close.
 */
export function reduce(terms: PerpetualTerms, position: Position, ticks: number, lots: number): Reduced {
  invariant(lots <= position.lots, 'no more is closed than there is', { lots, of: position.lots });
  const { direction, cost } = position;
  const share = cost * BigInt(lots);
  const of = BigInt(position.lots);
  const closed = direction === LONG ? divCeil(share, of) : divFloor(share, of);
  const realised = BigInt(direction) * (notionalOf(terms, ticks, lots) - closed);
  const rest = position.lots - lots;
  return { left: rest === 0 ? undefined : { direction, lots: rest, cost: cost - closed }, realised };
}

/** What closing at a price would bring, in settlement units; below zero for a loss. */
export const unrealised = (terms: PerpetualTerms, { direction, lots, cost }: Position, ticks: number): bigint =>
  BigInt(direction) * (notionalOf(terms, ticks, lots) - cost);

/** The average price at which the open lots were opened, in ticks × 10^`decimals`, rounded to the nearest. */
export function averageEntry(terms: PerpetualTerms, { lots, cost }: Position, decimals: number): bigint {
  const divisor = BigInt(lots) * terms.unitsPerTickLot;
  return divNearest(cost * 10n ** BigInt(decimals), divisor);
}
