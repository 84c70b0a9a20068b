/** Coins that come in from chains: where to send them, and what has become of what was sent. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimalOut, page, rowId, timeMs } from './fields.ts';
import { coinCode } from './transfers.ts';

const tag = 'Deposits';

/** A way by which a coin travels, as people know it. */
export const networkName = z.enum(['TRC20', 'ERC20', 'BEP20', 'BTC']);
export type NetworkName = z.infer<typeof networkName>;

/**
 * What stands in the way of a deposit on a network: `PAUSED` by an operator, `BEHIND` while its node lags, `SPLIT` while
 * blocks or nodes contradict each other, `AWAY` while no node answers. What is sent meanwhile is found afterwards.
 */
export const networkTrouble = z.enum(['PAUSED', 'BEHIND', 'SPLIT', 'AWAY']);

export const depositNetwork = z.object({
  /** `Tron (TRC20)`. */
  name: z.string(),
  /** `TRC20`. */
  subname: z.string(),
  value: networkName,
  /** How long it takes in minutes, as people are told it: `2`, `4–5`. */
  arrival: z.string(),
  /** Confirmations as people are told them. */
  confirmation: z.number().int(),
  /** The least that the network can carry. */
  minimum: decimalOut,
  /** What a deposit costs here. */
  gasFee: decimalOut,
  /** The least that is credited; what is less is recorded, and not. */
  deposit_minimum: decimalOut,
  /** Confirmations at which the amount can be traded, and those at which it can be withdrawn. */
  credited_at: z.number().int(),
  unlocked_at: z.number().int(),
  /** Of the token on this network; null for the chain's own coin. */
  contract_address: z.string().nullable(),
  /** Null while deposits are found as they come. */
  trouble: networkTrouble.nullable(),
  /** True on the chain that development makes in its own process: nothing there is worth anything. */
  is_development: z.boolean(),
});
export type DepositNetwork = z.infer<typeof depositNetwork>;

export const depositNetworks = defineCall({
  methods: ['GET'],
  path: '/api/v3/deposit-networks',
  access: 'visitor',
  keys: 'any',
  tag,
  summary: 'Coins that can be deposited, and the networks by which they come',
  answer: z.object({
    coins: z.array(
      z.object({ name: z.string(), full_name: z.string(), image: z.string(), networks: z.array(depositNetwork) }),
    ),
  }),
});

const wallet = z.object({
  /** Null before the client has asked for one. */
  wallet_address: z.string().nullable(),
  network: networkName,
});

const walletType = z.object({
  /** A network; the first one of a coin where a coin is named. */
  wallet_type: z
    .string()
    .trim()
    .min(1, 'Choose a network')
    .max(12, 'A network has at most 12 characters')
    .regex(/^[A-Za-z0-9]+$/, 'Name a network, such as TRC20'),
});

/** The same answer however often it is asked for: a client has one address on a chain, and nobody else ever gets it. */
export const generateWallet = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v3/generate-wallet',
  access: 'trader',
  keys: 'never',
  tag,
  summary: 'Make the client’s deposit address on a network',
  query: walletType,
  answer: z.object({ message: z.literal('success'), wallet }),
});

export const fetchAddress = defineCall({
  methods: ['GET'],
  path: '/api/v3/fetch/address',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'The client’s deposit address on a network',
  query: walletType,
  answer: z.object({ wallet }),
});

/**
 * `SEEN` in a block that is not yet deep enough, `CREDITED` in the spot wallet and may be traded, `UNLOCKED` may be
 * withdrawn too, `BELOW_MINIMUM` recorded and not credited, `REVERSED` taken back because its block is no longer part of the
 * chain.
 */
export const depositState = z.enum(['SEEN', 'CREDITED', 'UNLOCKED', 'BELOW_MINIMUM', 'REVERSED']);
export type DepositState = z.infer<typeof depositState>;

export const deposit = z.object({
  id: z.string(),
  coin: z.string(),
  network: networkName,
  recharge_amount: decimalOut,
  /** When it was first seen. */
  date: timeMs,
  /** When its state last changed. */
  response_time: timeMs,
  /** APPROVED once it is credited. */
  recharge_status: z.enum(['APPROVED', 'PENDING']),
  state: depositState,
  wallet_address: z.string(),
  /** On the chain; null where another client has sent it. */
  transaction: z.string().nullable(),
  /** Sent by another client of this exchange: it came at once, and by no chain. */
  is_internal: z.boolean(),
  /** Of its block so far, at most `unlocked_at`. */
  confirmations: z.number().int(),
  credited_at: z.number().int(),
  unlocked_at: z.number().int(),
});
export type Deposit = z.infer<typeof deposit>;

export const depositHistory = defineCall({
  methods: ['GET'],
  path: '/api/v3/deposit-history',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Deposits of the client, and what other clients have sent, newest first',
  query: page.extend({ coin: coinCode.optional() }),
  answer: z.object({ deposit: z.array(deposit) }),
});

export const readDeposit = defineCall({
  methods: ['GET'],
  path: '/api/v3/deposits/:id',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'One deposit',
  params: z.object({ id: rowId }),
  answer: z.object({ deposit }),
});
