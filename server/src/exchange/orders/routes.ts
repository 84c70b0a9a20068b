/** The trading calls: HTTP in, the service's answers out, each refusal mapped once. */
import type { Order } from '@cambist/contract/trading.ts';
import {
  amendConditionalOrder,
  amendOrder,
  buyHistory,
  cancelAllOrders,
  cancelOrder,
  getOrder,
  myOrder,
  openOrders,
  orderHistories,
  placeConditionalOrder,
  placeOrder,
  placeOrders,
  sellHistory,
  tradeHistories,
} from '@cambist/contract/trading.ts';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type CallServer, type Identity, Refusal } from '../../platform/calls.ts';
import { notAccepted, outcomeUnknown } from '../../platform/http.ts';
import { type IntentKey, intentOf } from '../../platform/intent.ts';
import { say, spoken } from '../../platform/texts.ts';
import { type OrderError, rejectDetails } from './errors.ts';
import { feePercent, type PlaceInput, type Result, type TradingService } from './service.ts';

/** Maps every refusal of the service; the compiler keeps it complete. */
function refusalOf(error: OrderError): Refusal {
  switch (error.kind) {
    case 'rejected':
      return new Refusal(error.reason === 'ORDER_NOT_FOUND' ? 404 : 422, error.reason, rejectDetails[error.reason]);
    case 'unknown-pair':
      return new Refusal(404, 'UNKNOWN_PAIR', say('There is no pair called {{name}}.', { name: error.name }));
    case 'invalid-field':
      return new Refusal(422, 'INVALID_FIELD', { ...error.detail, field: error.field });
    case 'order-not-found':
      return new Refusal(404, 'ORDER_NOT_FOUND', rejectDetails.ORDER_NOT_FOUND);
    case 'key-reused':
      return new Refusal(422, 'IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for a different request.');
    case 'password-required':
      return new Refusal(403, 'TRANSACTION_PASSWORD_REQUIRED', 'Password is required');
    case 'wrong-password':
      return new Refusal(403, 'WRONG_TRANSACTION_PASSWORD', 'Wrong transaction password');
    case 'not-accepted':
      return notAccepted(error.retryAfterSeconds);
    case 'outcome-unknown':
      return outcomeUnknown();
  }
}

type Placed = { message: 'success' | 'wrong_transaction_password'; order?: Order };

/** The documented answer to a wrong transaction password is a message, not a failure. */
function placedAnswer(result: Result<Order>): Placed | Refusal {
  if (result.ok) return { message: 'success', order: result.value };
  if (result.error.kind === 'wrong-password') return { message: 'wrong_transaction_password' };
  return refusalOf(result.error);
}

/** Calls with access `client` always carry one; this says so to the compiler. */
function clientOf(identity: Identity | undefined): Identity {
  if (identity === undefined) throw new Error('A client call was served without an identity');
  return identity;
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
  };
}

function batchAnswer(result: Result<Order>, http: FastifyRequest) {
  if (result.ok) return { message: 'success' as const, order: result.value };
  const { code, detail } = refusalOf(result.error);
  return { message: 'refused' as const, code, detail: spoken(detail, http) };
}

function sideRecord(order: Order) {
  const { id, coin_pair, final_price, number_of_order, state, created_at } = order;
  return { id, coin_pair, final_price, number_of_order, state, created_at };
}

function servePlacing(calls: CallServer, trading: TradingService): void {
  calls.serve(placeOrder, async ({ body, identity, http }) => {
    const intent = intentOf(http, body);
    if (intent instanceof Refusal) return intent;
    const input = { ...inputOf(body), password: body.transaction_password };
    return placedAnswer(await trading.place(clientOf(identity), input, intent));
  });

  calls.serve(placeOrders, async ({ body, identity, http }) => {
    const intents = body.orders.map((order, index) => intentOf(http, { index, ...order }, `:${index}`));
    const unreadable = intents.find((intent) => intent instanceof Refusal);
    if (unreadable instanceof Refusal) return unreadable;
    const result = await trading.placeMany(
      clientOf(identity),
      body.orders.map(inputOf),
      body.transaction_password,
      intents as (IntentKey | undefined)[],
    );
    if (result.ok) return { message: 'success' as const, results: result.value.map((one) => batchAnswer(one, http)) };
    if (result.error.kind === 'wrong-password') return { message: 'wrong_transaction_password' as const, results: [] };
    return refusalOf(result.error);
  });

  calls.serve(myOrder, async ({ query, identity, http }) => {
    const intent = intentOf(http, query);
    if (intent instanceof Refusal) return intent;
    const input = {
      symbol: query.name,
      side: query.delegate_type,
      type: isAtLimit(query) ? ('limit' as const) : ('market' as const),
      price: query.order_per_unit || undefined,
      quantity: query.number_of_order || undefined,
      quoteTotal: query.total || undefined,
      password: query.transaction_password,
    };
    const placed = placedAnswer(await trading.place(clientOf(identity), input, intent));
    if (placed instanceof Refusal || !placed.order || query.trade_type !== 'convert') return placed;
    return { ...placed, order: { ...placed.order, type: 'convert' as const } };
  });
}

/** A conversion is at market unless its market type says otherwise. */
function isAtLimit({ trade_type: trade, market_type: market }: z.output<NonNullable<typeof myOrder.query>>): boolean {
  return trade === 'limit' || (trade === 'convert' && market?.toLowerCase() === 'limit');
}

function serveChanging(calls: CallServer, trading: TradingService): void {
  calls.serve(cancelOrder, async ({ params, identity, http }) => {
    const intent = intentOf(http, params);
    if (intent instanceof Refusal) return intent;
    const result = await trading.cancel(clientOf(identity), params.id, intent);
    return result.ok ? { message: 'success' as const, order: result.value } : refusalOf(result.error);
  });

  calls.serve(amendOrder, async ({ params, body, identity, http }) => {
    const intent = intentOf(http, { ...params, ...body });
    if (intent instanceof Refusal) return intent;
    const input = { price: body.price, quantity: body.quantity, password: body.transaction_password };
    return placedAnswer(await trading.amend(clientOf(identity), params.id, input, intent));
  });
}

function serveConditional(calls: CallServer, trading: TradingService): void {
  calls.serve(placeConditionalOrder, async ({ body, identity, http }) => {
    const intent = intentOf(http, body);
    if (intent instanceof Refusal) return intent;
    const { transaction_password: password, ...input } = body;
    return placedAnswer(await trading.placeConditional(clientOf(identity), input, password, intent));
  });

  calls.serve(amendConditionalOrder, async ({ params, body, identity, http }) => {
    const intent = intentOf(http, { ...params, ...body });
    if (intent instanceof Refusal) return intent;
    const { transaction_password: password, ...input } = body;
    return placedAnswer(await trading.amendConditional(clientOf(identity), params.id, input, password, intent));
  });

  calls.serve(cancelAllOrders, async ({ body, identity, http }) => {
    const intent = intentOf(http, body);
    if (intent instanceof Refusal) return intent;
    const result = await trading.cancelAll(clientOf(identity), body.symbol, intent);
    return result.ok ? { message: 'success' as const, cancelled: result.value } : refusalOf(result.error);
  });
}

function serveLists(calls: CallServer, trading: TradingService): void {
  calls.serve(openOrders, async ({ query, identity }) => ({
    orders: await trading.openOrders(clientOf(identity), query),
  }));
  calls.serve(orderHistories, async ({ query, identity }) => ({
    orders: await trading.orderHistory(clientOf(identity), query),
  }));
  calls.serve(tradeHistories, async ({ query, identity }) => ({
    trades: await trading.fills(clientOf(identity), query),
  }));
  calls.serve(buyHistory, async ({ query, identity }) => ({
    buy: (await trading.ordersOfSide(clientOf(identity), 'BUY', query)).map(sideRecord),
  }));
  calls.serve(sellHistory, async ({ query, identity }) => ({
    sell: (await trading.ordersOfSide(clientOf(identity), 'SELL', query)).map((order) => ({
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
    const limits = await trading.limitsOf(clientOf(identity), query.symbol);
    if (!limits.ok) return refusalOf(limits.error);
    const { minimumQuantity, minimumTotal, makerPpm, takerPpm, feeCredit } = limits.value;
    return {
      price: {
        minimum_sell: minimumQuantity,
        account_balance_limit_spot: minimumQuantity,
        minimum_total: minimumTotal,
        maker_fee_percent: feePercent(makerPpm),
        taker_fee_percent: feePercent(takerPpm),
        fee_credit: feeCredit,
      },
    };
  });
}
