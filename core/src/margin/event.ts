/** What happens to positions. */
import type { Posting } from '../ledger/account.ts';
import type { PositionLeg } from '../terms/order-terms.ts';
import type { RejectReason } from '../terms/outcome.ts';
import type { Direction } from './perpetual.ts';
import type { Position } from './position.ts';
import type { FundingSettled, PerpetualState } from './pricing.ts';
import type { PositionTerm } from './term.ts';

/** Why a position has changed; `liquidation` is a trade of an order that the engine made for its owner. */
export type PositionCause =
  | 'trade'
  | 'liquidation'
  | 'deleveraging'
  | 'funding'
  | 'leverage'
  | 'margin'
  | 'mode'
  | 'cover'
  | 'compensation'
  | 'settlement';

/** What an owner has in a market after a trade, which follows, or after a change of its own. */
export interface PositionChanged {
  readonly kind: 'position-changed';
  readonly time: number;
  readonly owner: number;
  readonly market: number;
  readonly leg: PositionLeg;
  readonly cause: PositionCause;
  /** Absent where nothing is open. */
  readonly position: Position | undefined;
  /** Of an isolated position, in settlement units. */
  readonly margin: bigint;
  readonly leverage: number;
  readonly isIsolated: boolean;
  /** Whether the owner has two legs in the market; said by NET alone, which has no position then. */
  readonly isHedged: boolean;
  /** The market's until which funding is settled. */
  readonly fundingIndex: bigint;
  /** Of what is open, where it was opened with one. */
  readonly term: PositionTerm | undefined;
  /** What was closed has brought, in settlement units, before its fee; below zero for a loss. */
  readonly realised: bigint;
  readonly fee: bigint;
  /** Funding that was paid with this; below zero where some was received. */
  readonly funding: bigint;
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

/** What an account has was no more than what its positions must have, so lots of one of them are closed; how, follows. */
export interface PositionLiquidated {
  readonly kind: 'position-liquidated';
  readonly time: number;
  readonly owner: number;
  readonly market: number;
  readonly leg: PositionLeg;
  readonly direction: Direction;
  readonly lots: number;
  /** Ticks, and what the lots are worth at it. */
  readonly mark: number;
  readonly value: bigint;
  /** What the account had, and what its positions together had to have, in settlement units. */
  readonly equity: bigint;
  readonly required: bigint;
}

/** A position was closed, or turned round, by several orders at once, as it had more lots than the market's largest. They come before it. */
export interface ClosedInParts {
  readonly kind: 'closed-in-parts';
  readonly time: number;
  readonly owner: number;
  readonly market: number;
  readonly leg: PositionLeg;
  /** Ids of the first order and the last; those between are of the others. */
  readonly orderId: number;
  readonly lastOrderId: number;
  /** That were to be traded. */
  readonly lots: number;
  readonly reverses: boolean;
  /** Why an order behind the last one was refused; undefined where none was. */
  readonly reason: RejectReason | undefined;
}

/** Lots of an owner's position were closed against one that was liquidated, as no order took them. */
export interface PositionDeleveraged {
  readonly kind: 'position-deleveraged';
  readonly time: number;
  readonly owner: number;
  /** Whose position was liquidated. */
  readonly against: number;
  readonly market: number;
  /** The owner's. */
  readonly leg: PositionLeg;
  /** Ticks. */
  readonly price: number;
  readonly lots: number;
}

/** A new index, or that it is lost, and what follows from it. */
export interface PerpetualPriced {
  readonly kind: 'perpetual-priced';
  readonly time: number;
  readonly market: number;
  /** Ticks; 0 until there was an index. */
  readonly mark: number;
  /** Of the interval, if it ended now, in parts per billion. */
  readonly ratePpb: number;
  readonly state: PerpetualState;
}

/** An interval has ended: longs owe shorts so much of their value, or the reverse below zero. Positions pay when they are touched next. */
export interface FundingSettledEvent extends FundingSettled {
  readonly kind: 'funding-settled';
  readonly time: number;
  readonly market: number;
  /** The market's after it. */
  readonly fundingIndex: bigint;
}

/** Those that are objects: `PositionChanged` comes with every trade, and so is a record. */
export type PositionEvent =
  | ClosedInParts
  | LossCovered
  | PositionLiquidated
  | PositionDeleveraged
  | PerpetualPriced
  | FundingSettledEvent;
