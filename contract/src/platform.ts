/** What kind of exchange this is, so that a simulation is not taken for a market. */
import { z } from 'zod';
import { defineCall } from './call.ts';

export const platform = defineCall({
  methods: ['GET'],
  path: '/api/v3/platform',
  access: 'public',
  tag: 'Markets',
  summary:
    'Where prices come from, whether the market maker trades with itself, and whether this is a development server',
  answer: z.object({
    /** `simulated`: made up; `okx`: around a public feed's prices; `none`: only clients trade. */
    market: z.enum(['simulated', 'okx', 'none']),
    /** The market maker trades with its own quotes, and its volume is in the figures: of a simulated market alone. */
    house_trades: z.boolean(),
    development: z.boolean(),
  }),
});
