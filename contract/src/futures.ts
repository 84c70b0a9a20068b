/** Perpetual futures: positions, leverage, margin and funding. Orders of a perpetual go by the calls of `trading.ts`. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimal, decimalOut, pairName, positionSide, rowId, timeInForce, timeMs } from './fields.ts';
import { perpetualTerms } from './perpetuals.ts';
import {
  isResting,
  isWholeTerm,
  MARKET_HAS_NO_PRICE,
  MARKET_NEVER_WAITS,
  notWholeTerm,
  order,
  termFields,
} from './trading.ts';

const tag = 'Futures';
const password = z.string().max(256);
export const pair = z.object({ pair_name: z.string(), coin_pair_name: z.string() });

/** `isolated`: a position has a margin of its own and loses no more; `cross`: the whole futures wallet backs it. */
export const marginMode = z.enum(['cross', 'isolated']);
export type MarginMode = z.infer<typeof marginMode>;

export type PositionSide = z.infer<typeof positionSide>;

/** One position in a market, or a long and a short one side by side. */
export const positionMode = z.enum(['one-way', 'hedge']);
export type PositionMode = z.infer<typeof positionMode>;

/** Until when a position cannot be reduced, and from when on it can all the same. Income counts less the funding that is owed. */
export const positionTerm = z.object({
  days: z.number().int(),
  started_at: timeMs,
  ends_at: timeMs,
  /** USDT: it may be closed early at or above this income. */
  target_income: decimalOut,
  /** USDT: it may be closed early at or below these total assets. */
  funds_floor: decimalOut,
  /** USDT: comes off the fees of closing after the term. Lots that are closed before lose their share of it. */
  fee_discount: decimalOut,
  /** Whether it may be closed now. */
  may_close: z.boolean(),
});
export type PositionTerm = z.infer<typeof positionTerm>;

/** Prices and amounts are in the settlement coin, USDT; quantities in the coin that is traded. */
export const position = z.object({
  /** The same each time that the client has such a position; in hedge mode the long and the short of a market have one each. */
  id: z.string(),
  coin_pair: pair,
  side: positionSide,
  /** In hedge mode only; the same as `side`. */
  position_side: positionSide.optional(),
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
  /** Margin and income less the funding that is owed: what equity, liquidation price and a term's floor count. */
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
  /**
   * The price at which nothing is left, other cross positions at their marks, and in hedge mode both legs at this price; null where
   * something is left at every price.
   */
  bankruptcy_price: decimalOut.nullable(),
  /** Maintenance over what backs the position, that of the wallet where it is cross: at 1 it is liquidated. */
  margin_ratio: decimalOut,
  /** In which fifth of its side the position is by its rank: one in the fifth is closed first where positions are deleveraged. */
  deleveraging_light: z.number().int().min(1).max(5).optional(),
  /** Where one was chosen when the position was opened; it stays until the position is closed, also after its end. */
  term: positionTerm.nullable().optional(),
});

export type FuturesPosition = z.infer<typeof position>;

/** The futures wallet's USDT. */
export const futuresAccount = z.object({
  coin: z.string(),
  /** Everything in the wallet, what orders and isolated positions hold included, before what is unrealised. */
  balance: decimalOut,
  /** `balance` and `unrealised` together. */
  equity: decimalOut,
  /** May be ordered with or taken out. */
  free: decimalOut,
  /** Held by open orders. */
  order_margin: decimalOut,
  /** Initial margin of cross positions, and the margins of isolated ones. */
  position_margin: decimalOut,
  /** Income of all positions less the funding that they owe. */
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
        /** Days of the term; null without one. */
        duration: z.number().int().nullable(),
        /** Ms since 1970: when the position was opened. */
        start_date: timeMs,
        /** The end of the term. */
        end_date: timeMs.nullable(),
      }),
    ),
  }),
});

const legSettings = z.object({ leverage: z.number().int(), margin_mode: marginMode });

/** In hedge mode leverage and margin mode are those of the position that was named, of the long where none was. */
const settings = legSettings.extend({
  position_mode: positionMode.optional(),
  /** In hedge mode only: those of both positions. */
  legs: z.object({ long: legSettings, short: legSettings }).optional(),
});

/** What may be chosen as a term, and what it costs. */
export const termOffer = z.object({
  days: z.array(z.number().int()),
  /** Of the initial margin that the position is opened with. */
  minimum_target_percent: decimalOut,
  maximum_floor_percent: decimalOut,
  /** Of what opens the position: the taker's fee, as without a term. */
  fee_percent: decimalOut,
  /** Of what opened the position: comes off the fees of closing it after its term. */
  discount_percent: decimalOut,
});
export type TermOffer = z.infer<typeof termOffer>;

export const futuresSettings = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/settings',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'The client’s leverage and margin mode in a market, and what the market asks for',
  query: z.strictObject({ symbol: pairName, position_side: positionSide.optional() }),
  answer: perpetualTerms.extend({
    ...settings.shape,
    coin_pair: pair,
    /** Of the market's first tier. */
    maximum_leverage: z.number().int(),
    /** Whether the exchange's form offers to sell empty; the calls take such orders always. */
    sells_empty: z.boolean(),
    terms: termOffer.optional(),
  }),
});

/** Both together. What open orders reserve moves with the leverage, or all stays as it was; a new margin mode is refused while an order or a position is open. */
export const changeLeverage = defineCall({
  methods: ['PATCH'],
  path: '/api/v3/futures/leverage',
  op: 'futures-leverage',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: [] },
  tag,
  summary:
    'Set leverage and margin mode in a market; what is left out stays as it is, and the reserves of open orders follow',
  body: z.strictObject({
    symbol: pairName,
    leverage: z.number().int().min(1).max(200).optional(),
    margin_mode: marginMode.optional(),
    /** In hedge mode, and always there. */
    position_side: positionSide.optional(),
  }),
  answer: settings.extend({ message: z.literal('success') }),
});

/** Refused while a position, an order or an untriggered order is open in the market. Takes an `Idempotency-Key` header. */
export const changePositionMode = defineCall({
  methods: ['PATCH'],
  path: '/api/v3/futures/position-mode',
  op: 'futures-position-mode',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: [] },
  tag,
  summary: 'Choose one position in a market, or a long and a short one side by side',
  body: z.strictObject({ symbol: pairName, position_mode: positionMode }),
  answer: settings.extend({ message: z.literal('success') }),
});

/** Takes an `Idempotency-Key` header. */
export const changeMargin = defineCall({
  methods: ['POST'],
  path: '/api/v3/futures/margin',
  op: 'futures-margin',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: [] },
  tag,
  summary: 'Add to the margin of an isolated position, or take out what its leverage does not need',
  body: z.strictObject({
    symbol: pairName,
    /** USDT; below zero to take out. */
    amount: z
      .string()
      .trim()
      .max(40, 'Use at most {{maximum}} characters')
      .regex(/^-?\d+(\.\d+)?$/, 'Enter a plain decimal number such as 0.25'),
    /** In hedge mode, and always there. */
    position_side: positionSide.optional(),
  }),
  answer: z.object({ message: z.literal('success'), position: position.optional() }),
});

const placed = z.object({
  message: z.enum(['success', 'wrong_transaction_password']),
  order: order.optional(),
});

/** A position of more than the market's largest order is closed, or reversed, in one step by as many orders as that needs. */
const inParts = z.object({
  /** All of them, the first included. */
  order_ids: z.array(rowId).max(1_000),
  /** What was to be traded: all together have so much filled, and so much rests in the book. The rest is not closed. */
  quantity: decimalOut,
  filled: decimalOut,
  open: decimalOut,
  /** Why the last order was cancelled, or one behind it refused; empty where neither was. */
  reason: z.string(),
});
export type ClosedInParts = z.infer<typeof inParts>;

/** The order that closed a position, of several the first. */
const closing = { order: order.optional(), in_parts: inParts.optional() };

const closed = z.union([
  z.object({
    /** `closeRequest`: an order rests, wholly or in part. */
    message: z.enum(['success', 'closeRequest', 'wrong_transaction_password']),
    ...closing,
  }),
  /** The position has a term that has not ended, and neither its target nor its floor is reached: nothing was closed. */
  z.object({
    message: z.literal('closePositionError'),
    /** Begun days count. */
    daysLeft: z.number().int(),
    /** USDT: the income from which on it may be closed. */
    futureTarget: decimalOut,
    /** USDT: the total assets down from which it may be closed. */
    futureFundsToAdd: decimalOut,
    end_date: timeMs,
  }),
]);

/** What is said with `symbol` alone. */
const TERMS_OF_CLOSING = ['position_side', 'price', 'time_in_force', 'quantity', 'share_percent'] as const;

/**
 * Places an order that only reduces; without quantity and share it closes everything. What is more than the market's largest order
 * is closed in one step by several, at most 1,000, up to the first that finds too little: `in_parts` says how far they have come. With
 * `FOK` all of it is closed or nothing. With `future_id` it is the documented call, which closes all of the position and takes no
 * terms of its own. Takes an `Idempotency-Key` header.
 */
export const closePosition = defineCall({
  methods: ['POST'],
  path: '/api/v3/futures/close',
  op: 'futures-close',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: ['transaction_password'] },
  tag,
  summary: 'Close a position or a part of it, at market or at a limit',
  body: z
    .strictObject({
      symbol: pairName.optional(),
      /** With `symbol` in hedge mode, and always there. */
      position_side: positionSide.optional(),
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
    })
    .refine(({ type, price, future_id }) => type === 'limit' || price === undefined || future_id !== undefined, {
      path: ['price'],
      message: MARKET_HAS_NO_PRICE,
    })
    .refine((body) => body.type === 'limit' || !isResting(body) || body.future_id !== undefined, {
      path: ['time_in_force'],
      message: MARKET_NEVER_WAITS,
    })
    .superRefine((body, context) => {
      if (body.future_id === undefined) return;
      const given = TERMS_OF_CLOSING.filter((field) => body[field] !== undefined);
      for (const field of body.type === 'limit' ? ['type', ...given] : given) {
        context.addIssue({
          ...{ code: 'custom', path: [field] },
          message: 'With future_id all of the position is closed. Leave this field out, or give symbol instead',
        });
      }
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
  idempotent: { except: ['transaction_password'] },
  tag,
  summary: 'Close a position (documented form)',
  query: z.object({ future_id: rowId, transaction_password: password.optional() }),
  answer: closed,
  sensitive: true,
  changesState: true,
});

/**
 * Closes the position and opens the opposite one of the same quantity in one step, by one order at market or, as closing does, by
 * several. It is refused where your funds do not cover all of it; how far the book went says the order, or `in_parts`. Refused in hedge
 * mode.
 */
export const reversePosition = defineCall({
  methods: ['POST'],
  path: '/api/v3/futures/reverse',
  op: 'futures-reverse',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: ['transaction_password'] },
  tag,
  summary: 'Reverse a position at market',
  body: z.strictObject({ symbol: pairName, transaction_password: password.optional() }),
  answer: placed.extend(closing),
  sensitive: true,
});

/**
 * The documented opening call; a margin of so much USDT, times the leverage, is what is bought or sold. In hedge mode it opens
 * the long or the short.
 */
export const buyMore = defineCall({
  methods: ['POST'],
  path: '/api/v2/buy-more',
  access: 'trader',
  keys: 'trade',
  idempotent: { except: ['transaction_password'] },
  tag,
  summary: 'Open or increase a position (documented form)',
  body: z
    .object({
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
      /** The worst price: what is not traded at once rests there, or with a term is cancelled. At market without one. */
      opening_price: decimal.or(z.literal('')).optional(),
      transaction_password: password.optional(),
      ...termFields,
    })
    .refine(isWholeTerm, notWholeTerm),
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
  anyOrigin: true,
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

export const insuranceFund = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/insurance',
  access: 'public',
  anyOrigin: true,
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
