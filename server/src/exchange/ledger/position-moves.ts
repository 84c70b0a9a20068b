/** What positions of perpetuals move, as rows of the ledger: a trade of a perpetual has no postings of its own. */
import type { ObjectEvent } from '@cambist/core/events/event.ts';
import type { Posting } from '@cambist/core/ledger/account.ts';
import type { PositionChanged } from '@cambist/core/margin/event.ts';

/**
 * `position-trade` is what closing or opening lots has brought and cost, by an order, a liquidation or against another position;
 * `position-margin` what was added to a margin or taken out; `loss-covered` what the insurance paid.
 */
export const POSITION_REASONS = ['position-trade', 'position-margin', 'loss-covered'] as const;
export type PositionReason = (typeof POSITION_REASONS)[number];

export interface PositionMoves {
  readonly reason: PositionReason;
  /** The market; of a loss the owner. */
  readonly reference: number;
  readonly moves: readonly Posting[];
}

const reasonOf = ({ realised, fee, moves }: PositionChanged): PositionReason => {
  if (realised !== 0n || fee !== 0n) return 'position-trade';
  return moves.length === 2 ? 'position-margin' : 'position-trade';
};

/** @returns undefined for an event of another kind, and for one that moved nothing */
export function positionMovesOf(event: ObjectEvent): PositionMoves | undefined {
  if (event.kind === 'loss-covered') return { reason: 'loss-covered', reference: event.owner, moves: event.moves };
  if (event.kind !== 'position-changed' || event.moves.length === 0) return undefined;
  return { reason: reasonOf(event), reference: event.market, moves: event.moves };
}
