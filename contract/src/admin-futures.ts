/** What an operator sees of the risk in perpetual futures. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimalOut, positionSide, timeMs } from './fields.ts';
import { position } from './futures.ts';

const tag = 'Operations';

export const futuresRisk = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/futures/risk',
  access: 'operator:markets',
  tag,
  summary: 'Open interest and marks, the largest positions, and the accounts that are nearest to liquidation',
  answer: z.object({
    coin: z.string(),
    insurance: decimalOut,
    /** Whether positions are to be liquidated that no command has reached yet. */
    is_liquidating: z.boolean(),
    markets: z.array(
      z.object({
        pair_name: z.string(),
        /** Null until there was one, of the index also while it is lost. */
        index_price: decimalOut.nullable(),
        mark_price: decimalOut.nullable(),
        /** In the coin that is traded, and its value at the mark. */
        open_interest: decimalOut,
        open_value: decimalOut,
        /** Of the interval if it ended now; null before the first index. */
        rate: decimalOut.nullable(),
        next_funding_at: timeMs.nullable(),
      }),
    ),
    /** The 50 that have cost most, largest first; the market maker's are left out. */
    positions: z.array(position.extend({ client_id: z.number().int() })),
    /** Of the owners of the 2,000 largest positions, the 50 whose positions need most of what backs them. */
    accounts: z.array(
      z.object({
        client_id: z.number().int(),
        /** Of an isolated position; null for all cross positions of a wallet. */
        pair_name: z.string().nullable(),
        /** Of an isolated position in hedge mode. */
        position_side: positionSide.optional(),
        equity: decimalOut,
        maintenance_margin: decimalOut,
        margin_ratio: decimalOut,
      }),
    ),
  }),
});
