/** Legs that a price triggers, as a person wrote them, and orders with such legs attached. */
import type { attachedExits } from '@cambist/contract/conditional-orders.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import type { Leg } from '@cambist/core/orders/conditional/conditional-order.ts';
import type { ExitTerms } from '@cambist/core/orders/exits/exit-plan.ts';
import type { z } from 'zod';
import { say } from '../../platform/texts.ts';
import {
  invalid,
  notOfSpot,
  type OrderInput,
  type ParsedNumber,
  type ParsedOrder,
  readOrder,
  readPrice,
} from './parse.ts';
import { readTerm } from './parse-term.ts';

export type ExitInput = z.output<typeof attachedExits>;

/** A limit price of nothing would be a market order, which is asked for otherwise. */
export function readLimitPrice(market: MarketSpec, text: string, field: string): ParsedNumber<number> {
  const price = readPrice(market, text, field);
  return price.ok && price.value === 0 ? invalid(field, say('The price must be above zero')) : price;
}

/** A leg of an order; `limit` is undefined for one that places a market order. */
export function readLeg(
  market: MarketSpec,
  name: 'stop' | 'take_profit',
  trigger: string | undefined,
  limit: string | undefined,
): ParsedNumber<Leg | undefined> {
  if (trigger === undefined) return { ok: true, value: undefined };
  const ticks = readPrice(market, trigger, `${name}_price`);
  if (!ticks.ok || limit === undefined)
    return ticks.ok ? { ok: true, value: { trigger: ticks.value, price: 0 } } : ticks;
  const price = readLimitPrice(market, limit, `${name}_limit_price`);
  return price.ok ? { ok: true, value: { trigger: ticks.value, price: price.value } } : price;
}

function readExits(market: MarketSpec, input: ExitInput): ParsedNumber<ExitTerms> {
  const strange = market.perpetual === undefined ? notOfSpot({ triggerBy: input.trigger_by }) : undefined;
  if (strange !== undefined) return strange;
  const takeProfit = readLeg(market, 'take_profit', input.take_profit_price, input.take_profit_limit_price);
  if (!takeProfit.ok) return takeProfit;
  const stop = readLeg(market, 'stop', input.stop_price, input.stop_limit_price);
  if (!stop.ok) return stop;
  return { ok: true, value: { source: input.trigger_by, takeProfit: takeProfit.value, stop: stop.value } };
}

/** An order with its term, where it has one. */
function readWithTerm(owner: number, market: MarketSpec, input: OrderInput): ParsedOrder {
  const order = readOrder(owner, market, input);
  if (!order.ok || input.term === undefined) return order;
  const term = readTerm(market, input.term);
  if (!term.ok) return term;
  if (order.value.kind === 'place-order') return { ok: true, value: { ...order.value, term: term.value } };
  return { ok: false, error: { kind: 'rejected', reason: 'INVALID_TERM' } };
}

/** An order with its term and exits, where it has any. */
export function readEntry(
  owner: number,
  market: MarketSpec,
  input: OrderInput & { readonly exits?: ExitInput | undefined },
): ParsedOrder {
  const order = readWithTerm(owner, market, input);
  if (!order.ok || input.exits === undefined) return order;
  if (order.value.kind !== 'place-order') {
    return invalid(
      'twap',
      say('A TWAP needs a limit price. It can’t have a time in force, a visible quantity, or exits.'),
    );
  }
  const exits = readExits(market, input.exits);
  return exits.ok ? { ok: true, value: { ...order.value, exits: exits.value } } : exits;
}
