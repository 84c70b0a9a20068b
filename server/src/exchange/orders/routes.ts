/** The trading calls: HTTP in, the service's answers out, each refusal mapped once. */
import type { Locale } from '@cambist/contract/locales.ts';
import type { Order } from '@cambist/contract/trading.ts';
import {
  amendConditionalOrder,
  amendOrder,
  buyHistory,
  cancelAllOrders,
  cancelOrder,
  cancelOrders,
  getOrder,
  myOrder,
  oneOrder,
  openOrders,
  placeConditionalOrder,
  placeOrder,
  placeOrders,
  sellHistory,
} from '@cambist/contract/trading.ts';
import type { z } from 'zod';
import type { CallServer, Refusal } from '../../platform/calls.ts';
import { intentsOf } from '../../platform/intent.ts';
import { inLanguage } from '../../platform/texts.ts';
import { feePercent } from '../ledger/fee-tiers.ts';
import { newConversionName } from './conversions.ts';
import { termOf } from './parse-term.ts';
import { orderRefusal } from './refusals.ts';
import type { PlaceInput, Result, TradingService } from './service.ts';

type Placed = { message: 'success' | 'wrong_transaction_password'; order?: Order };

/** The documented answer to a wrong transaction password is a message, not a failure. */
function placedAnswer(result: Result<Order>): Placed | Refusal {
  if (result.ok) return { message: 'success', order: result.value };
  if (result.error.kind === 'wrong-password') return { message: 'wrong_transaction_password' };
  return orderRefusal(result.error);
}

function inputOf(fields: z.output<NonNullable<typeof placeOrders.body>>['orders'][number]): PlaceInput {
  return {
    symbol: fields.symbol,
    side: fields.side,
    type: fields.type,
    timeInForce: fields.time_in_force,
    price: fields.price,
    quantity: fields.quantity,
    quoteTotal: fields.quote_total,
    selfTrade: fields.self_trade,
    clientOrderId: fields.client_order_id,
    visibleQuantity: fields.visible_quantity,
    exits: fields.exits,
    twap: fields.twap,
    reduceOnly: fields.reduce_only,
    positionSide: fields.position_side,
    term: termOf(fields),
  };
}

function resultOf(result: Result<Order>, locale: Locale) {
  if (result.ok) return { message: 'success' as const, order: result.value };
  const { code, detail } = orderRefusal(result.error);
  return { message: 'refused' as const, code, detail: inLanguage(detail, locale) };
}

function sideRecord(order: Order) {
  const { id, coin_pair, final_price, number_of_order, total, state, created_at } = order;
  return { id, coin_pair, final_price, number_of_order, total, state, created_at };
}

function servePlacing(calls: CallServer, trading: TradingService): void {
  calls.serve(placeOrder, async ({ body, identity, intent }) => {
    const input = { ...inputOf(body), password: body.transaction_password };
    return placedAnswer(await trading.place(identity, input, intent));
  });

  calls.serve(placeOrders, async ({ body, identity, intent, locale }) => {
    const intents = intentsOf(intent, body.orders);
    const inputs = body.orders.map(inputOf);
    const result = await trading.placeMany(identity, inputs, body.transaction_password, intents);
    if (result.ok) return { message: 'success' as const, results: result.value.map((one) => resultOf(one, locale)) };
    if (result.error.kind === 'wrong-password') return { message: 'wrong_transaction_password' as const, results: [] };
    return orderRefusal(result.error);
  });

  calls.serve(myOrder, async ({ query, identity, intent }) => {
    const isConversion = query.trade_type === 'convert';
    // A conversion asks for the password although the session is unlocked for orders, by this call as by the quoted one. A intent has none.
    const isProven = query.transaction_password !== '' || identity.permissions !== undefined;
    if (isConversion && !isProven) return orderRefusal({ kind: 'password-required' });
    const price = query.order_per_unit || undefined;
    const terms = isAtLimit(query)
      ? { type: 'limit' as const, price }
      : { type: 'market' as const, seen: seenPrice(price, query.slippage_percent) };
    const input = {
      symbol: query.name,
      side: query.delegate_type,
      ...terms,
      quantity: query.number_of_order || undefined,
      quoteTotal: query.total || undefined,
      password: query.transaction_password,
      clientOrderId: isConversion ? newConversionName() : undefined,
    };
    return placedAnswer(await trading.place(identity, input, intent));
  });
}

const PPM_OF_PERCENT = 10_000;

/** @param percent at most two decimals, so that the result is whole */
const seenPrice = (price: string | undefined, percent: string) =>
  price === undefined ? undefined : { price, slippagePpm: Math.round(Number(percent) * PPM_OF_PERCENT) };

/** Either field makes a limit order, of a conversion too. */
function isAtLimit({ trade_type: trade, market_type: market }: z.output<NonNullable<typeof myOrder.query>>): boolean {
  return trade === 'limit' || market?.toLowerCase() === 'limit';
}

function serveChanging(calls: CallServer, trading: TradingService): void {
  calls.serve(cancelOrder, async ({ params, identity, intent }) => {
    const result = await trading.cancel(identity.clientId, params.id, intent);
    return result.ok ? { message: 'success' as const, order: result.value } : orderRefusal(result.error);
  });

  calls.serve(cancelOrders, async ({ body, identity, intent, locale }) => {
    const intents = intentsOf(
      intent,
      body.ids.map((id) => ({ id })),
    );
    const results = await trading.cancelMany(identity.clientId, body.ids, intents);
    return { message: 'success' as const, results: results.map((one) => resultOf(one, locale)) };
  });

  calls.serve(amendOrder, async ({ params, body, identity, intent }) => {
    const input = { price: body.price, quantity: body.quantity, password: body.transaction_password };
    return placedAnswer(await trading.amend(identity, params.id, input, intent));
  });
}

function serveConditional(calls: CallServer, trading: TradingService): void {
  calls.serve(placeConditionalOrder, async ({ body, identity, intent }) => {
    const { transaction_password: password, ...input } = body;
    return placedAnswer(await trading.placeConditional(identity, input, password, intent));
  });

  calls.serve(amendConditionalOrder, async ({ params, body, identity, intent }) => {
    const { transaction_password: password, ...input } = body;
    return placedAnswer(await trading.amendConditional(identity, params.id, input, password, intent));
  });

  calls.serve(cancelAllOrders, async ({ body, identity, intent }) => {
    const result = await trading.cancelAll(identity, body, intent);
    return result.ok ? { message: 'success' as const, cancelled: result.value } : orderRefusal(result.error);
  });
}

function serveLists(calls: CallServer, trading: TradingService): void {
  calls.serve(oneOrder, async ({ params, identity }) => {
    const found = await trading.order(identity, params.id);
    return found.ok ? { order: found.value } : orderRefusal(found.error);
  });
  calls.serve(openOrders, async ({ query, identity }) => {
    const open = await trading.openOrders(identity, query);
    return open.ok ? { orders: open.value } : orderRefusal(open.error);
  });
  calls.serve(buyHistory, async ({ query, identity }) => ({
    buy: (await trading.ordersOfSide(identity, 'BUY', query)).map(sideRecord),
  }));
  calls.serve(sellHistory, async ({ query, identity }) => ({
    sell: (await trading.ordersOfSide(identity, 'SELL', query)).map((order) => ({
      ...sideRecord(order),
      // The sell list has its own word for cancelled.
      state: order.state === 'DISSAPROVED' ? ('DECLINED' as const) : order.state,
    })),
  }));
}

export function serveTrading(calls: CallServer, trading: TradingService): void {
  servePlacing(calls, trading);
  serveChanging(calls, trading);
  serveConditional(calls, trading);
  serveLists(calls, trading);
  calls.serve(getOrder, async ({ query, identity }) => {
    const limits = await trading.limitsOf(identity, query.symbol);
    if (!limits.ok) return orderRefusal(limits.error);
    const { minimumQuantity, minimumTotal, priceBandPpm, makerPpm, takerPpm, feeCredit } = limits.value;
    return {
      price: {
        minimum_sell: minimumQuantity,
        account_balance_limit_spot: minimumQuantity,
        minimum_total: minimumTotal,
        price_band_percent: feePercent(priceBandPpm),
        maker_fee_percent: feePercent(makerPpm),
        taker_fee_percent: feePercent(takerPpm),
        fee_credit: feeCredit,
      },
    };
  });
}
