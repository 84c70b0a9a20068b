/** Moving funds between a client's own wallets, and what confirms that they have moved. */
import { TRANSFERABLE_WALLETS } from '@cambist/core/ledger/wallet-lists.ts';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimal, decimalOut, page, pairName, rowId } from './fields.ts';

const tag = 'Transfers';
/** Not needed while the session is unlocked (`POST /api/v3/trading-unlock`): the funds stay the client's. */
const password = z.string().max(256).default('');

/** FUNDING is the wallet of payments between clients. */
const wallet = z.enum(TRANSFERABLE_WALLETS.map(({ name }) => name));

export const coinCode = z
  .string()
  .trim()
  .min(1, 'Choose a coin')
  .max(12, 'A coin has at most 12 characters')
  .regex(/^[A-Za-z0-9]+$/, 'Name a coin by its code, such as USDT');

/**
 * What confirms a transfer, each by reading for itself:
 * `JOURNAL` the journal holds the batch that reserved the amount; `TABLES` the ledger's tables hold the transfer as it was
 * asked for; `BALANCES` the balances of both wallets were read back and are what memory says; `RECONCILER` the reconciler
 * has found the books in order at that batch or a later one; `SNAPSHOT` a second computation of the whole state, made from
 * what the journal holds, has it at that batch or a later one.
 */
export const witnessName = z.enum(['JOURNAL', 'TABLES', 'BALANCES', 'RECONCILER', 'SNAPSHOT']);
export type WitnessName = z.infer<typeof witnessName>;

/** PENDING: the amount has left the payer's available balance and waits for its witnesses. */
export const transferState = z.enum(['PENDING', 'COMPLETED', 'REVERSED']);

/** Why a transfer was reversed: a witness found something else, or was silent for too long. */
export const reversal = z.enum(['MISMATCH', 'NOT_CONFIRMED']);

export const transfer = z.object({
  id: z.string(),
  from: wallet,
  to: wallet,
  coin: z.string(),
  amount: decimalOut,
  state: transferState,
  /** Witnesses that have confirmed so far. */
  confirmations: z.number().int(),
  confirmations_required: z.number().int(),
  /** Only those that are required, in the order in which they can be expected; ms since 1970, null while awaited. */
  witnesses: z.array(z.object({ name: witnessName, confirmed_at: z.number().int().nullable() })),
  /** Null unless reversed. */
  reason: reversal.nullable(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});

export type Transfer = z.infer<typeof transfer>;

const begun = z.object({
  message: z.enum(['success', 'wrong_transaction_password']),
  transfer: transfer.optional(),
});

/** The documented transfer call. DRAW_IN moves SPOT to FUTURE, DRAW_OUT moves FUTURE to SPOT. */
export const futuresTransfer = defineCall({
  methods: ['POST'],
  path: '/api/v3/futures/transfer',
  access: 'trader',
  keys: 'never',
  idempotent: { except: ['transaction_password'] },
  tag,
  summary: 'Move funds between the spot and the futures wallet (documented form)',
  body: z.object({
    coin_name: pairName,
    /** A transfer begins as PENDING; there is no other state to ask for. */
    state: z.literal('PENDING').default('PENDING'),
    draw_type: z.enum(['DRAW_IN', 'DRAW_OUT']),
    transfer_amount: decimal,
    transaction_password: password,
  }),
  answer: begun,
  sensitive: true,
});

/** Our own transfer call: any two wallets. Takes an `Idempotency-Key` header. */
export const startTransfer = defineCall({
  methods: ['POST'],
  path: '/api/v3/transfers',
  access: 'trader',
  keys: 'never',
  idempotent: { except: ['transaction_password'] },
  tag,
  summary: 'Move funds between two of the client’s wallets',
  body: z
    .object({ from: wallet, to: wallet, coin: coinCode, amount: decimal, transaction_password: password })
    .refine((body) => body.from !== body.to, { path: ['to'], message: 'Choose two different wallets' }),
  answer: begun,
  sensitive: true,
});

export const transfers = defineCall({
  methods: ['GET'],
  path: '/api/v3/transfers',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Transfers between wallets, newest first',
  query: page.extend({ state: transferState.optional() }),
  answer: z.object({ transfers: z.array(transfer) }),
});

export const readTransfer = defineCall({
  methods: ['GET'],
  path: '/api/v3/transfers/:id',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'One transfer with its confirmations',
  params: z.object({ id: rowId }),
  answer: z.object({ transfer }),
});

/** NO only while the client's own open cross-margin positions need all that is in the futures wallet. */
export const drawOutStatus = defineCall({
  methods: ['GET'],
  path: '/api/v3/check-draw-out-status',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Whether funds may leave the futures wallet, and which positions need them',
  /** Older clients send their id; the answer is always about the client of the token. */
  query: z.object({ client_id: z.coerce.number().int().optional() }),
  answer: z.object({
    draw_status: z.enum(['YES', 'NO']),
    /** Open cross-margin positions. */
    future_count: z.number().int(),
    positions: z.array(
      z.object({
        id: z.string(),
        pair_name: z.string(),
        coin: z.string(),
        /** What of the coin's balance the cross positions together do not need: no more may leave the wallet. */
        free: decimalOut,
      }),
    ),
  }),
});
