/** What perpetuals are traded on: their terms, and their rates of this moment. Public, and as operators change them. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimalOut, timeMs } from './fields.ts';

/** As answers have them; percentages of a value. */
export const perpetualTerms = z.object({
  maker_fee_percent: decimalOut,
  taker_fee_percent: decimalOut,
  /** Ascending by value; a part of a position's value has the maintenance rate of the tier that it lies in. */
  tiers: z.array(
    z.object({
      /** Up to this value, USDT. */
      maximum_value: decimalOut,
      maximum_leverage: z.number().int(),
      maintenance_percent: decimalOut,
    }),
  ),
  funding: z.object({
    interval_hours: z.number(),
    /** Of an interval. */
    interest_percent: decimalOut,
    /** How far interest may pull the rate from the premium. */
    damp_percent: decimalOut,
    /** The highest rate in either direction. */
    cap_percent: decimalOut,
    /** The premium is that of an order of this value, USDT. */
    impact_value: decimalOut,
  }),
  /** How far the mark price may be from the index. */
  mark_clamp_percent: decimalOut,
});

export type PerpetualTermsOut = z.infer<typeof perpetualTerms>;

export const perpetuals = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/perpetuals',
  access: 'public',
  anyOrigin: true,
  tag: 'Futures',
  summary: 'Every perpetual with its terms, its prices, and the funding rate of this moment',
  answer: z.object({
    perpetuals: z.array(
      perpetualTerms.extend({
        pair_name: z.string(),
        coin: z.string(),
        /** Decimals of a price, and of a quantity. */
        price_scale: z.number().int(),
        quantity_scale: z.number().int(),
        /** Null until there was one, of the index also while it is lost. */
        mark_price: decimalOut.nullable(),
        index_price: decimalOut.nullable(),
        /** In the coin that is traded. */
        open_interest: decimalOut,
        /** Of the interval if it ended now; 0.0001 is 0.01 %. Null before the first index. */
        rate: decimalOut.nullable(),
        next_funding_at: timeMs.nullable(),
      }),
    ),
  }),
  cacheSeconds: 1,
});
