/** Orders of spot and perpetual markets: placing, cancelling, amending, and every list of them. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import {
  attachedExits,
  conditionalAmendment,
  conditionalOrder,
  orderExits,
  orderTrigger,
} from './conditional-orders.ts';
import {
  clientOrderId,
  decimal,
  decimalOut,
  delegateType,
  orderName,
  page,
  pairName,
  positionSide,
  selfTradeMode,
  timeInForce,
} from './fields.ts';

import { msg } from './locales.ts';

export { delegateType, selfTradeMode, timeInForce } from './fields.ts';

const tag = 'Trading';
const password = z.string().max(256);

/** Which markets a list or a command means where it names none. */
export const marketKind = z.enum(['spot', 'futures']);
export type MarketKind = z.infer<typeof marketKind>;

/** Of a list: `all` is both kinds in one order. */
export const marketKinds = z
  .enum([...marketKind.options, 'all'])
  .describe('Where no symbol is given; left out it is spot, and perpetuals are not in the list');

export const orderState = z.enum(['PENDING', 'APPROVED', 'DISSAPROVED', 'DECLINED']);

/**
 * A limit order that is traded in slices of about the same size at equal intervals, the first at once. Each slice is
 * immediate or cancelled; what it did not get is left to the later ones, and what remains at the end is tried once more
 * and then cancelled. Slices that the exchange missed are traded one at a time, and it ends later by as much. What the whole order
 * can cost is held from the beginning. 5 seconds to 24 hours, 2 to 1,000 slices.
 */
const twap = z.strictObject({
  duration_seconds: z.number().int().min(5).max(86_400),
  interval_seconds: z.number().int().min(1).max(86_400),
});

/** How far a TWAP is. */
export const orderTwap = z.object({
  interval_seconds: z.number().int(),
  slices: z.number().int(),
  /** Slices that were due, also those that got nothing. */
  slices_done: z.number().int(),
  /** Ms; null once it has ended. */
  next_slice_at: z.number().int().nullable(),
  /** Ms; later than planned by the slices that the exchange missed. */
  ends_at: z.number().int(),
});

export type OrderTwap = z.infer<typeof orderTwap>;

export const order = z.object({
  id: z.string(),
  client_order_id: z.string().optional().describe('Where the client gave one'),
  delegate_type: delegateType,
  number_of_order: decimalOut.describe('Base quantity asked for; empty for a market order by total'),
  final_price: decimalOut.describe('Limit price; at market the average price of what was filled'),
  state: orderState.describe('PENDING open or untriggered, APPROVED filled, DISSAPROVED cancelled'),
  coin_pair: z.object({ pair_name: z.string(), coin_pair_name: z.string() }),
  type: z.enum(['market', 'limit', 'convert']),
  total: decimalOut.describe(
    'USDT: limit price × quantity, or at market what was traded for; what an untriggered one may spend where it says so',
  ),
  filled: decimalOut,
  remaining: decimalOut,
  average_price: decimalOut.describe(
    'Of what was filled, rounded to the nearest tick; the exact amounts are in the fills',
  ),
  fee: decimalOut.describe('What was paid, in fee_coin'),
  fee_coin: z.string(),
  time_in_force: timeInForce,
  reason: z.string().describe('Why it ended; empty while open or filled'),
  /**
   * On a conditional order only, from its placing to its end. Until it triggers, `state` is PENDING, and `type`,
   * `final_price` and `total` are those of its stop, or of its take-profit where it has no stop.
   */
  trigger: orderTrigger.optional(),
  /** On an order of a perpetual that opens nothing. */
  reduce_only: z.literal(true).optional(),
  /** On an order of a perpetual in hedge mode: the position that it opens or closes. */
  position_side: positionSide.optional(),
  /** On an iceberg only: how much of it the book shows at a time. */
  visible_quantity: decimalOut.optional(),
  /** On a TWAP only, whose `type` is limit. */
  twap: orderTwap.optional(),
  /** On an entry order only, with its take-profit and stop-loss. */
  exits: orderExits.optional(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});

export type Order = z.infer<typeof order>;

export const fill = z.object({
  id: z.string().describe('The tradeId of market data'),
  order_id: z.string(),
  /** On a fill of a conversion only. */
  type: z.literal('convert').optional(),
  delegate_type: delegateType,
  coin_pair: z.object({ pair_name: z.string(), coin_pair_name: z.string() }),
  price: decimalOut,
  quantity: decimalOut,
  total: decimalOut.describe('Exactly price × quantity'),
  fee: decimalOut.describe('What was paid, in fee_coin: on a spot market the coin that was received'),
  fee_coin: z.string(),
  role: z.enum(['maker', 'taker']),
  created_at: z.number().int(),
});

export type Fill = z.infer<typeof fill>;

const MOST_SLIPPAGE_PERCENT = 50;

/** How much worse than the price that the client saw a market order may trade. */
const slippagePercent = decimal
  .refine((text) => /^\d{1,2}(\.\d{1,2})?$/.test(text) && Number(text) <= MOST_SLIPPAGE_PERCENT, {
    message: 'Use a percentage from 0 to 50 with at most two decimals',
  })
  .describe('Percent; 1 unless given');

const placed = z.object({
  message: z.enum(['success', 'wrong_transaction_password']),
  order: order.optional(),
});

/**
 * The documented order call. `market_type` or `trade_type` `limit` makes a limit order at `order_per_unit`. On a market order
 * `order_per_unit` is the price that the client saw: where the book is worse by more than `slippage_percent`, the order is
 * refused with PRICE_MOVED and nothing is done. `total` counts when `number_of_order` is absent.
 */
export const myOrder = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v2/my-order',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: ['transaction_password'] },
  tag,
  summary: 'Place a spot order (documented form)',
  query: z
    .object({
      name: pairName,
      delegate_type: delegateType,
      number_of_order: decimal.or(z.literal('')).optional(),
      total: decimal.or(z.literal('')).optional(),
      order_per_unit: decimal
        .or(z.literal(''))
        .optional()
        .describe('The limit price; on a market order the price that the client saw'),
      trade_type: z.enum(['market', 'limit', 'convert']).default('market'),
      market_type: z.string().max(20).optional(),
      slippage_percent: slippagePercent.default('1'),
      transaction_password: password.default(''),
    })
    .refine((query) => query.number_of_order || query.total, {
      path: ['number_of_order'],
      message: 'Amount is required',
    }),
  answer: placed,
  sensitive: true,
});

/**
 * A term, chosen with what opens a position: until it ends the position cannot be reduced, unless its income is at or above the
 * target or its total assets (margin and income) are at or below the floor. It pays the maker's fee. Only with an order that is
 * immediate, where neither a position nor an order is open; the bounds are in the settings of the market.
 */
export const termFields = {
  term_days: z.number().int().min(1).max(365).optional(),
  /** USDT. */
  target_income: decimal.optional(),
  /** USDT; 0 without it. */
  funds_floor: decimal.optional(),
};

export interface TermFields {
  readonly term_days?: number | undefined;
  readonly target_income?: string | undefined;
  readonly funds_floor?: string | undefined;
}

/** A term has a target, and neither target nor floor is without a term. */
export const isWholeTerm = (order: TermFields): boolean =>
  order.term_days === undefined
    ? order.target_income === undefined && order.funds_floor === undefined
    : order.target_income !== undefined;

export const notWholeTerm = { path: ['target_income'], message: 'A term needs its days and a target' };

/** Here and below: a field that is not known is refused. Left out in silence, a misspelled one makes another order of it. */
const orderFields = z.strictObject({
  symbol: pairName,
  side: delegateType,
  type: z.enum(['limit', 'market']),
  time_in_force: timeInForce.optional(),
  price: decimal.optional(),
  quantity: decimal.optional(),
  quote_total: decimal.optional().describe('Of a market order of a spot market, instead of quantity: USDT'),
  self_trade: selfTradeMode.optional().describe('Which gives way where it would meet an order of yours; CANCEL_NEWEST'),
  client_order_id: clientOrderId.optional().describe('Unique among your open orders'),
  /** An iceberg: how much of a limit order the book shows at a time. Each next part goes to the end of its queue. */
  visible_quantity: decimal.optional(),
  /** Take-profit and stop-loss of what the order fills. */
  exits: attachedExits.optional(),
  /** A TWAP; `type` is limit, without `time_in_force`, `visible_quantity` and `exits`. */
  twap: twap.optional(),
  /** Of a perpetual: it only makes a position smaller. It gives way to later orders that close the same. */
  reduce_only: z.boolean().optional(),
  /** Of a perpetual in hedge mode, and always there. A sell of `long` or a buy of `short` only reduces. */
  position_side: positionSide.optional(),
  ...termFields,
});

/** At market there is no price to keep to, and no waiting. */
export const MARKET_HAS_NO_PRICE = msg('A market order has no price. Leave it out, or place a limit order');
export const MARKET_NEVER_WAITS = msg('A market order is IOC or FOK');

type Terms = Pick<z.infer<typeof orderFields>, 'type' | 'price' | 'time_in_force' | 'quantity' | 'quote_total'>;

/** Whether what is not filled at once is to stay in the book. */
export const isResting = ({ time_in_force: term }: Pick<Terms, 'time_in_force'>): boolean =>
  term === 'GTC' || term === 'POST_ONLY';

/** What an order of its kind cannot keep to is refused: one with a price that it does not keep to is another order. */
function refuseStrange(order: Terms, context: z.RefinementCtx): void {
  const isAtMarket = order.type === 'market';
  const refuse = (field: keyof Terms, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  if (isAtMarket && order.price !== undefined) refuse('price', MARKET_HAS_NO_PRICE);
  if (isAtMarket && isResting(order)) refuse('time_in_force', MARKET_NEVER_WAITS);
  if (order.quantity !== undefined && order.quote_total !== undefined) {
    refuse('quote_total', msg('Give a quantity or a total, not both'));
  }
}

/** Our own order call: every option of the engine. Takes an `Idempotency-Key` header. */
export const placeOrder = defineCall({
  methods: ['POST'],
  path: '/api/v3/orders',
  op: 'place',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: ['transaction_password'] },
  tag,
  summary: 'Place an order',
  body: orderFields
    .extend({ transaction_password: password.optional() })
    .refine(isWholeTerm, notWholeTerm)
    .superRefine(refuseStrange),
  answer: placed,
  sensitive: true,
});

/** Of one order in a list. Codes `UNAVAILABLE`: nothing was done; `OUTCOME_UNKNOWN`: ask with the same key. */
const result = z.union([
  z.object({ message: z.literal('success'), order }),
  z.object({ message: z.literal('refused'), code: z.string(), detail: z.string() }),
]);

/** For programs that quote: each order stands for itself, in the order given; the others do not wait on a refusal. */
export const placeOrders = defineCall({
  methods: ['POST'],
  path: '/api/v3/orders/batch',
  op: 'place-many',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: ['orders', 'transaction_password'] },
  tag,
  summary: 'Place up to 20 orders at once; one Idempotency-Key covers them all',
  body: z.strictObject({
    orders: z
      .array(orderFields.refine(isWholeTerm, notWholeTerm).superRefine(refuseStrange))
      .min(1, 'Send at least one order')
      .max(20, 'Send at most 20 orders'),
    transaction_password: password.optional(),
  }),
  answer: z.object({
    message: z.enum(['success', 'wrong_transaction_password']),
    /** As many as were sent, in their order; empty after a wrong transaction password. */
    results: z.array(result),
  }),
  sensitive: true,
});

/** Orders that a price triggers: stop, take-profit, OCO and trailing stop. Takes an `Idempotency-Key` header. */
export const placeConditionalOrder = defineCall({
  methods: ['POST'],
  path: '/api/v3/orders/conditional',
  op: 'place-conditional',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: ['transaction_password'] },
  tag,
  summary: 'Place an order that its trigger price places; what it needs is held until then',
  body: conditionalOrder,
  answer: placed,
  sensitive: true,
});

export const amendConditionalOrder = defineCall({
  methods: ['PATCH'],
  path: '/api/v3/orders/conditional/:id',
  op: 'amend-conditional',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: ['transaction_password'] },
  tag,
  summary: 'Change the trigger or limit prices of an untriggered order',
  params: z.object({ id: orderName }),
  body: conditionalAmendment,
  answer: placed,
  sensitive: true,
});

export const cancelOrder = defineCall({
  methods: ['DELETE'],
  path: '/api/v3/orders/:id',
  op: 'cancel',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: [] },
  tag,
  summary: 'Cancel an open or untriggered order',
  params: z.object({ id: orderName }),
  answer: z.object({ message: z.literal('success'), order }),
});

/** Each order stands for itself, in the order given. */
export const cancelOrders = defineCall({
  methods: ['POST'],
  path: '/api/v3/orders/cancel',
  op: 'cancel-many',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: ['ids'] },
  tag,
  summary: 'Cancel up to 20 open or untriggered orders; one Idempotency-Key covers them all',
  body: z.strictObject({
    ids: z.array(orderName).min(1, 'Send at least one order').max(20, 'Send at most 20 orders'),
  }),
  answer: z.object({
    message: z.literal('success'),
    /** As many as were sent, in their order. */
    results: z.array(result),
  }),
});

/** Without `market` one command: everything that was open or untriggered at that moment is cancelled together. */
export const cancelAllOrders = defineCall({
  methods: ['POST'],
  path: '/api/v3/orders/cancel-all',
  op: 'cancel-all',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: [] },
  tag,
  summary:
    'Cancel every open and untriggered order, of one pair, of all spot or perpetual markets, or of all; of one side if named',
  body: z.strictObject({
    symbol: pairName.optional(),
    market: marketKind.optional(),
    /** Both sides where absent. */
    side: z.enum(['BUY', 'SELL']).optional(),
  }),
  answer: z.object({
    message: z.literal('success'),
    /** How many were cancelled; 0 when an Idempotency-Key is repeated after the server was restarted. */
    cancelled: z.number().int(),
  }),
});

export const amendOrder = defineCall({
  methods: ['PATCH'],
  path: '/api/v3/orders/:id',
  op: 'amend',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: ['transaction_password'] },
  tag,
  summary: 'Change price or total quantity; less quantity keeps the place in the queue, a new price loses it',
  params: z.object({ id: orderName }),
  body: z
    .strictObject({
      price: decimal.optional(),
      quantity: decimal.optional(),
      transaction_password: password.optional(),
    })
    .refine((body) => body.price !== undefined || body.quantity !== undefined, {
      path: ['price'],
      message: 'Enter a new price, a new quantity, or both',
    }),
  answer: placed,
  sensitive: true,
});

/** For programs that missed what became of it; who placed it under an Idempotency-Key hears that from the same key too. */
export const oneOrder = defineCall({
  methods: ['GET'],
  path: '/api/v3/orders/:id',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'One order by its id, whatever became of it; by client:… while it is open or untriggered',
  params: z.object({ id: orderName }),
  answer: z.object({ order }),
});

export const getOrder = defineCall({
  methods: ['GET'],
  path: '/api/v3/getOrder',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Smallest sell (coin), smallest buy (USDT), price band and own fees of a pair; the string 0 means none',
  query: z.object({ symbol: pairName }),
  answer: z.object({
    price: z.object({
      /** In the base coin. */
      minimum_sell: decimalOut,
      /** Smallest buy, in the base coin for AMOUNT; see `minimum_total` for Total. */
      account_balance_limit_spot: decimalOut,
      /** Smallest order value, USDT. */
      minimum_total: decimalOut,
      /** How far from the last price a limit may be, in percent; 0 for no such bound. */
      price_band_percent: decimalOut,
      maker_fee_percent: decimalOut,
      taker_fee_percent: decimalOut,
      /** Of the client, in the quote coin; pays before a fee is charged. */
      fee_credit: decimalOut,
    }),
  }),
});

export const openOrders = defineCall({
  methods: ['GET'],
  path: '/api/v3/trades/open-orders',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Open and untriggered orders, newest first',
  query: page.extend({ symbol: pairName.optional(), market: marketKinds.default('spot') }).strict(),
  answer: z.object({ orders: z.array(order) }),
});

const sideRecord = z.object({
  id: z.string(),
  coin_pair: z.object({ pair_name: z.string(), coin_pair_name: z.string() }),
  final_price: decimalOut,
  number_of_order: decimalOut,
  /** What it may spend, where it is at market and has no amount of its own until it is filled. */
  total: decimalOut,
  state: orderState,
  created_at: z.number().int(),
});

export const buyHistory = defineCall({
  methods: ['GET'],
  path: '/api/v3/buy-history',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Buy orders, newest first; APPROVED filled, DISSAPROVED cancelled',
  query: page,
  answer: z.object({ buy: z.array(sideRecord) }),
});

export const sellHistory = defineCall({
  methods: ['GET'],
  path: '/api/v3/sell-history',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Sell orders, newest first; APPROVED filled, DECLINED cancelled',
  query: page,
  answer: z.object({ sell: z.array(sideRecord) }),
});
