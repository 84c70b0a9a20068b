/** From what a person wrote to what the engine takes: one place for every door that orders come in by. */

import { parseAmount } from '@cambist/core/money/amount.ts';
import { highestInBand, lowestInBand, type MarketSpec } from '@cambist/core/money/market.ts';
import { maximumTicks } from '@cambist/core/money/notional.ts';
import { parseLots, parseTicks } from '@cambist/core/money/price.ts';
import type { TriggerSource } from '@cambist/core/orders/conditional/conditional-order.ts';
import {
  BUY,
  type PositionSide,
  SELL,
  type SelfTradeMode,
  type Side,
  type TimeInForce,
} from '@cambist/core/terms/order-terms.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';
import type { Submission } from '../engine/feed.ts';
import { isConversion } from './conversions.ts';
import { amountProblem, type OrderError } from './errors.ts';

export interface OrderInput {
  readonly side: 'BUY' | 'SELL';
  readonly type: 'limit' | 'market';
  readonly timeInForce?: TimeInForce | undefined;
  readonly price?: string | undefined;
  readonly quantity?: string | undefined;
  readonly quoteTotal?: string | undefined;
  readonly selfTrade?: SelfTradeMode | undefined;
  readonly clientOrderId?: string | undefined;
  /** Of an iceberg. */
  readonly visibleQuantity?: string | undefined;
  readonly twap?: TwapInput | undefined;
  /** Of a perpetual alone. */
  readonly reduceOnly?: boolean | undefined;
  /** In hedge mode alone. */
  readonly positionSide?: PositionSide | undefined;
  readonly term?: TermInput | undefined;
  /** Of a market order. */
  readonly seen?: SeenPrice | undefined;
}

/** The price at which a client expects to trade, and by how much the book may be worse. */
export interface SeenPrice {
  readonly price: string;
  readonly slippagePpm: number;
}

/** USDT as decimal text; the floor is 0 without one. */
export interface TermInput {
  readonly days: number;
  readonly target: string;
  readonly floor?: string | undefined;
}

export interface TwapInput {
  readonly duration_seconds: number;
  readonly interval_seconds: number;
}

export type ParsedOrder =
  | { readonly ok: true; readonly value: Submission }
  | { readonly ok: false; readonly error: OrderError };
export type ParsedNumber<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: OrderError };

export function invalid(field: string, detail: LocalizedText): { ok: false; error: OrderError } {
  return { ok: false, error: { kind: 'invalid-field', field, detail } };
}

/** What an order of a spot market has that only those of perpetuals can have. */
export function notOfSpot(
  order: Pick<OrderInput, 'reduceOnly' | 'positionSide'> & { readonly triggerBy?: TriggerSource | undefined },
) {
  if (order.triggerBy === 'index')
    return invalid('trigger_by', say('Only orders of perpetual futures can be triggered by the index price'));
  if (order.reduceOnly) return invalid('reduce_only', say('Only orders of perpetual futures can be reduce-only'));
  return order.positionSide && invalid('position_side', say('Only orders of perpetual futures have a position side'));
}

export function readPrice(market: MarketSpec, text: string, field = 'price'): ParsedNumber<number> {
  const parsed = parseTicks(text, market);
  return parsed.ok ? parsed : invalid(field, amountProblem(parsed.error, market.tickScale));
}

export function readQuantity(market: MarketSpec, text: string, field = 'quantity'): ParsedNumber<number> {
  const parsed = parseLots(text, market);
  return parsed.ok ? parsed : invalid(field, amountProblem(parsed.error, market.lotScale));
}

export function readQuoteTotal(market: MarketSpec, text: string): ParsedNumber<bigint> {
  const parsed = parseAmount(text, market.quote.scale);
  return parsed.ok ? parsed : invalid('quote_total', amountProblem(parsed.error, market.quote.scale));
}

/**
 * A limit order given by total is that total's worth of whole lots at its price, rounded down. Beyond the safe integers it is the
 * largest of them, which is more than any order has.
 */
function lotsForTotal(market: MarketSpec, total: bigint, price: number): number {
  const perLot = BigInt(price) * 10n ** BigInt(market.quote.scale - market.tickScale - market.lotScale);
  return perLot === 0n ? 0 : Math.min(Number(total / perLot), Number.MAX_SAFE_INTEGER);
}

export function readLimitPrice(market: MarketSpec, price: string | undefined): ParsedNumber<number> {
  return price ? readPrice(market, price) : invalid('price', say('A limit order needs a price'));
}

function readLimit(market: MarketSpec, input: OrderInput): ParsedNumber<{ price: number; quantity: number }> {
  const price = readLimitPrice(market, input.price);
  if (!price.ok) return price;
  if (input.quantity) {
    const quantity = readQuantity(market, input.quantity);
    return quantity.ok ? { ok: true, value: { price: price.value, quantity: quantity.value } } : quantity;
  }
  if (!input.quoteTotal) return invalid('quantity', say('Amount is required'));
  const total = readQuoteTotal(market, input.quoteTotal);
  if (!total.ok) return total;
  return { ok: true, value: { price: price.value, quantity: lotsForTotal(market, total.value, price.value) } };
}

function readMarket(market: MarketSpec, input: OrderInput): ParsedNumber<{ quantity: number; quoteTotal: bigint }> {
  if (input.quantity) {
    const quantity = readQuantity(market, input.quantity);
    return quantity.ok ? { ok: true, value: { quantity: quantity.value, quoteTotal: 0n } } : quantity;
  }
  if (!input.quoteTotal) return invalid('quantity', say('Amount is required'));
  const total = readQuoteTotal(market, input.quoteTotal);
  return total.ok ? { ok: true, value: { quantity: 0, quoteTotal: total.value } } : total;
}

/** @returns the worst price in ticks that is within the slippage; undefined where the client stated none */
function readWorstPrice(market: MarketSpec, { side, seen }: OrderInput): ParsedNumber<number | undefined> {
  if (seen === undefined) return { ok: true, value: undefined };
  const price = readPrice(market, seen.price, 'order_per_unit');
  if (!price.ok) return price;
  const worst =
    side === 'BUY' ? highestInBand(price.value, seen.slippagePpm) : lowestInBand(price.value, seen.slippagePpm);
  return { ok: true, value: Math.min(worst, maximumTicks(market)) };
}

/** A limit order in slices; the core decides whether its schedule is one. */
function readTwap(owner: number, market: MarketSpec, input: OrderInput, twap: TwapInput): ParsedOrder {
  if (input.type !== 'limit' || input.timeInForce !== undefined || input.visibleQuantity !== undefined) {
    const detail = say('A TWAP needs a limit price. It can’t have a time in force, a visible quantity, or exits.');
    return invalid('twap', detail);
  }
  const limit = readLimit(market, input);
  if (!limit.ok) return limit;
  const { selfTrade = 'CANCEL_NEWEST', clientOrderId } = input;
  const side: Side = input.side === 'BUY' ? BUY : SELL;
  const times = { durationMs: twap.duration_seconds * 1_000, intervalMs: twap.interval_seconds * 1_000 };
  const common = { kind: 'place-twap' as const, owner, market: market.id, side, selfTrade, clientOrderId };
  const ofPosition = {
    ...(input.reduceOnly && { reduceOnly: true }),
    ...(input.positionSide && { positionSide: input.positionSide }),
  };
  return { ok: true, value: { ...common, ...limit.value, ...times, ...ofPosition } };
}

export function readOrder(owner: number, market: MarketSpec, input: OrderInput): ParsedOrder {
  const strange = market.perpetual === undefined ? notOfSpot(input) : undefined;
  if (strange !== undefined) return strange;
  if (market.perpetual !== undefined && isConversion(input.clientOrderId)) {
    return { ok: false, error: { kind: 'rejected', reason: 'SPOT_ONLY' } };
  }
  if (input.twap !== undefined) return readTwap(owner, market, input, input.twap);
  const none = { ok: true as const, value: undefined };
  const visible =
    input.visibleQuantity === undefined ? none : readQuantity(market, input.visibleQuantity, 'visible_quantity');
  if (!visible.ok) return visible;
  const side: Side = input.side === 'BUY' ? BUY : SELL;
  const common = {
    kind: 'place-order' as const,
    owner,
    market: market.id,
    side,
    selfTrade: input.selfTrade ?? ('CANCEL_NEWEST' as const),
    clientOrderId: input.clientOrderId,
    visible: visible.value,
    ...(input.reduceOnly && { reduceOnly: true }),
    ...(input.positionSide && { positionSide: input.positionSide }),
  };
  if (input.type === 'limit') {
    const limit = readLimit(market, input);
    if (!limit.ok) return limit;
    const timeInForce = input.timeInForce ?? 'GTC';
    return { ok: true, value: { ...common, type: 'limit', timeInForce, ...limit.value, quoteTotal: 0n } };
  }
  const size = readMarket(market, input);
  if (!size.ok) return size;
  const worst = readWorstPrice(market, input);
  if (!worst.ok) return worst;
  const timeInForce = input.timeInForce === 'FOK' ? 'FOK' : 'IOC';
  const bound = worst.value === undefined ? {} : { worstPrice: worst.value };
  return { ok: true, value: { ...common, type: 'market', timeInForce, price: 0, ...size.value, ...bound } };
}
