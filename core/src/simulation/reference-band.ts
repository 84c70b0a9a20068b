/** The band of a market in the reference exchange, and the pause behind an order that it has stopped. */
import type { MarketSpec } from '../money/market.ts';
import { maximumTicks } from '../money/notional.ts';
import { divCeil, divFloor } from '../money/rounding.ts';
import { BUY } from '../terms/order-terms.ts';
import type { Arriving, StopReason } from './reference-matching.ts';
import type { ReferenceState } from './reference-state.ts';

/** Lowest and highest price that an order may have or trade at. */
export function bandOf(state: ReferenceState, spec: MarketSpec): [number, number] {
  const market = state.market(spec.id)!;
  const { lastPrice, markPrice } = market.state;
  const isReferenced = state.rules >= 11 && spec.perpetual === undefined;
  const reference = isReferenced ? Number(state.reference(state.time, market) >> 20n) : lastPrice;
  const middle = spec.perpetual !== undefined && markPrice > 0 ? markPrice : reference;
  const highest = maximumTicks(spec);
  if (spec.priceBandPpm === 0 || middle === 0) return [1, highest];
  const low = divCeil(BigInt(middle) * BigInt(1_000_000 - spec.priceBandPpm), 1_000_000n);
  const high = divFloor(BigInt(middle) * BigInt(1_000_000 + spec.priceBandPpm), 1_000_000n);
  return [Math.max(1, Number(low)), Math.min(highest, Number(high))];
}

/** A spot market pauses behind an order that would have gone on at the end of the band, after it has traded enough. */
export function pauseBehind(
  state: ReferenceState,
  time: number,
  spec: MarketSpec,
  order: Arriving,
  stop: StopReason,
): void {
  const isOpen = stop === 'PRICE' || stop === 'NO_ORDERS';
  if (state.rules < 11 || spec.perpetual !== undefined || spec.priceBandPpm === 0) return;
  if (!isOpen || order.traded === 0 || order.cost < 100n * spec.minimumNotional) return;
  const market = state.market(spec.id)!;
  const [lowest, highest] = bandOf(state, spec);
  const isAbove = order.side === BUY;
  const end = isAbove ? highest : lowest;
  if (order.limit !== end) return;
  const reference = Number(state.reference(time, market) >> 20n);
  const { lastPrice } = market.state;
  const [left, width] = isAbove ? [end - lastPrice, end - reference] : [lastPrice - end, reference - end];
  if (left * 10 > width) return;
  const until = time + 300_000;
  Object.assign(market.state, {
    ...{ pause: { until, reference, isAbove }, reference: lastPrice * 1_048_576, referenceAt: until },
  });
  state.events.push({ kind: 'market-paused', market: spec.id, state: state.stateOf(market), time });
}
