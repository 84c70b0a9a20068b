/**
 * Coins that leave by chains: what may leave, what each withdrawal waits for, and what has become of it. A withdrawal to a
 * deposit address of a client of this exchange never touches a chain: it costs nothing and is there at once.
 */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { networkName, networkTrouble } from './deposits.ts';
import { decimal, decimalOut, page, rowId, timeMs } from './fields.ts';
import { coinCode } from './transfers.ts';

const tag = 'Withdrawals';

export const withdrawNetwork = z.object({
  /** `Tron (TRC20)`. */
  name: z.string(),
  /** `TRC20`. */
  subname: z.string(),
  value: networkName,
  /** The least amount, fee included. */
  minimum: decimalOut,
  /** What it costs, taken from the amount. */
  fee: decimalOut,
  /** Minutes until it is confirmed, as people are told them; null while the chain itself cannot say. */
  arrival: z.string().nullable(),
  /** Confirmations at which it is complete. */
  confirmation: z.number().int(),
  /** Null while withdrawals go out as they come; else they wait. */
  trouble: networkTrouble.nullable(),
  /** True on the chain that development makes in its own process: nothing there is worth anything. */
  is_development: z.boolean(),
});
export type WithdrawNetwork = z.infer<typeof withdrawNetwork>;

export const withdrawNetworks = defineCall({
  methods: ['GET'],
  path: '/api/v3/withdraw-networks',
  access: 'visitor',
  keys: 'any',
  tag,
  summary: 'Coins that can be withdrawn, and the networks by which they leave',
  answer: z.object({
    coins: z.array(
      z.object({ name: z.string(), full_name: z.string(), image: z.string(), networks: z.array(withdrawNetwork) }),
    ),
  }),
});

/**
 * `REQUESTED` written down, the amount is about to be held; `APPROVAL` waits for an operator; `APPROVED` waits to be
 * signed, the last stage that can be cancelled; `SIGNING` leaves, whatever happens; `BROADCAST` was sent to the chain;
 * `CONFIRMED` is in a block; `SETTLED` is deep enough. `REFUSED` by an operator, `CANCELLED` by the client and `FAILED` on
 * its way have given the whole amount back.
 */
export const withdrawalStage = z.enum([
  ...(['REQUESTED', 'APPROVAL', 'APPROVED', 'SIGNING', 'BROADCAST', 'CONFIRMED', 'SETTLED'] as const),
  ...(['REFUSED', 'CANCELLED', 'FAILED'] as const),
]);
export type WithdrawalStage = z.infer<typeof withdrawalStage>;

export const withdrawal = z.object({
  id: z.string(),
  coin: z.string(),
  network: networkName,
  /** What left the balance, fee included. */
  withdraw_amount: decimalOut,
  fee: decimalOut,
  /** What arrives. */
  receive_amount: decimalOut,
  withdraw_address: z.string(),
  /** To a client of this exchange: settled in the ledger, without a chain. */
  is_internal: z.boolean(),
  /** When it was requested; both names. */
  date: timeMs,
  application_time: timeMs,
  updated_at: timeMs,
  /** PROCEED is complete, ONHOLD underway, FREEZE stopped while something is looked into. */
  state: z.enum(['PROCEED', 'ONHOLD', 'FREEZE', 'REFUSED', 'CANCELLED', 'FAILED']),
  stage: withdrawalStage,
  client_wallet: z.object({ coin: z.object({ name: z.string() }) }),
  /** On its chain; null until it was sent, and of an internal one. */
  transaction: z.string().nullable(),
  confirmations: z.number().int(),
  confirmations_required: z.number().int(),
  /** Why it waits, was refused or failed, in the asker's language; null otherwise. */
  reason: z.string().nullable(),
  can_cancel: z.boolean(),
});
export type Withdrawal = z.infer<typeof withdrawal>;

/** Who has brought a withdrawal to a stage. */
export const withdrawalActor = z.enum(['CLIENT', 'EXCHANGE', 'OPERATOR', 'CHAIN']);

const withdrawalEvent = z.object({
  stage: withdrawalStage,
  at: timeMs,
  actor: withdrawalActor,
  /** In the asker's language. */
  text: z.string(),
});

const wish = z.object({
  coin: coinCode,
  bchain_name: z
    .string()
    .trim()
    .toUpperCase()
    .min(1, 'Choose a network')
    .max(12, 'A network has at most 12 characters')
    .regex(/^[A-Z0-9]+$/, 'Name a network, such as TRC20'),
  withdraw_address: z
    .string()
    .trim()
    .min(1, 'Please enter Recipient Address')
    .max(100, 'Use at most {{maximum}} characters'),
  withdraw_amount: decimal,
});

/** The checks of a withdrawal without making it: refused as the withdrawal itself would be. */
export const checkWithdrawal = defineCall({
  methods: ['POST'],
  path: '/api/v3/withdrawals/check',
  access: 'trader',
  keys: 'never',
  tag,
  summary: 'What a withdrawal would cost, how long it would take and what it would ask for',
  body: wish,
  answer: z.object({
    fee: decimalOut,
    receive_amount: decimalOut,
    is_internal: z.boolean(),
    /** The client has not withdrawn to it before, and it is not on the list of saved addresses. */
    is_new_address: z.boolean(),
    /** A code that `/api/v3/otp` sends, or that of the authenticator app where the account has no mail address. */
    needs_code: z.boolean(),
    /** A step-up (withdrawal) is asked for. */
    needs_step_up: z.boolean(),
    /** An operator will look at it before it leaves. */
    needs_review: z.boolean(),
    /** Minutes, as people are told them; null while the chain itself cannot say. */
    arrival: z.string().nullable(),
  }),
});

export const withdrawalCode = defineCall({
  methods: ['POST'],
  path: '/api/v3/otp',
  access: 'trader',
  keys: 'never',
  tag,
  summary: 'Mail the code that a withdrawal asks for',
  answer: z.object({
    message: z.literal('success'),
    /** `app`: nothing is sent, the code is the authenticator app's. */
    by: z.enum(['mail', 'app']),
    resend_after_s: z.number().int(),
  }),
  sensitive: true,
});

/** Takes an `Idempotency-Key` header. `gasfee` is the fee that the person was shown: another one is refused. */
export const startWithdrawal = defineCall({
  methods: ['POST'],
  path: '/api/v3/withdrawals',
  access: 'trader',
  keys: 'never',
  idempotent: { except: ['verification', 'transaction_password', 'gasfee', 'gasFee'] },
  stepUpAtTimes: 'withdrawal',
  tag,
  summary: 'Withdraw to an address; a new address asks for a step-up (withdrawal) of who has a second factor',
  body: wish.extend({
    gasfee: decimal.optional(),
    gasFee: decimal.optional(),
    verification: z.string().trim().max(40, 'Use at most {{maximum}} characters').default(''),
    transaction_password: z.string().max(256).default(''),
  }),
  answer: z.object({
    message: z.enum(['success', 'wrong_code', 'wrong_password']),
    withdrawal: withdrawal.optional(),
  }),
  sensitive: true,
});

export const withdrawHistory = defineCall({
  methods: ['GET'],
  path: '/api/v3/withdraw-history',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Withdrawals of the client, newest first',
  query: page.extend({ coin: coinCode.optional() }),
  answer: z.object({ withdraw: z.array(withdrawal) }),
});

export const readWithdrawal = defineCall({
  methods: ['GET'],
  path: '/api/v3/withdrawals/:id',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'One withdrawal with everything that has happened to it',
  params: z.object({ id: rowId }),
  answer: z.object({ withdrawal, events: z.array(withdrawalEvent) }),
});

/** Refused with 409 TOO_LATE from `SIGNING` on. */
export const cancelWithdrawal = defineCall({
  methods: ['POST'],
  path: '/api/v3/withdrawals/:id/cancel',
  access: 'trader',
  keys: 'never',
  tag,
  summary: 'Take a withdrawal back before it is signed',
  params: z.object({ id: rowId }),
  answer: z.object({ withdrawal }),
});

export const withdrawalLimits = defineCall({
  methods: ['GET'],
  path: '/api/v3/withdrawal-limits',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'What may leave: holds, limits of 24 hours, and what is withdrawable of each coin',
  answer: z.object({
    status: z.enum(['ALLOWED', 'NOT_ALLOWED']),
    /** Of 24 hours in USDT, by the account's level. */
    day: z.object({ limit_usdt: decimalOut, used_usdt: decimalOut }),
    /** The person's own cap of 24 hours; null without one. */
    own: z.object({ limit_usdt: decimalOut, used_usdt: decimalOut }).nullable(),
    /** USDT of 24 hours that need no code; null while one-step withdrawal is off. */
    one_step: z.object({ limit_usdt: decimalOut, used_usdt: decimalOut }).nullable(),
    /** When the oldest of what is used is 24 hours old, and there is more of each limit; null while nothing is used. */
    frees_at: timeMs.nullable(),
    whitelist_only: z.boolean(),
    coins: z.array(
      z.object({
        coin: z.string(),
        available: decimalOut,
        withdrawable: decimalOut,
        /** Came in lately, and may be traded but not yet withdrawn. */
        locked: decimalOut,
      }),
    ),
  }),
});

export const withdrawAddresses = defineCall({
  methods: ['GET'],
  path: '/api/v3/withdraw-addresses',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Saved addresses, and those that were withdrawn to, last used first',
  query: z.object({ coin: coinCode.optional() }),
  answer: z.object({
    addresses: z.array(
      z.object({
        coin: z.string(),
        network: networkName,
        address: z.string(),
        /** Empty for one that is not saved. */
        label: z.string(),
        is_saved: z.boolean(),
        /** Of a saved one: from when on it is good. Ms since 1970. */
        active_at: timeMs.nullable(),
        last_used_at: timeMs.nullable(),
      }),
    ),
  }),
});
