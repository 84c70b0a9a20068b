import type { Side } from '../terms/order-terms.ts';

/** One side of a trade while it is settled; a mutable record that the matcher reuses, never an order's memory. */
export interface Party {
  /** Owner index. */
  owner: number;
  orderId: number;
  /** Account that pays: held for a maker, available for a taker. */
  paying: number;
  /** Available account of the asset received. */
  receiving: number;
  feePpm: number;
}

/**
 * What an order costs and what a trade moves: the one thing in which kinds of markets differ. Matching and the order
 * processors know no more of money than this. Accounts are indexes of the account table.
 */
export interface Settlement {
  /** Figures of the last trade or movement, in smallest units (`TradeAmount`); [0] is what `measure` measured. */
  readonly amounts: BigInt64Array;
  /** The available account that pays for an owner's orders of a side. */
  payingAccount(owner: number, side: Side): number;
  /** The available account that receives what an owner's orders of a side trade for. */
  receivingAccount(owner: number, side: Side): number;
  /** Measures what lots of an order can cost at its price in ticks. */
  measure(side: Side, ticks: number, lots: number): void;
  /** Whether an account has what was measured. */
  affords(paying: number): boolean;
  /** Moves what was measured from available to held. */
  reserve(paying: number): void;
  /** Moves what was measured from held back to available. */
  release(paying: number): void;
  /** Settles a trade. */
  fill(ticks: number, lots: number, buyer: Party, seller: Party): void;
}
