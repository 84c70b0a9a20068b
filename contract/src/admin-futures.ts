/** What an operator sees of the risk in perpetual futures. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import {
  decimalOut,
  decimalUpTo,
  MOST_FEE_PERCENT,
  MOST_UNITS,
  positionSide,
  reason,
  signedUpTo,
  timeMs,
} from './fields.ts';
import { position } from './futures.ts';
import { pendingChange } from './pending-changes.ts';

const tag = 'Operations';
/** As many as the exchange takes. */
const MAXIMUM_TIERS = 32;

const symbol = z
  .string()
  .trim()
  .regex(/^[A-Z0-9]{1,16}-[A-Z0-9]{1,16}-SWAP$/, 'Name a perpetual as BTC-USDT-SWAP');

/** As an operator writes them; in answers they are `perpetualTerms`. */
const newTerms = z.object({
  /** Of a trade's value. */
  maker_fee_percent: decimalUpTo(MOST_FEE_PERCENT),
  taker_fee_percent: decimalUpTo(MOST_FEE_PERCENT),
  tiers: z
    .array(
      z.object({
        maximum_value: decimalUpTo(MOST_UNITS),
        maximum_leverage: z.number().int().min(1, 'Use at least 1').max(200, 'Use at most {{maximum}}'),
        maintenance_percent: decimalUpTo(50),
      }),
    )
    .min(1, 'Keep one tier at least')
    .max(MAXIMUM_TIERS, 'Use at most {{maximum}} tiers'),
  funding: z.object({
    interval_hours: z.union([z.literal(1), z.literal(4), z.literal(8)], 'Use 1, 4 or 8 hours'),
    interest_percent: signedUpTo(10),
    damp_percent: decimalUpTo(10),
    cap_percent: decimalUpTo(10),
    impact_value: decimalUpTo(MOST_UNITS),
  }),
  mark_clamp_percent: decimalUpTo(20),
});

export type NewPerpetualTerms = z.infer<typeof newTerms>;

/** What terms would change at the present marks. */
const effect = z.object({
  /** Open positions, the market maker's among them. */
  positions: z.number().int(),
  /** Of these, which would have to keep more than now. */
  raised_positions: z.number().int(),
  /** Isolated positions and cross wallets that have enough now, and would be liquidated at once. */
  liquidated_accounts: z.number().int(),
  /** Orders that rest, and TWAPs with what is untriggered, where they have to end first: they have reserved another fee. */
  cancelled_orders: z.number().int(),
});

export type TermsEffect = z.infer<typeof effect>;

export const previewPerpetualTerms = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/futures/terms/:symbol/preview',
  access: 'operator:markets',
  audit: 'none',
  tag,
  summary: 'Whom new terms of a perpetual would affect at the present marks; nothing is changed',
  params: z.object({ symbol }),
  body: newTerms,
  answer: effect,
});

export const changePerpetualTerms = defineCall({
  methods: ['PATCH'],
  path: '/api/v3/admin/futures/terms/:symbol',
  access: 'operator:markets',
  audit: { acts: ['change-perpetual', 'ask-change'] },
  secondPerson: 'loosening',
  tag,
  stepUp: 'markets',
  summary: 'Change the fees, tiers and funding of a perpetual, for open positions too',
  params: z.object({ symbol }),
  body: newTerms.extend({
    /** How many accounts may be liquidated by it; with more it is refused. */
    accept_liquidations: z.number().int().min(0).max(1_000_000).default(0),
    /** Where the taker's fee changes: end the orders that rest. Without it, such a change is refused while there are any. */
    cancel_orders: z.boolean().default(false),
    reason,
  }),
  /** Looser terms wait: then nothing has changed yet, and the effect is that of now. */
  answer: z.object({ message: z.literal('success'), effect, pending: pendingChange.nullable() }),
});

/** What settling a perpetual at a price does, and what it costs the insurance. */
const settlementEffect = z.object({
  /** Null until there was one. */
  mark_price: decimalOut.nullable(),
  /** The market maker's among them. */
  positions: z.number().int(),
  cancelled_orders: z.number().int(),
  /** Losses beyond what their owners have, in the settlement coin. */
  insurance_pays: decimalOut,
  /** What the insurance has now. */
  insurance: decimalOut,
});

export type SettlementEffect = z.infer<typeof settlementEffect>;

export const previewSettlement = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/futures/settle/:symbol/preview',
  access: 'operator:markets',
  audit: 'none',
  tag,
  summary: 'What settling a perpetual at a price would do now; nothing is changed',
  params: z.object({ symbol }),
  body: z.object({ price: decimalUpTo(MOST_UNITS) }),
  answer: settlementEffect,
});

export const settlePerpetual = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/futures/settle/:symbol',
  access: 'operator:markets',
  audit: { acts: ['settle-perpetual'] },
  tag,
  stepUp: 'markets',
  summary: 'End a perpetual for good: halt it, end its orders, settle its positions at one price and delist it',
  params: z.object({ symbol }),
  body: z.object({
    /** At most 10 % from the mark. */
    price: decimalUpTo(MOST_UNITS),
    /** The name of the perpetual, typed. */
    confirm: z.string().max(40, 'Use at most {{maximum}} characters'),
    /** The most that the insurance may pay; where it would be more, nothing is done. */
    accept_insurance: decimalUpTo(MOST_UNITS).default('0'),
    reason,
  }),
  answer: z.object({ message: z.literal('success'), effect: settlementEffect }),
});

export const futuresRisk = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/futures/risk',
  access: 'operator:markets',
  audit: { reads: 'read-positions' },
  tag,
  summary: 'Open interest and marks, the largest positions, and the accounts that are nearest to liquidation',
  answer: z.object({
    coin: z.string(),
    insurance: decimalOut,
    /** Whether the form offers to sell empty: to open a short position. */
    sells_empty: z.boolean(),
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
        /** How far the mark may be from the index, and how far it should be at most with these tiers: new terms may not go beyond that. */
        mark_clamp_percent: decimalOut,
        widest_clamp_percent: decimalOut,
      }),
    ),
    /** What the indexes are made from; empty without a market outside. */
    index_sources: z.array(
      z.object({
        name: z.string(),
        /** Whether the source is heard; one that is silent is left out. */
        is_fresh: z.boolean(),
        /** Of the perpetuals whose coin it knows. */
        prices: z.array(
          z.object({
            pair_name: z.string(),
            /** What it said last, believed or not. */
            price: decimalOut,
            said_at: timeMs,
            /** Whether it is one of those whose median is the index. */
            is_used: z.boolean(),
            /** Whether it is more than 1 % from the index, or from the only other source. */
            strays: z.boolean(),
          }),
        ),
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

/** The engine and the calls always take such orders: this is about the form alone. */
export const setFuturesForm = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/futures/form',
  access: 'operator:markets',
  audit: { acts: ['set-futures-form'] },
  tag,
  summary: 'Whether the form of perpetuals offers to sell empty',
  body: z.object({ sells_empty: z.boolean(), reason }),
  answer: z.object({ message: z.literal('success'), sells_empty: z.boolean() }),
});
