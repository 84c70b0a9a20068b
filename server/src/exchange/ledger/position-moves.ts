/** What positions of perpetuals move, as rows of the ledger: a trade of a perpetual has no postings of its own. */
import type { ObjectEvent } from '@cambist/core/events/event.ts';
import type { Posting } from '@cambist/core/ledger/account.ts';
import type { PositionCause } from '@cambist/core/margin/event.ts';

/** By what a position was changed, or that the insurance paid what its owner could not. */
export type PositionReason = `position-${Exclude<PositionCause, 'mode'>}` | 'loss-covered';

export interface PositionMoves {
  readonly reason: PositionReason;
  /** The market; of a loss that was covered the owner, as it is of no one market. */
  readonly reference: number;
  readonly moves: readonly Posting[];
}

/** A text for each cause, as one put together for each change would cost more than its row. */
const REASONS: Readonly<Record<Exclude<PositionCause, 'mode'>, PositionReason>> = {
  trade: 'position-trade',
  liquidation: 'position-liquidation',
  deleveraging: 'position-deleveraging',
  funding: 'position-funding',
  leverage: 'position-leverage',
  margin: 'position-margin',
  cover: 'position-cover',
  compensation: 'position-compensation',
};

/** @returns undefined for an event of another kind, and for one that moved nothing */
export function positionMovesOf(event: ObjectEvent): PositionMoves | undefined {
  if (event.kind === 'loss-covered') return { reason: 'loss-covered', reference: event.owner, moves: event.moves };
  if (event.kind !== 'position-changed' || event.cause === 'mode' || event.moves.length === 0) return undefined;
  return { reason: REASONS[event.cause], reference: event.market, moves: event.moves };
}
