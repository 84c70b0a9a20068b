/** Statements of a wallet: every movement of a coin with its cause and the balance after it, newest first. */
import { TRANSFERS } from '@cambist/core/ledger/movements.ts';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimalOut, timeMs } from './fields.ts';
import { isInOrder, notInOrder, when } from './histories.ts';
import { coinCode } from './transfers.ts';
import { wallet } from './wallets.ts';

const tag = 'Wallets';

/**
 * What has moved a coin. `trade` and `conversion` are fills of orders; those of perpetuals are `position-trade`: what was won or
 * lost, less the fee. What is no fill and no position's is a movement of the ledger, by its reason.
 */
export const movementCause = z.enum([
  ...(['trade', 'conversion'] as const),
  ...TRANSFERS.map(({ reason }) => reason),
  ...(['position-trade', 'position-liquidation', 'position-deleveraging', 'position-funding'] as const),
  ...([
    'position-leverage',
    'position-margin',
    'position-cover',
    'position-compensation',
    'position-settlement',
    'loss-covered',
  ] as const),
]);
export type MovementCause = z.infer<typeof movementCause>;

const entry = z.object({
  id: z.string().describe('Of this entry alone in its statement, the same on every page and in every file'),
  time: timeMs,
  cause: movementCause,
  /** Of a fill or a position: its pair. */
  pair: z.string().nullable(),
  reference: z
    .string()
    .describe(
      'The id of the fill, of the transfer, or of what a position moved: the change in futures/history/positions',
    ),
  amount: decimalOut.describe('Signed, after the fee'),
  fee: decimalOut.describe('What of it was a fee; 0 where none was taken in this coin'),
  balance: decimalOut.describe('Of the wallet after it, whether available, in orders, or underway'),
});
export type StatementEntry = z.infer<typeof entry>;

const which = { wallet, coin: coinCode, ...when };

export const statement = defineCall({
  methods: ['GET'],
  path: '/api/v3/statement',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Movements of a coin in a wallet with the balance after each, newest first',
  query: z
    .object({
      ...which,
      limit: z.coerce.number().int().min(1).max(500).default(100),
      /** The `next` of the page before. */
      before: z.string().max(400, 'Use at most {{maximum}} characters').optional(),
    })
    .refine(isInOrder, notInOrder),
  answer: z.object({
    /** Of now; null on later pages. */
    balance: decimalOut.nullable(),
    /** Fewer than asked for, or none, where many newer ones than `to` had to be passed over; `next` goes on from there. */
    entries: z.array(entry),
    /** Null after the last page. */
    next: z.string().nullable(),
  }),
});

/** One file at a time for each client. */
export const statementFile = defineCall({
  methods: ['GET'],
  path: '/api/v3/statement.csv',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'The whole statement as a CSV file of any length, newest first',
  query: z.object(which).refine(isInOrder, notInOrder),
  answer: z.string(),
});

export const CSV_SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;

/** One file at a time for each client. */
export const yearFile = defineCall({
  methods: ['GET'],
  path: '/api/v3/statement/year.csv',
  access: 'holder',
  keys: 'read',
  tag,
  summary:
    "A year's trades and movements of all wallets as one CSV file in the columns of Koinly's universal format, for tax programs",
  query: z.object({
    year: z.coerce.number().int().min(2000).max(9999),
    zone: z.string().max(60, 'Use at most {{maximum}} characters').default('UTC').describe('Such as Europe/Berlin'),
    separator: z.enum(['comma', 'semicolon', 'tab']).default('comma'),
    decimal_sign: z.enum(['point', 'comma']).default('point'),
  }),
  answer: z.string(),
});
