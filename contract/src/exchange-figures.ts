/** What the exchange says of itself to anyone. All of it is computed. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimalOut } from './fields.ts';

const tag = 'Exchange';

export const exchangeFigures = defineCall({
  methods: ['GET'],
  path: '/api/v3/exchange-figures',
  access: 'public',
  tag,
  summary: 'Pairs, fees, the volume of a day, and how fast orders are acknowledged',
  answer: z.object({
    /** Open for trading. */
    pairs: z.number().int(),
    /** Of an account without a VIP level, percent of what is received. */
    maker_fee_percent: decimalOut,
    taker_fee_percent: decimalOut,
    /** Whole USDT, over all pairs. */
    volume_24h: decimalOut,
    /** From the arrival of an order to the end of its commit, over all orders of the last hour; null without any. */
    acknowledgement: z.object({ orders: z.number().int(), p50_ms: decimalOut, p99_ms: decimalOut }).nullable(),
  }),
  cacheSeconds: 10,
});

export const feeTiers = defineCall({
  methods: ['GET'],
  path: '/api/v3/fee-tiers',
  access: 'public',
  anyOrigin: true,
  tag,
  summary: 'Trading fees by VIP level; level 0 is what every account begins with',
  answer: z.object({
    tiers: z.array(
      z.object({
        level: z.number().int(),
        /** Percent of what is received. */
        maker_fee_percent: decimalOut,
        taker_fee_percent: decimalOut,
      }),
    ),
  }),
  cacheSeconds: 10,
});
