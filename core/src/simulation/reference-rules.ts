/** Rules of the reference exchange about single values. */

import { FIRST_CLIENT, MAXIMUM_OWNER } from '../ledger/account.ts';
import type { MarketSpec } from '../money/market.ts';
import { maximumTicks, notional } from '../money/notional.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import { BUY } from '../terms/order-terms.ts';
import type { RejectReason } from '../terms/outcome.ts';

export type Refusal = RejectReason | undefined;

export function isWithin(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high;
}

export function isClient(owner: number): boolean {
  return isWithin(owner, FIRST_CLIENT, MAXIMUM_OWNER);
}

export function quantityProblem(spec: MarketSpec, quantity: number): Refusal {
  if (!isWithin(quantity, 1, Number.MAX_SAFE_INTEGER)) return 'INVALID_QUANTITY';
  if (quantity < spec.minimumLots) return 'BELOW_MINIMUM_SIZE';
  return quantity > spec.maximumLots ? 'ABOVE_MAXIMUM_SIZE' : undefined;
}

export function limitProblem(spec: MarketSpec, price: number, quantity: number): Refusal {
  if (!isWithin(price, 1, maximumTicks(spec))) return 'INVALID_PRICE';
  const problem = quantityProblem(spec, quantity);
  if (problem !== undefined) return problem;
  return notional(spec, price, quantity) < spec.minimumNotional ? 'BELOW_MINIMUM_NOTIONAL' : undefined;
}

/** The worst price of a market order: its own bound where that is nearer than what the market allows. */
export function boundOf({ side, worstPrice }: PlaceOrder, furthest: number): number {
  if (worstPrice === undefined) return furthest;
  return side === BUY ? Math.min(furthest, worstPrice) : Math.max(furthest, worstPrice);
}

/** A part of an iceberg must be an order of the pair in itself, less than all, and at least a hundredth. */
export function isBadPart(spec: MarketSpec, price: number, quantity: number, visible: number): boolean {
  if (limitProblem(spec, price, visible) !== undefined) return true;
  return visible >= quantity || Math.ceil(quantity / visible) > 100;
}
