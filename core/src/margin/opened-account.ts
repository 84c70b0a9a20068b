/**
 * Whether an order that trades at once would leave its owner liquidatable at the present mark: by the margin of an isolated
 * position, else by the wallet that backs it. Fees are counted as if each lot were a fill of its own, and the lots that turn an
 * isolated position round as if all had traded at the order's worst price, so the result errs towards refusing.
 */
import { feeOf } from '../ledger/fee.ts';
import { BUY, type Side } from '../terms/order-terms.ts';
import { type Holding, owedOf, type Valuation } from './holding.ts';
import { closableLots, profitOf, requiredOf, worthOf } from './holdings.ts';
import { initialMargin, notionalOf, requirement } from './perpetual.ts';

/** Money in settlement units. */
export interface Opening {
  readonly side: Side;
  /** The owner's of the leg; undefined if it has done nothing yet. */
  readonly holding: Holding | undefined;
  /** Lots that trade at once, and what they are worth at their prices. */
  readonly lots: number;
  readonly value: bigint;
  /** The worst of these prices, in ticks. */
  readonly worst: number;
  /** Available and held. */
  readonly wallet: bigint;
  /** The positions that the wallet backs. */
  readonly cross: readonly Holding[];
}

const worthOfAll = (holdings: readonly Holding[]): bigint => holdings.reduce((sum, one) => sum + worthOf(one), 0n);
const requiredOfAll = (holdings: readonly Holding[]): bigint =>
  holdings.reduce((sum, one) => sum + requiredOf(one), 0n);

/** What lots that were traded for a value have won at the mark; below zero for a loss. */
function gainOf({ terms, mark }: Valuation, side: Side, lots: number, value: bigint): bigint {
  const gain = notionalOf(terms, mark, lots) - value;
  return side === BUY ? gain : -gain;
}

/** Whether an order that opens something would be liquidated at once. False while nothing values a position. */
export function isOpenedBelowMaintenance(market: Valuation, opening: Opening): boolean {
  const { holding, side, lots } = opening;
  if (market.mark === 0) return false;
  const closing = holding === undefined ? 0 : Math.min(lots, closableLots(holding, side));
  if (closing === lots) return false;
  return holding?.isIsolated
    ? isIsolatedBelow(market, opening, holding, closing)
    : isCrossBelow(market, opening, closing);
}

/** Closing and opening change what the wallet has by the same: by what the lots win at the mark. */
function isCrossBelow(market: Valuation, opening: Opening, closing: number): boolean {
  const { holding, side, lots, value, wallet, cross } = opening;
  const { terms, mark } = market;
  const others = cross.filter((one) => one !== holding);
  const open = Math.abs(holding?.lots ?? 0) + lots - 2 * closing;
  const fee = feeOf(value, terms.takerPpm) + BigInt(lots);
  const equity = wallet + worthOfAll(cross) + gainOf(market, side, lots, value) - fee;
  return equity <= requiredOfAll(others) + requirement(terms, notionalOf(terms, mark, open));
}

function isIsolatedBelow(market: Valuation, opening: Opening, holding: Holding, closing: number): boolean {
  const { side, lots, value, worst, wallet, cross } = opening;
  const { terms, mark } = market;
  const { leverage } = holding;
  const opened = lots - closing;
  const cost = closing === 0 ? value : notionalOf(terms, worst, opened);
  const margin = initialMargin(cost, leverage) + gainOf(market, side, opened, cost);
  const open = opened + (closing === 0 ? Math.abs(holding.lots) : 0);
  const kept = closing === 0 ? keptOf(holding) : 0n;
  if (kept + margin <= requirement(terms, notionalOf(terms, mark, open))) return true;
  if (cross.length === 0) return false;
  // The margin and the fees come out of what backs the other positions; each fill rounds both up.
  const taken = initialMargin(value, leverage) + feeOf(value, terms.takerPpm) + 2n * BigInt(lots);
  return wallet + worthOfAll(cross) - taken <= requiredOfAll(cross);
}

/** What an isolated position has before more is added to it; funding takes no more than its margin. */
function keptOf(holding: Holding): bigint {
  const left = holding.margin - owedOf(holding);
  return (left > 0n ? left : 0n) + profitOf(holding);
}
