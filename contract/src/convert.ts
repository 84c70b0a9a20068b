/**
 * Conversions between USDT and a coin at a quoted price. The limit form of a conversion is an order: `my-order` with
 * trade_type `convert`, market_type `limit` and the client's ratio in `order_per_unit`.
 */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimal, decimalOut, delegateType } from './fields.ts';
import { order } from './trading.ts';
import { coinCode } from './transfers.ts';

const tag = 'Convert';

export const quote = z.object({
  id: z.string(),
  /** BUY when `from` is USDT, else SELL. */
  delegate_type: delegateType,
  pair_name: z.string(),
  from: z.string(),
  to: z.string(),
  /** What leaves the spot wallet at most; whole lots, so it may be a little less than was asked for. */
  from_amount: decimalOut,
  /** At the quoted price, before the fee. */
  to_amount: decimalOut,
  /** At most, in `to`. */
  fee: decimalOut,
  /** What arrives at least: `to_amount` less the fee. */
  receive: decimalOut,
  /**
   * USDT for one coin: the worst price of the book that the amount needs, and a margin for the seconds that the quote is
   * held. The conversion trades at the prices of the book: what they are better by is the client's.
   */
  price: decimalOut,
  /** The price from outside, or the last trade's where there is none. */
  reference_price: decimalOut,
  /** How much worse the price is than the reference, in percent; negative is better. */
  spread_percent: decimalOut,
  /** Ms since 1970. */
  expires_at: z.number().int(),
  /** The clock that `expires_at` counts by, when the quote was made. */
  quoted_at: z.number().int(),
});

export type Quote = z.infer<typeof quote>;

/** A quote is held for a few seconds, for the client who asked, and is good for one conversion. */
export const convertQuote = defineCall({
  methods: ['POST'],
  path: '/api/v3/convert/quote',
  access: 'trader',
  keys: 'never',
  tag,
  summary: 'A price for a conversion, by the amount given or the amount wanted',
  body: z
    .object({ from: coinCode, to: coinCode, from_amount: decimal.optional(), to_amount: decimal.optional() })
    .refine((body) => (body.from_amount === undefined) !== (body.to_amount === undefined), {
      path: ['from_amount'],
      message: 'Enter the amount to convert or the amount to receive',
    })
    .refine((body) => (body.from.toUpperCase() === 'USDT') !== (body.to.toUpperCase() === 'USDT'), {
      path: ['to'],
      message: 'Convert between USDT and a coin',
    }),
  answer: z.object({ quote }),
});

/** All of the quoted amount or nothing. The quote's id makes a retry harmless. */
export const convert = defineCall({
  methods: ['POST'],
  path: '/api/v3/convert',
  access: 'trader',
  keys: 'never',
  tag,
  summary: 'Convert at a quoted price',
  body: z.object({ quote_id: z.string().min(1).max(64), transaction_password: z.string().max(256).default('') }),
  answer: z.object({
    message: z.enum(['success', 'wrong_transaction_password']),
    order: order.optional(),
  }),
  sensitive: true,
});
