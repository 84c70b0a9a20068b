import type { Side } from '../terms/order-terms.ts';
import type { RejectReason } from '../terms/outcome.ts';

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
  /** Terms of the order, as codes of event records. */
  terms: number;
  /** Whether the order rested, so that what it pays with is held. */
  readonly isMaker: boolean;
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
  /** Measures what lots of an owner's order can cost at its price in ticks; `terms` are codes of event records. */
  measure(side: Side, ticks: number, lots: number, owner: number, terms: number): void;
  /** The same of an order without a price that trades lots of a value in quote units. */
  measureValue(side: Side, value: bigint, lots: number, owner: number, terms: number): void;
  /** Why an order of what was measured last can't be taken, for want of funds above all; `replaced` is what it comes instead of. */
  problem(paying: number, replaced?: { readonly ticks: number; readonly lots: number }): RejectReason | undefined;
  /** Moves what was measured from available to held. */
  reserve(paying: number): void;
  /** Moves what was measured from held back to available. */
  release(paying: number): void;
  /** What was measured last is of an order that is open already, and held. */
  restored(): void;
  /** Settles a trade. */
  fill(ticks: number, lots: number, buyer: Party, seller: Party): void;
}
