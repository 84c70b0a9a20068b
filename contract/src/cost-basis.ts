/** What a client's coins have cost, and what selling them has gained. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimalOut } from './fields.ts';

export const costBasis = defineCall({
  methods: ['GET'],
  path: '/api/v3/wallets/cost-basis',
  access: 'holder',
  keys: 'read',
  tag: 'Wallets',
  summary: 'Average cost and realized profit of each coin, by weighted average in USDT',
  answer: z.object({
    /** False while a long history is still being read: figures come once it is. */
    complete: z.boolean(),
    /** Every coin but USDT that was ever held, in all wallets together. Null where it is not known. */
    coins: z.array(
      z.object({
        name: z.string(),
        /** What is held and counted. */
        quantity: decimalOut,
        /** Of one coin, fees included; null where nothing is held, or where coins came in while they had no price. */
        average_cost: decimalOut.nullable(),
        /** Of all that is held. */
        cost: decimalOut.nullable(),
        /** By all sales after fees; null once coins of unknown cost were sold. */
        realized: decimalOut.nullable(),
        /** The same since midnight UTC. */
        realized_today: decimalOut.nullable(),
      }),
    ),
  }),
});
