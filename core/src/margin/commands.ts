/** What owners change of their positions beside trading. */

/** Leverage and margin mode of an owner in a perpetual market. Refused while orders are open there. */
export interface SetLeverage {
  readonly kind: 'set-leverage';
  readonly owner: number;
  readonly market: number;
  /** Whole, up to what the tier of the position allows. */
  readonly leverage: number;
  /** Whether a position has a margin of its own; refused to change while one is open. */
  readonly isIsolated: boolean;
}

/** Adds to the margin of an isolated position, or takes out of it what its leverage does not need. */
export interface AdjustMargin {
  readonly kind: 'adjust-margin';
  readonly owner: number;
  readonly market: number;
  /** Settlement units; below zero to take out. */
  readonly amount: bigint;
}

export type MarginCommand = SetLeverage | AdjustMargin;
