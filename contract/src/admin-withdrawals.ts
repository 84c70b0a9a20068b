/** Withdrawals, chains and what is kept on them, as the treasury sees them. Whatever changes them asks for a step-up. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { networkName, networkTrouble } from './deposits.ts';
import { decimalOut, decimalUpTo, MOST_UNITS, page, reason, rowId, timeMs } from './fields.ts';
import { pendingChange } from './pending-changes.ts';
import { coinCode } from './transfers.ts';
import { withdrawal, withdrawalActor, withdrawalStage } from './withdrawals.ts';

const tag = 'Operation';
const success = z.object({ message: z.literal('success') });
const params = z.object({ id: rowId });

/** Why an operator looks at a withdrawal. */
export const reviewReason = z.enum([
  'AMOUNT',
  'FOUR_EYES',
  'UNUSUAL_AMOUNT',
  'NEW_DEVICE',
  'NEW_ADDRESS',
  'UNTRUSTED_PRICE',
  'FREQUENT',
]);
export type ReviewReason = z.infer<typeof reviewReason>;

const reviewed = withdrawal.extend({
  client: z.object({ id: z.number().int(), unique_id: z.string(), email: z.string() }),
  /** When it was requested, at the last prices. */
  worth_usdt: decimalOut,
  reasons: z.array(reviewReason),
  approvals_required: z.number().int(),
  approvals: z.array(z.object({ by: z.string(), at: timeMs })),
  /** Null until its transaction is in a block. In the chain's own coin. */
  network_cost: z.object({ coin: z.string(), amount: decimalOut }).nullable(),
  events: z.array(z.object({ stage: withdrawalStage, at: timeMs, actor: withdrawalActor, text: z.string() })),
});

export const adminWithdrawals = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/withdrawals',
  access: 'operator:treasury',
  audit: { reads: 'read-withdrawals' },
  tag,
  summary: 'Withdrawals of all clients, newest first',
  query: page.extend({ stage: withdrawalStage.optional() }),
  answer: z.object({ withdrawals: z.array(reviewed), waiting: z.number().int() }),
});

export const approveWithdrawal = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/withdrawals/:id/approve',
  access: 'operator:treasury',
  audit: { acts: ['approve-withdrawal'] },
  secondPerson: 'worth',
  stepUp: 'treasury',
  tag,
  summary: 'Approve a withdrawal; above the limit of one, a second operator does the same',
  params,
  body: z.object({ note: z.string().trim().max(500, 'Use at most {{maximum}} characters').default('') }),
  answer: z.object({ withdrawal: reviewed }),
});

export const refuseWithdrawal = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/withdrawals/:id/refuse',
  access: 'operator:treasury',
  audit: { acts: ['refuse-withdrawal'] },
  stepUp: 'treasury',
  tag,
  summary: 'Refuse a withdrawal before it is signed; the client sees the reason and has the amount back',
  params,
  body: z.object({ reason }),
  answer: z.object({ withdrawal: reviewed }),
});

const policy = z.object({
  /** From this worth on an operator approves; of 24 hours, each withdrawal at the highest price that is known. */
  approval_usdt: decimalOut,
  /** From this worth on two operators do. */
  four_eyes_usdt: decimalOut,
  /** Withdrawals of a client within an hour; more are refused. */
  hourly_count: z.number().int(),
  /** An amount above so many times the client's median goes to an operator. */
  median_factor: z.number().int(),
});

export const withdrawalPolicy = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/withdrawal-policy',
  access: 'operator:treasury',
  audit: 'none',
  tag,
  summary: 'What decides whether an operator looks at a withdrawal',
  answer: z.object({ policy }),
});

export const changeWithdrawalPolicy = defineCall({
  methods: ['PATCH'],
  path: '/api/v3/admin/withdrawal-policy',
  access: 'operator:treasury',
  audit: { acts: ['change-withdrawal-policy', 'ask-change'] },
  secondPerson: 'loosening',
  stepUp: 'treasury',
  tag,
  summary: 'Change what decides it',
  body: z.object({
    approval_usdt: decimalUpTo(1_000_000).optional(),
    four_eyes_usdt: decimalUpTo(10_000_000).optional(),
    hourly_count: z.number().int().min(1).max(1000).optional(),
    median_factor: z.number().int().min(2).max(1000).optional(),
  }),
  /** What is stricter holds at once; what is looser waits. */
  answer: z.object({ policy, pending: pendingChange.nullable() }),
});

const fraudulentAddress = z.object({
  id: z.number().int(),
  network: networkName,
  address: z.string(),
  note: z.string(),
  added_at: timeMs,
});

export const fraudulentAddresses = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/fraudulent-addresses',
  access: 'operator:treasury',
  audit: 'none',
  tag,
  summary: 'Addresses that nothing is sent to',
  answer: z.object({ addresses: z.array(fraudulentAddress) }),
});

export const addFraudulentAddress = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/fraudulent-addresses',
  access: 'operator:treasury',
  audit: { acts: ['add-fraudulent-address'] },
  tag,
  summary: 'Send nothing to an address any more',
  body: z.object({
    network: networkName,
    address: z.string().trim().min(1, 'Field is required').max(100, 'Use at most {{maximum}} characters'),
    note: reason,
  }),
  answer: z.object({ message: z.enum(['success', 'exist']), address: fraudulentAddress }),
});

export const removeFraudulentAddress = defineCall({
  methods: ['DELETE'],
  path: '/api/v3/admin/fraudulent-addresses/:id',
  access: 'operator:treasury',
  audit: { acts: ['ask-change'] },
  secondPerson: 'loosening',
  stepUp: 'treasury',
  tag,
  summary: 'Ask to let an address be sent to again',
  params,
  answer: success.extend({ pending: pendingChange }),
});

const amountOf = z.object({ coin: z.string(), amount: decimalOut });

const chainView = z.object({
  network: networkName,
  is_development: z.boolean(),
  head: z.number().int().nullable(),
  cursor: z.number().int().nullable(),
  /** Where the network has two: the newest block of each, null of one that is away. None where it has one. */
  nodes: z.array(z.object({ head: z.number().int().nullable() })),
  /** Of deposits. */
  trouble: networkTrouble.nullable(),
  payouts_paused: z.boolean(),
  /** Null where nothing can be sent by it. */
  hot_wallet: z
    .object({
      address: z.string(),
      /** Null while the node is away. */
      balances: z.array(amountOf).nullable(),
      /** Coins of which payouts wait, and what they miss. */
      short: z.array(amountOf),
    })
    .nullable(),
  /** What transactions have cost and the ledger cannot have, since it does not list the chain's own coin; null where it does. */
  unbooked_cost: amountOf.nullable(),
});

/** A transaction of the exchange's own. */
const payout = z.object({
  id: z.string(),
  network: networkName,
  kind: z.enum(['WITHDRAWAL', 'TOP_UP', 'TO_COLD', 'SWEEP', 'REFILL']),
  state: z.enum(['PLANNED', 'SIGNED', 'BROADCAST', 'MINED', 'FINAL', 'FAILED']),
  coin: z.string(),
  amount: decimalOut,
  address: z.string(),
  transaction: z.string().nullable(),
  /** How often it was sent with a higher fee. */
  replacements: z.number().int(),
  confirmations: z.number().int(),
  /**
   * Why it waits; empty while it goes on. `WOULD_FAIL`: the chain would undo it, as a token does that is paused or refuses the
   * receiver. That and what the signer refuses wait for an operator.
   */
  waits_for: z.enum(['', 'FUNDS', 'SIGNER', 'NODE', 'PAUSED', 'REFUSED_BY_SIGNER', 'FEE', 'WOULD_FAIL']),
  created_at: timeMs,
  updated_at: timeMs,
});

export const adminChains = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/chains',
  access: 'operator:treasury',
  audit: { reads: 'read-payouts' },
  tag,
  summary: 'Chains, hot wallets, the signer, what is being sent, and custody against the ledger',
  answer: z.object({
    chains: z.array(chainView),
    signer: z.object({
      state: z.enum(['READY', 'AWAY', 'NONE']),
      /** It runs inside the server, as in development. */
      is_in_process: z.boolean(),
    }),
    payouts: z.array(payout),
    /** For each coin, what chains hold for clients and what the ledger says that they should. */
    custody: z.array(
      z.object({
        coin: z.string(),
        ledger: decimalOut,
        chains: decimalOut.nullable(),
        difference: decimalOut.nullable(),
        /** Payouts of the coin stand still until chains hold enough again. */
        is_stopped: z.boolean(),
      }),
    ),
    /** Of withdrawals that have ended on their chain in the last 30 days. */
    margins: z.array(
      z.object({
        network: networkName,
        coin: z.string(),
        charged: decimalOut,
        cost: amountOf,
        count: z.number().int(),
        /** Of them, those that the chain has undone: their clients have paid nothing, and they have cost all the same. */
        undone: z.number().int(),
        /** What was charged less what it has cost, at the last prices; null without them. */
        result_usdt: decimalOut.nullable(),
      }),
    ),
    /** What sweeps, gas for them and payments to the cold wallet have cost meanwhile, for which clients are not charged. */
    own_costs: z.array(
      z.object({
        network: networkName,
        cost: amountOf,
        count: z.number().int(),
        result_usdt: decimalOut.nullable(),
      }),
    ),
  }),
});

export const pausePayouts = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/chains/:network/pause',
  access: 'operator:treasury',
  audit: { acts: ['pause-deposits', 'pause-payouts'] },
  tag,
  summary: 'Stop deposits or payouts of a network',
  params: z.object({ network: networkName }),
  body: z.object({ what: z.enum(['DEPOSITS', 'PAYOUTS']), reason }),
  answer: success,
});

export const resumePayouts = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/chains/:network/resume',
  access: 'operator:treasury',
  audit: { acts: ['resume-deposits', 'resume-payouts'] },
  stepUp: 'treasury',
  tag,
  summary: 'Let them go on',
  params: z.object({ network: networkName }),
  body: z.object({ what: z.enum(['DEPOSITS', 'PAYOUTS']), reason }),
  answer: success,
});

export const replacePayout = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/payouts/:id/replace',
  access: 'operator:treasury',
  audit: { acts: ['replace-payout'] },
  stepUp: 'treasury',
  tag,
  summary: 'Send a stuck transaction again with a higher fee: the same payment, of which one alone can be mined',
  params,
  answer: z.object({ payout }),
});

/** Refused with 409 ALREADY_SIGNED once it exists as bytes: from then on the chain alone decides. */
export const failPayout = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/payouts/:id/fail',
  access: 'operator:treasury',
  audit: { acts: ['fail-payout'] },
  stepUp: 'treasury',
  tag,
  summary: 'Give up a payout that was never signed; what was withdrawn goes back to its client',
  params,
  body: z.object({ reason }),
  answer: z.object({ payout }),
});

const figures = z.object({
  coin: z.string(),
  network: networkName,
  name: z.string(),
  deposit_minimum: decimalOut,
  credited_at: z.number().int(),
  unlocked_at: z.number().int(),
  withdraw_minimum: decimalOut.nullable(),
  withdraw_fee: decimalOut.nullable(),
  withdraw_arrival: z.string().nullable(),
  withdraw_confirmations: z.number().int().nullable(),
});

export const coinNetworks = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/coin-networks',
  access: 'operator:treasury',
  audit: 'none',
  tag,
  summary: 'Minimums, fees and confirmations of each coin on each network',
  answer: z.object({ networks: z.array(figures) }),
});

export const changeCoinNetwork = defineCall({
  methods: ['PATCH'],
  path: '/api/v3/admin/coin-networks',
  access: 'operator:treasury',
  audit: { acts: ['change-coin-network', 'ask-change'] },
  secondPerson: 'loosening',
  stepUp: 'treasury',
  tag,
  summary: 'Change figures of a coin on a network',
  body: z.object({
    coin: coinCode,
    network: networkName,
    deposit_minimum: decimalUpTo(MOST_UNITS).optional(),
    credited_at: z.number().int().min(1).max(10_000).optional(),
    unlocked_at: z.number().int().min(1).max(10_000).optional(),
    withdraw_minimum: decimalUpTo(MOST_UNITS).optional(),
    withdraw_fee: decimalUpTo(MOST_UNITS).optional(),
    withdraw_confirmations: z.number().int().min(1).max(10_000).optional(),
  }),
  answer: z.object({ network: figures, pending: pendingChange.nullable() }),
});

export const unlistedDeposits = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/unlisted-deposits',
  access: 'operator:treasury',
  audit: { reads: 'read-deposits' },
  tag,
  summary: 'What came to addresses of clients and was not credited by itself, newest first',
  query: z.object({ limit: z.coerce.number().int().min(1).max(500).default(100) }),
  answer: z.object({
    deposits: z.array(
      z.object({
        network: networkName,
        transaction: z.string(),
        address: z.string(),
        client_id: z.number().int(),
        contract: z.string(),
        units: z.string(),
        seen_at: timeMs,
      }),
    ),
  }),
});
