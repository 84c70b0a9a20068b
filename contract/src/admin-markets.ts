/** What an operator lists, changes, halts and delists. Every act has a reason, which the audit log keeps. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimalOut, decimalUpTo, LAST_TIME_MS, MOST_FEE_PERCENT, MOST_UNITS, reason } from './fields.ts';
import { pendingChange } from './pending-changes.ts';

const tag = 'Operations';
const success = z.object({ message: z.literal('success') });

const code = z
  .string()
  .trim()
  .regex(/^[A-Z0-9]{2,10}$/, 'Use 2 to 10 capital letters and digits');
const symbol = z
  .string()
  .trim()
  .regex(/^[A-Z0-9]{1,16}-[A-Z0-9]{1,16}(-SWAP)?$/, 'Name a pair as BTC-USDT');
const decimals = (most: number) => z.number().int().min(0, 'Use at least 0').max(most, 'Use at most {{maximum}}');

/** What may change while a pair trades. */
const limits = z.object({
  minimum_quantity: decimalUpTo(MOST_UNITS),
  maximum_quantity: decimalUpTo(MOST_UNITS),
  /** USDT that an order must be worth. */
  minimum_value: decimalUpTo(10_000),
  /** How far from the reference price (a perpetual: the mark) an order may trade; 0 switches the band off. */
  price_band_percent: decimalUpTo(50),
});

/** When an announced delisting closes a pair for new positions, and when it ends the pair; ms. */
const delisting = z.object({
  close_only_at: z.number().int().min(0).max(LAST_TIME_MS),
  ends_at: z.number().int().min(1).max(LAST_TIME_MS),
});

export const adminMarket = z.object({
  symbol: z.string(),
  coin: z.string(),
  state: z.enum(['trading', 'halted', 'paused', 'delisted']),
  /** Ms: when a pair goes on that pauses, because its price has come to the end of its band. */
  resume_at: z.number().int().nullable(),
  delisting: delisting.nullable(),
  price_decimals: z.number().int(),
  quantity_decimals: z.number().int(),
  minimum_quantity: decimalOut,
  maximum_quantity: decimalOut,
  minimum_value: decimalOut,
  price_band_percent: decimalOut,
  /** Empty until there is one. */
  last_price: decimalOut,
  open_orders: z.number().int(),
  untriggered_orders: z.number().int(),
});

export const adminMarkets = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/markets',
  access: 'operator:markets',
  audit: 'none',
  tag,
  summary: 'Every pair with its state, limits and orders, and the fees of who has no tier of their own',
  answer: z.object({
    markets: z.array(adminMarket),
    coins: z.array(z.object({ code: z.string(), decimals: z.number().int(), is_paired: z.boolean() })),
    /** What prices are in. */
    quote: z.object({ code: z.string(), decimals: z.number().int() }),
    maker_fee_percent: decimalOut,
    taker_fee_percent: decimalOut,
  }),
});

export const listCoin = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/coins',
  access: 'operator:markets',
  audit: { acts: ['list-coin'] },
  tag,
  stepUp: 'markets',
  summary: 'List a coin. Its code and decimals never change',
  body: z.object({ code, decimals: decimals(9), reason }),
  answer: success,
});

export const listMarket = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/markets',
  access: 'operator:markets',
  audit: { acts: ['list-market'] },
  tag,
  stepUp: 'markets',
  summary: 'List a pair of a coin and USDT; it trades at once. Its decimals never change',
  body: limits.extend({
    coin: code,
    price_decimals: decimals(9),
    quantity_decimals: decimals(9),
    /** The first orders are measured against it. */
    reference_price: decimalUpTo(MOST_UNITS),
    reason,
  }),
  answer: z.object({ message: z.literal('success'), market: adminMarket }),
});

export const changeMarket = defineCall({
  methods: ['PATCH'],
  path: '/api/v3/admin/markets/:symbol',
  access: 'operator:markets',
  audit: { acts: ['change-market', 'ask-change'] },
  secondPerson: 'loosening',
  stepUp: 'markets',
  tag,
  summary: 'Change the limits of a pair; orders that rest keep theirs',
  params: z.object({ symbol }),
  body: limits.extend({ reason }),
  answer: z.object({ message: z.literal('success'), market: adminMarket, pending: pendingChange.nullable() }),
});

export const announceDelisting = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/markets/:symbol/delisting',
  access: 'operator:markets',
  audit: { acts: ['announce-delisting', 'withdraw-delisting'] },
  tag,
  stepUp: 'markets',
  summary:
    'Announce when a pair ends, change that or withdraw it (null). Holders get a notice; from the close-only time on orders can only sell the coin or reduce a position',
  params: z.object({ symbol }),
  body: z.object({ delisting: delisting.nullable(), reason }),
  answer: z.object({ message: z.literal('success'), market: adminMarket, holders: z.number().int() }),
});

export const delistMarket = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/markets/:symbol/delist',
  access: 'operator:markets',
  audit: { acts: ['delist-market'] },
  tag,
  stepUp: 'markets',
  summary: 'Halt a pair, cancel all of its orders and end it for good. Its history stays; its name is not free again',
  params: z.object({ symbol }),
  body: z.object({
    /** The name of the pair once more, so that no slip ends one. */
    confirm: z.string().max(40, 'Use at most {{maximum}} characters'),
    reason,
  }),
  answer: z.object({ message: z.literal('success'), cancelled_orders: z.number().int() }),
});

export const setDefaultFees = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/default-fees',
  access: 'operator:markets',
  audit: { acts: ['set-default-fees'] },
  stepUp: 'markets',
  tag,
  summary: 'Set the fees of clients who have no tier of their own, from the next trade on',
  body: z.object({
    maker_fee_percent: decimalUpTo(MOST_FEE_PERCENT),
    taker_fee_percent: decimalUpTo(MOST_FEE_PERCENT),
    reason,
  }),
  answer: z.object({ message: z.literal('success'), maker_fee_percent: decimalOut, taker_fee_percent: decimalOut }),
});
