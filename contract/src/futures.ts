/** Perpetual futures: positions, leverage, margin and funding. Orders of a perpetual go by the calls of `trading.ts`. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimal, decimalOut, page, pairName, rowId, timeInForce, timeMs } from './fields.ts';
import { isInOrder, notInOrder, when } from './histories.ts';
import { perpetualTerms } from './perpetuals.ts';
import { order } from './trading.ts';

const tag = 'Futures';
const password = z.string().max(256);
const pair = z.object({ pair_name: z.string(), coin_pair_name: z.string() });

/** `isolated`: a position has a margin of its own and loses no more; `cross`: the whole futures wallet backs it. */
export const marginMode = z.enum(['cross', 'isolated']);
export type MarginMode = z.infer<typeof marginMode>;

export const positionSide = z.enum(['long', 'short']);
export type PositionSide = z.infer<typeof positionSide>;

/** Prices and amounts are in the settlement coin, USDT; quantities in the coin that is traded. */
export const position = z.object({
  /** Of the market: a client has one position at most in each. */
  id: z.string(),
  coin_pair: pair,
  side: positionSide,
  quantity: decimalOut,
  leverage: z.number().int(),
  margin_mode: marginMode,
  /** The average price of what is open. */
  opening_price: decimalOut,
  /** What the open quantity was opened for, exactly: `opening_price` is rounded. */
  cost: decimalOut,
  mark_price: decimalOut,
  /** At the mark price. */
  value: decimalOut,
  /** Of an isolated position its own margin; of a cross one what its leverage asks for. */
  margin: decimalOut,
  /** What was added to the margin of an isolated position beyond its leverage; below zero where funding has taken from it. */
  total_top_up: decimalOut,
  /** Margin and income together. */
  total_asset: decimalOut,
  /** Unrealised, at the mark price, before the fee of closing and the funding that is owed. */
  income: decimalOut,
  /** Income over the initial margin; 0.1 is 10 %. */
  rate_of_return: decimalOut,
  /** Funding since the position was last changed; below zero is to be received. */
  funding_owed: decimalOut,
  /** What must be there so that the position is not liquidated: maintenance margin and the fee of closing. */
  maintenance_margin: decimalOut,
  /** The first mark price that liquidates; null where no price does. */
  estimated_force_parity: decimalOut.nullable(),
  /** The price at which nothing is left. */
  bankruptcy_price: decimalOut.nullable(),
  /** Maintenance over what backs the position, that of the wallet where it is cross: at 1 it is liquidated. */
  margin_ratio: decimalOut,
});

export type FuturesPosition = z.infer<typeof position>;

/** The futures wallet's USDT. */
export const futuresAccount = z.object({
  coin: z.string(),
  /** Everything in the wallet, what orders and isolated positions hold included, before what is unrealised. */
  balance: decimalOut,
  /** Balance and unrealised profit of all positions. */
  equity: decimalOut,
  /** May be ordered with or taken out. */
  free: decimalOut,
  /** Held by open orders. */
  order_margin: decimalOut,
  /** Initial margin of cross positions, and the margins of isolated ones. */
  position_margin: decimalOut,
  unrealised: decimalOut,
  /** Of cross positions together. */
  maintenance_margin: decimalOut,
  /** Of cross positions: maintenance over what backs them; 0 without any. At 1 they are liquidated. */
  margin_ratio: decimalOut,
});

export type FuturesAccount = z.infer<typeof futuresAccount>;

export const positions = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/positions',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Open positions by market, and the figures of the futures wallet',
  answer: z.object({ positions: z.array(position), account: futuresAccount }),
});

/** The fields of the wallet view stand beside those of the position. */
export const clientMargin = defineCall({
  methods: ['GET'],
  path: '/api/v2/client-margin',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Open positions (documented form)',
  answer: z.object({
    margin: z.array(
      position.extend({
        /** The same as `quantity`. */
        open_interest: decimalOut,
        /** The same as `mark_price`. */
        current_price: decimalOut,
        /** Perpetual positions have no term: null. */
        duration: z.number().int().nullable(),
        /** Ms since 1970: when the position was opened. */
        start_date: timeMs,
        end_date: timeMs.nullable(),
      }),
    ),
  }),
});

const settings = z.object({ leverage: z.number().int(), margin_mode: marginMode });

export const futuresSettings = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/settings',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'The client’s leverage and margin mode in a market, and what the market asks for',
  query: z.object({ symbol: pairName }),
  answer: perpetualTerms.extend({
    ...settings.shape,
    coin_pair: pair,
    /** Of the market's first tier. */
    maximum_leverage: z.number().int(),
    /** Whether the exchange's form offers to sell empty; the calls take such orders always. */
    sells_empty: z.boolean(),
  }),
});

/** Both together; refused while orders are open in the market, and a new margin mode while a position is. */
export const changeLeverage = defineCall({
  methods: ['PATCH'],
  path: '/api/v3/futures/leverage',
  op: 'futures-leverage',
  access: 'trader',
  keys: 'trade',
  tag,
  summary: 'Set leverage and margin mode in a market; what is left out stays as it is',
  body: z.object({
    symbol: pairName,
    leverage: z.number().int().min(1).max(200).optional(),
    margin_mode: marginMode.optional(),
  }),
  answer: settings.extend({ message: z.literal('success') }),
});

/** Takes an `Idempotency-Key` header. */
export const changeMargin = defineCall({
  methods: ['POST'],
  path: '/api/v3/futures/margin',
  op: 'futures-margin',
  access: 'trader',
  keys: 'trade',
  tag,
  summary: 'Add to the margin of an isolated position, or take out what its leverage does not need',
  body: z.object({
    symbol: pairName,
    /** USDT; below zero to take out. */
    amount: z
      .string()
      .trim()
      .max(40, 'Use at most {{maximum}} characters')
      .regex(/^-?\d+(\.\d+)?$/, 'Enter a plain decimal number such as 0.25'),
  }),
  answer: z.object({ message: z.literal('success'), position: position.optional() }),
});

const placed = z.object({
  message: z.enum(['success', 'wrong_transaction_password']),
  order: order.optional(),
});

const closed = z.object({
  /** `closeRequest`: the order rests, wholly or in part. */
  message: z.enum(['success', 'closeRequest', 'wrong_transaction_password']),
  order: order.optional(),
});

/**
 * Places an order that only reduces; without quantity and share it closes everything. With `future_id` alone it is the
 * documented call. Takes an `Idempotency-Key` header.
 */
export const closePosition = defineCall({
  methods: ['POST'],
  path: '/api/v3/futures/close',
  op: 'futures-close',
  access: 'trader',
  keys: 'trade',
  tag,
  summary: 'Close a position or a part of it, at market or at a limit',
  body: z
    .object({
      symbol: pairName.optional(),
      /** Instead of `symbol`: the id of the position. */
      future_id: rowId.optional(),
      type: z.enum(['market', 'limit']).default('market'),
      price: decimal.optional(),
      time_in_force: timeInForce.optional(),
      quantity: decimal.optional(),
      /** Of what is open, rounded up to the market's smallest step. */
      share_percent: z.number().int().min(1).max(100).optional(),
      transaction_password: password.optional(),
    })
    .refine((body) => body.quantity === undefined || body.share_percent === undefined, {
      path: ['share_percent'],
      message: 'Give a quantity or a share, not both',
    })
    .refine((body) => (body.symbol === undefined) !== (body.future_id === undefined), {
      path: ['symbol'],
      message: 'Name a pair, such as BTC-USDT',
    }),
  answer: closed,
  sensitive: true,
});

/**
 * The documented closing call: all of a position, at the market. What no order takes at an acceptable price rests as an order
 * that only reduces.
 */
export const closeFuture = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/close',
  access: 'trader',
  keys: 'trade',
  tag,
  summary: 'Close a position (documented form)',
  query: z.object({ future_id: rowId, transaction_password: password.optional() }),
  answer: closed,
  sensitive: true,
  changesState: true,
});

/** Closes the position and opens the opposite one of the same quantity, by one order at market. */
export const reversePosition = defineCall({
  methods: ['POST'],
  path: '/api/v3/futures/reverse',
  op: 'futures-reverse',
  access: 'trader',
  keys: 'trade',
  tag,
  summary: 'Reverse a position at market',
  body: z.object({ symbol: pairName, transaction_password: password.optional() }),
  answer: placed,
  sensitive: true,
});

/** The documented opening call; a margin of so much USDT, times the leverage, is what is bought or sold. */
export const buyMore = defineCall({
  methods: ['POST'],
  path: '/api/v2/buy-more',
  access: 'trader',
  keys: 'trade',
  tag,
  summary: 'Open or increase a position (documented form)',
  body: z.object({
    name: pairName,
    delegate_type: z
      .string()
      .trim()
      .transform((text) => text.toUpperCase().replace(/[ -]/g, '_'))
      .pipe(z.enum(['BUY_MORE', 'SELL_EMPTY'])),
    margin: decimal,
    /** Whole, with or without x; that of the client's settings is changed to it. */
    leverage: z
      .union([z.number(), z.string()])
      .transform((value) => Number(String(value).trim().replace(/x/gi, '')))
      .pipe(z.number().int().min(1).max(200))
      .optional(),
    /** The worst price: what is not traded at once rests there. At market without one. */
    opening_price: decimal.or(z.literal('')).optional(),
    transaction_password: password.optional(),
  }),
  answer: placed,
  sensitive: true,
});

export const coinFuturePnl = defineCall({
  methods: ['GET'],
  path: '/api/v3/coin-future-pnl',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'What open positions have gained over their margin (documented names)',
  answer: z.object({
    /** USDT, unrealised at the mark prices. */
    spotProfit: decimalOut,
    /** Of their initial margin; null where nothing is open. */
    spotPercentage: decimalOut.nullable(),
  }),
});

/** One interval's funding of a market. */
const fundingRate = z.object({
  /** Ms since 1970. */
  time: timeMs,
  /** 0.0001 is 0.01 %; above zero longs pay shorts. */
  rate: decimalOut,
  mark_price: decimalOut,
});

export const fundingRates = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/funding-rates',
  access: 'public',
  tag,
  summary: 'The funding rate of a market, when it is next settled, and those before, newest first',
  query: z.object({
    symbol: pairName,
    limit: z.coerce.number().int().min(1).max(500).default(100),
    /** Of the last row of the page before. */
    before: z
      .string()
      .regex(/^\d{1,16}$/)
      .optional(),
  }),
  answer: z.object({
    coin_pair: pair,
    /** As it would be settled now; null before the first index. */
    rate: decimalOut.nullable(),
    /** Ms since 1970. */
    next_funding_at: timeMs.nullable(),
    interval_hours: z.number(),
    mark_price: decimalOut.nullable(),
    /** Null while it is lost: then no position is liquidated. */
    index_price: decimalOut.nullable(),
    history: z.array(fundingRate),
  }),
});

const historyFilter = { symbol: pairName.optional(), ...when };

/**
 * Why a position changed: `liquidation` is an order that the exchange made for its owner; `cover` takes what it has won where
 * another loss is to be paid; `compensation` is what the insurance pays beside a liquidation.
 */
export const positionCause = z.enum([
  ...(['trade', 'liquidation', 'deleveraging', 'funding', 'leverage', 'margin', 'cover', 'compensation'] as const),
]);

export const positionChange = z.object({
  id: z.string(),
  coin_pair: pair,
  cause: positionCause,
  /** Of a change by a trade. */
  trade_id: z.string().nullable(),
  /** What is open afterwards; null where nothing is. */
  side: positionSide.nullable(),
  quantity: decimalOut,
  /** What came or went: below zero is sold. */
  quantity_change: decimalOut,
  /** The average price of what is open; null where nothing is. */
  opening_price: decimalOut.nullable(),
  margin: decimalOut,
  leverage: z.number().int(),
  margin_mode: marginMode,
  /** What was closed has brought, before its fee. */
  realised: decimalOut,
  fee: decimalOut,
  /** Paid with this change; below zero was received. */
  funding: decimalOut,
  created_at: timeMs,
});

export type PositionChangeRow = z.infer<typeof positionChange>;

export const fundingPayment = z.object({
  id: z.string(),
  coin_pair: pair,
  side: positionSide,
  /** Open at the settlement. */
  quantity: decimalOut,
  rate: decimalOut,
  mark_price: decimalOut,
  /** Quantity × mark price × rate: below zero was received. It leaves the wallet with the next change of the position. */
  amount: decimalOut,
  created_at: timeMs,
});

export type FundingPayment = z.infer<typeof fundingPayment>;

export const liquidation = z.object({
  id: z.string(),
  /** `deleveraged`: closed against a position that was liquidated and that no order took. */
  kind: z.enum(['liquidated', 'deleveraged']),
  coin_pair: pair,
  /** Of the position. */
  side: positionSide,
  quantity: decimalOut,
  /** The mark price of a liquidation, the closing price of a deleveraging. */
  price: decimalOut,
  value: decimalOut,
  /** What the account had, and what its positions had to have; null of a deleveraging. */
  equity: decimalOut.nullable(),
  maintenance_margin: decimalOut.nullable(),
  created_at: timeMs,
});

export type Liquidation = z.infer<typeof liquidation>;

const listOf = page.extend(historyFilter).refine(isInOrder, notInOrder);
const fileOf = z.object(historyFilter).refine(isInOrder, notInOrder);

export const positionHistory = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/history/positions',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Each change of the client’s positions, newest first',
  query: listOf,
  answer: z.object({ changes: z.array(positionChange) }),
});

export const fundingHistory = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/history/funding',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Funding of the client’s positions, newest first',
  query: listOf,
  answer: z.object({ funding: z.array(fundingPayment) }),
});

export const liquidationHistory = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/history/liquidations',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Liquidations and deleveragings of the client’s positions, newest first',
  query: listOf,
  answer: z.object({ liquidations: z.array(liquidation) }),
});

/** As the files of other histories. */
function fileCall(name: string, what: string) {
  return defineCall({
    methods: ['GET'],
    path: `/api/v3/futures/history/${name}.csv`,
    access: 'holder',
    keys: 'read',
    tag,
    summary: `${what} as a CSV file, newest first, with the filters of the list`,
    query: fileOf,
    answer: z.string(),
  });
}

export const positionHistoryFile = fileCall('positions', 'Each change of the client’s positions');
export const fundingHistoryFile = fileCall('funding', 'Funding of the client’s positions');
export const liquidationHistoryFile = fileCall('liquidations', 'Liquidations and deleveragings');

export const insuranceFund = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/insurance',
  access: 'public',
  tag,
  summary: 'The insurance fund: what it has, and had at the end of each day (UTC)',
  answer: z.object({
    coin: z.string(),
    balance: decimalOut,
    /** Newest first, 90 at most; days without a change have the balance of the day before and are left out. */
    days: z.array(z.object({ time: timeMs, balance: decimalOut })),
  }),
  cacheSeconds: 10,
});
