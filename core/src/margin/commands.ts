/** What owners change of their positions beside trading. */
import type { PositionSide } from '../terms/order-terms.ts';

/**
 * Leverage and margin mode of an owner in a perpetual market; what open orders have reserved follows the leverage. What is absent stays
 * as it is when the command is applied.
 */
export interface SetLeverage {
  readonly kind: 'set-leverage';
  readonly owner: number;
  readonly market: number;
  /** Whole, up to what the tier of the position allows. */
  readonly leverage?: number | undefined;
  /** Whether a position has a margin of its own; refused to change while one is open, or an order. */
  readonly isIsolated?: boolean | undefined;
  /** In hedge mode alone, and always there: each leg has its own. */
  readonly positionSide?: PositionSide | undefined;
  /**
   * Whether the reserves of open orders move with the leverage. Without it the command is refused while orders are open: so were
   * those of journals that were written before reserves could move, and replay must refuse them again.
   */
  readonly movesReserves?: boolean | undefined;
}

/** Adds to the margin of an isolated position, or takes out of it what its leverage does not need. */
export interface AdjustMargin {
  readonly kind: 'adjust-margin';
  readonly owner: number;
  readonly market: number;
  /** Settlement units; below zero to take out. */
  readonly amount: bigint;
  /** As in `SetLeverage`. */
  readonly positionSide?: PositionSide | undefined;
}

/**
 * Whether an owner has one position in a perpetual market, or two of opposite directions. Refused while anything of the owner's is
 * open there: positions, orders, and orders that are not triggered yet. A leg in which no leverage was chosen begins with that of
 * one-way mode.
 */
export interface SetPositionMode {
  readonly kind: 'set-position-mode';
  readonly owner: number;
  readonly market: number;
  readonly isHedged: boolean;
}

/**
 * The index of a perpetual, once a second or so: the median of what other markets pay. The mark follows from it, premiums are
 * sampled and funding is settled when an interval has ended.
 */
export interface SetIndexPrice {
  readonly kind: 'set-index-price';
  readonly market: number;
  /** Ticks; 0 says that nothing trustworthy is known, and nothing is liquidated until there is. */
  readonly price: number;
  /** As in `SetMarkPrice`. */
  readonly waitsWhileHalted?: boolean | undefined;
}

/** Goes on with liquidations that a new mark has left, as it liquidates few with itself: no command holds the book up. */
export interface RunLiquidations {
  readonly kind: 'run-liquidations';
  /** Accounts at most, 1 to 1000. */
  readonly maximum: number;
}

/**
 * Closes positions of a halted perpetual in which no order is left, at one price, so that it can be delisted: longs against
 * shorts, ascending by owner, without an order and without a fee. Funding is paid first, a term keeps nothing from it, and what
 * an owner cannot pay is paid as any loss is. Goes on with the next command where more is open.
 */
export interface SettlePositions {
  readonly kind: 'settle-positions';
  readonly market: number;
  /** Ticks. */
  readonly price: number;
  /** Positions of each side at most, 1 to 1000: one command never holds the exchange up. */
  readonly maximum: number;
}

export type MarginCommand =
  | SetLeverage
  | AdjustMargin
  | SetPositionMode
  | SetIndexPrice
  | RunLiquidations
  | SettlePositions;
