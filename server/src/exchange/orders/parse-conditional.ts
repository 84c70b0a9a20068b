/** From a conditional order as a person wrote it to what the engine takes. The contract has checked which fields go together. */
import { type conditionalAmendment, type conditionalOrder, onlyReduces } from '@cambist/contract/conditional-orders.ts';
import { parseAmount } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import type { Leg, LegChange, Trailing, UntriggeredOrder } from '@cambist/core/orders/conditional/conditional-order.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import type { z } from 'zod';
import { say } from '../../platform/texts.ts';
import type { Submission } from '../engine/feed.ts';
import {
  invalid,
  notOfSpot,
  type ParsedNumber,
  type ParsedOrder,
  readPrice,
  readQuantity,
  readQuoteTotal,
} from './parse.ts';
import { readLeg, readLimitPrice } from './parse-exits.ts';

export type ConditionalInput = Omit<z.output<typeof conditionalOrder>, 'transaction_password'>;
export type ConditionalAmendment = Omit<z.output<typeof conditionalAmendment>, 'transaction_password'>;

type Parsed<T> = ParsedNumber<T>;

/** Percent with four decimals are parts per million. */
const RATE_SCALE = 4;

function readTrailing(market: MarketSpec, input: ConditionalInput): Parsed<Trailing | undefined> {
  if (input.kind !== 'trailing_stop') return { ok: true, value: undefined };
  const rate = parseAmount(input.callback_rate ?? '0', RATE_SCALE);
  if (!rate.ok) return invalid('callback_rate', say('Enter a percentage with at most two decimals'));
  const distance = readPrice(market, input.callback_distance ?? '0', 'callback_distance');
  if (!distance.ok) return distance;
  const callbacks = { callbackPpm: Number(rate.value), callbackTicks: distance.value };
  if (input.activation_price === undefined) return { ok: true, value: { ...callbacks, activation: 0 } };
  const activation = readLimitPrice(market, input.activation_price, 'activation_price');
  return activation.ok ? { ok: true, value: { ...callbacks, activation: activation.value } } : activation;
}

/** Without a quantity an order closes all that is open, so one that is given, and nothing, would close more than was meant. */
function readLots(market: MarketSpec, text: string | undefined): Parsed<number> {
  if (text === undefined) return { ok: true, value: 0 };
  const lots = readQuantity(market, text);
  return lots.ok && lots.value === 0 ? invalid('quantity', say('Enter a number above zero')) : lots;
}

export function readConditional(owner: number, market: MarketSpec, input: ConditionalInput): ParsedOrder {
  const { reduce_only: reduceOnly, position_side: positionSide, trigger_by: triggerBy } = input;
  const strange = market.perpetual === undefined ? notOfSpot({ reduceOnly, positionSide, triggerBy }) : undefined;
  if (strange !== undefined) return strange;
  // What only reduces is to close, at whatever price there is then.
  const isLimit = input.kind === 'oco' && !onlyReduces(input);
  const profitLimit = input.take_profit_limit_price ?? (isLimit ? input.take_profit_price : undefined);
  const takeProfit = readLeg(market, 'take_profit', input.take_profit_price, profitLimit);
  if (!takeProfit.ok) return takeProfit;
  const stop = readLeg(market, 'stop', input.stop_price, input.stop_limit_price);
  if (!stop.ok) return stop;
  const trailing = readTrailing(market, input);
  if (!trailing.ok) return trailing;
  const quantity = readLots(market, input.quantity);
  if (!quantity.ok) return quantity;
  const quoteTotal = readQuoteTotal(market, input.quote_total ?? '0');
  if (!quoteTotal.ok) return quoteTotal;
  const value: Submission = {
    kind: 'place-conditional-order',
    owner,
    market: market.id,
    side: input.side === 'BUY' ? BUY : SELL,
    source: triggerBy,
    timeInForce: input.time_in_force ?? 'GTC',
    quantity: quantity.value,
    quoteTotal: quoteTotal.value,
    // What it was placed for comes before what its owner has resting: a stop that gave way would leave its owner without one.
    selfTrade: input.self_trade ?? 'CANCEL_OLDEST',
    takeProfit: takeProfit.value,
    stop: stop.value,
    trailing: trailing.value,
    clientOrderId: input.client_order_id,
    ...(reduceOnly && { reduceOnly: true }),
    ...(positionSide && { positionSide }),
  };
  return { ok: true, value };
}

/** What changes of one leg; undefined when nothing does. Which legs there are, and of which kind, never changes. */
function readChange(
  market: MarketSpec,
  name: 'stop' | 'take_profit',
  before: Leg | undefined,
  { trigger, limit }: { readonly trigger: string | undefined; readonly limit: string | undefined },
): Parsed<LegChange | undefined> {
  if (trigger === undefined && limit === undefined) return { ok: true, value: undefined };
  if (before === undefined) return invalid(`${name}_price`, say('This order has no such trigger price'));
  if (limit !== undefined && before.price === 0) {
    return invalid(`${name}_limit_price`, say('This order places a market order, which has no limit price'));
  }
  const unchanged = { ok: true as const, value: undefined };
  const ticks = trigger === undefined ? unchanged : readPrice(market, trigger, `${name}_price`);
  if (!ticks.ok) return ticks;
  const price = limit === undefined ? unchanged : readLimitPrice(market, limit, `${name}_limit_price`);
  return price.ok ? { ok: true, value: { trigger: ticks.value, price: price.value } } : price;
}

export function readAmendment(market: MarketSpec, order: UntriggeredOrder, input: ConditionalAmendment): ParsedOrder {
  const stop = readChange(market, 'stop', order.stop, { trigger: input.stop_price, limit: input.stop_limit_price });
  if (!stop.ok) return stop;
  const takeProfit = readChange(market, 'take_profit', order.takeProfit, {
    trigger: input.take_profit_price,
    limit: input.take_profit_limit_price,
  });
  if (!takeProfit.ok) return takeProfit;
  const { orderId, owner } = order;
  const changes = { takeProfit: takeProfit.value, stop: stop.value };
  return { ok: true, value: { kind: 'amend-conditional-order', orderId, owner, ...changes } };
}
