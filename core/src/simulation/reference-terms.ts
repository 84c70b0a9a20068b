/** Terms of positions in the reference exchange: what an order may ask for, and what it may not reduce. */
import type { HoldingRecord } from '../margin/holding-record.ts';
import { initialMargin, notionalOf, perpetualTerms } from '../margin/perpetual.ts';
import type { PositionTerm } from '../margin/term.ts';
import type { MarketSpec } from '../money/market.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import type { OpenOrder } from '../orders/order-state.ts';
import { BUY, type PositionLeg } from '../terms/order-terms.ts';
import { closes, legNamed } from './reference-legs.ts';
import type { Refusal } from './reference-rules.ts';
import type { ReferenceState, Resting } from './reference-state.ts';

interface Positions {
  holding(owner: number, market: number, leg: PositionLeg): HoldingRecord;
  isBound(time: number, holding: HoldingRecord): boolean;
  ordersOf(owner: number, market: number, leg: PositionLeg): readonly OpenOrder[];
  markOf(market: number): number;
}

/** From now on, for whole days. */
export function begunTerm(time: number, choice: PlaceOrder['term']): PositionTerm | undefined {
  if (choice === undefined) return undefined;
  const { days, target, floor } = choice;
  return { startedAt: time, endsAt: time + days * 24 * 60 * 60 * 1_000, target, floor };
}

/** The term with what it may take off the fees of closing. */
export function discounted({ startedAt, endsAt, target, floor }: PositionTerm, discount: bigint): PositionTerm {
  return { startedAt, endsAt, target, floor, ...(discount > 0n && { discount }) };
}

/** Why an order cannot have a term, or cannot reduce a position that has one. */
export function termRefusal(positions: Positions, time: number, spec: MarketSpec, order: PlaceOrder): Refusal {
  const { owner, side, positionSide, term } = order;
  const holding = positions.holding(owner, spec.id, legNamed(order));
  if (term === undefined) {
    const isClosing = spec.perpetual !== undefined && closes(side, holding);
    return isClosing && positions.isBound(time, holding) ? 'TERM_RUNNING' : undefined;
  }
  const isClosing = positionSide === undefined ? order.reduceOnly : (positionSide === 'long') !== (side === BUY);
  const rests = order.type === 'limit' && (order.timeInForce === 'GTC' || order.timeInForce === 'POST_ONLY');
  if (spec.perpetual === undefined || isClosing || rests) return 'INVALID_TERM';
  if (holding.position !== undefined) return 'POSITION_OPEN';
  return positions.ordersOf(owner, spec.id, legNamed(order)).length > 0 ? 'ORDERS_OPEN' : undefined;
}

/** Why what an order would trade does not fit its term. @param cost of the lots */
export function boundsRefusal(
  positions: Positions,
  spec: MarketSpec,
  order: PlaceOrder,
  lots: number,
  cost: bigint,
): Refusal {
  const { term, side, owner } = order;
  if (term === undefined) return undefined;
  const mark = positions.markOf(spec.id);
  const worth = mark === 0 ? cost : notionalOf(perpetualTerms(spec, spec.perpetual!), mark, lots);
  const income = side === BUY ? worth - cost : cost - worth;
  const initial = initialMargin(cost, positions.holding(owner, spec.id, legNamed(order)).leverage);
  // In twentieths: 5 % are one, 80 % sixteen.
  const isTarget = term.target > income && term.target * 20n >= initial;
  const isFloor = term.floor >= 0n && term.floor * 20n <= initial * 16n && term.floor < initial + income;
  return isTarget && isFloor ? undefined : 'INVALID_TERM';
}

/** Why an open order may not become larger or move. */
export function growthRefusal(state: ReferenceState, positions: Positions, time: number, order: Resting): Refusal {
  if (state.isTooLate(order)) return 'MARKET_CLOSE_ONLY';
  const holding = positions.holding(order.owner, order.market, legNamed(order));
  return closes(order.side, holding) && positions.isBound(time, holding) ? 'TERM_RUNNING' : undefined;
}
