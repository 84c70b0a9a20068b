/** What happens to positions. */
import type { Posting } from '../ledger/account.ts';
import type { Position } from './position.ts';

/** What an owner has in a market after a trade, which follows, or after a change of its own. */
export interface PositionChanged {
  readonly kind: 'position-changed';
  readonly time: number;
  readonly owner: number;
  readonly market: number;
  /** Absent where nothing is open. */
  readonly position: Position | undefined;
  /** Of an isolated position, in settlement units. */
  readonly margin: bigint;
  readonly leverage: number;
  readonly isIsolated: boolean;
  /** What was closed has brought, in settlement units, before its fee; below zero for a loss. */
  readonly realised: bigint;
  readonly fee: bigint;
  readonly moves: readonly Posting[];
}

/** A loss took more than was available, and something else paid for it. */
export interface LossCovered {
  readonly kind: 'loss-covered';
  readonly time: number;
  readonly owner: number;
  readonly asset: number;
  /** Settlement units that the insurance account paid. */
  readonly amount: bigint;
  readonly moves: readonly Posting[];
}

export type PositionEvent = PositionChanged | LossCovered;
