/** What moves between the addresses of clients, the hot wallets and the cold ones, as the treasury sees and bounds it. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { networkName } from './deposits.ts';
import { decimalOut, decimalUpTo, MOST_UNITS, reason, rowId, timeMs } from './fields.ts';
import { pendingChange } from './pending-changes.ts';
import { coinCode } from './transfers.ts';

const tag = 'Operation';
const success = z.object({ message: z.literal('success') });

const bounds = z.object({ low: decimalOut, target: decimalOut, high: decimalOut });

const wallet = z.object({
  coin: z.string(),
  /** Null while the node is away, or where there is no such wallet; so is the next. */
  hot: decimalOut.nullable(),
  cold: decimalOut.nullable(),
  /** What may leave the addresses of clients and is there, at so many of them. */
  at_addresses: decimalOut,
  addresses: z.number().int(),
  bounds: bounds.nullable(),
});

/** `TOPPING_UP`: gas is on its way to the address. */
export const sweepState = z.enum(['PLANNED', 'TOPPING_UP', 'SIGNED', 'BROADCAST', 'MINED', 'FINAL', 'FAILED']);
/** Why it waits, or has moved nothing; empty while it goes on. `PAYMENT`: what was sent for it has failed. */
export const sweepWaits = z.enum([
  ...['', 'NODE', 'FEE', 'WOULD_FAIL', 'NOT_WORTH', 'PAYMENT', 'FUNDS', 'SIGNER', 'PAUSED', 'REFUSED_BY_SIGNER'],
] as const);

const sweep = z.object({
  id: z.string(),
  network: networkName,
  coin: z.string(),
  address: z.string(),
  state: sweepState,
  waits_for: sweepWaits,
  /** Null before it is decided by what the chain has there. */
  amount: decimalOut.nullable(),
  transaction: z.string().nullable(),
  created_at: timeMs,
  updated_at: timeMs,
});

const move = z.object({
  id: z.string(),
  kind: z.enum(['TO_COLD', 'REFILL']),
  network: networkName,
  coin: z.string(),
  amount: decimalOut,
  /** A refill that is `PLANNED` waits for its signed file. */
  state: z.enum(['PLANNED', 'SIGNED', 'BROADCAST', 'MINED', 'FINAL', 'FAILED', 'CANCELLED']),
  waits_for: sweepWaits,
  transaction: z.string().nullable(),
  /** Until when the signed file must be back; null where it has time. */
  back_by: timeMs.nullable(),
  /** Of a refill: its file comes as a PSBT too, for wallets of others. */
  has_psbt: z.boolean(),
  created_at: timeMs,
  updated_at: timeMs,
});

export const hotAndCold = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/hot-and-cold',
  access: 'operator:treasury',
  audit: { reads: 'read-sweeps' },
  tag,
  summary: 'Sweeps, hot and cold wallets with their bounds, and what moves between them',
  answer: z.object({
    networks: z.array(
      z.object({
        network: networkName,
        /** Null where deposits are not swept. */
        sweeps: z
          .object({
            is_on: z.boolean(),
            least_multiple: z.number().int(),
            /** The chain's own coin, in which a sweep is paid for. */
            own_coin: z.string(),
            /** Whether a market says what it is worth. */
            has_market: z.boolean(),
            /** What it is worth in USDT as an operator has said, and when; used where no market says it. */
            coin_price: decimalOut.nullable(),
            coin_price_at: timeMs.nullable(),
          })
          .nullable(),
        /** By the signer's policy; null where that names none. */
        cold_address: z.string().nullable(),
        /** The node is counting the coins of a wallet, which takes minutes: its balances are null meanwhile. */
        is_counting: z.boolean(),
        wallets: z.array(wallet),
      }),
    ),
    sweeps: z.array(sweep),
    moves: z.array(move),
  }),
});

/** Of the price of a chain's own coin. */
export const COIN_PRICE_DECIMALS = 8;

export const changeSweepPolicy = defineCall({
  methods: ['PATCH'],
  path: '/api/v3/admin/sweep-policy',
  access: 'operator:treasury',
  audit: { acts: ['change-sweep-policy'] },
  stepUp: 'treasury',
  tag,
  summary: 'Sweep deposits of a network or not, from which multiple of the fee on, and what its own coin is worth',
  body: z.object({
    network: networkName,
    is_on: z.boolean(),
    least_multiple: z.number().int().min(1).max(100_000),
    /** Of the chain's own coin, in USDT, for where no market has one; null for none, absent to leave it as it is. */
    coin_price: decimalUpTo(MOST_UNITS).nullable().optional(),
  }),
  answer: success,
});

const amount = decimalUpTo(1_000_000_000_000);

export const changeWalletBounds = defineCall({
  methods: ['PATCH'],
  path: '/api/v3/admin/wallet-bounds',
  access: 'operator:treasury',
  audit: { acts: ['change-wallet-bounds', 'remove-wallet-bounds', 'ask-change'] },
  secondPerson: 'loosening',
  stepUp: 'treasury',
  tag,
  summary: 'How much of a coin the hot wallet of a network is to have; null for no bounds',
  body: z.object({
    coin: coinCode,
    network: networkName,
    bounds: z.object({ low: amount, target: amount, high: amount }).nullable(),
  }),
  answer: success.extend({ pending: pendingChange.nullable() }),
});

const params = z.object({ id: rowId });

export const refillFile = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/refills/:id/file',
  access: 'operator:treasury',
  audit: 'none',
  tag,
  summary: 'What is carried to the cold machine to be signed',
  params,
  answer: z.object({
    name: z.string(),
    file: z.string(),
    /** The same for wallets of others (BIP174), as base64; null where they read none. */
    psbt: z.string().nullable(),
  }),
});

export const uploadRefill = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/refills/:id/signed',
  access: 'operator:treasury',
  audit: { acts: ['upload-refill'] },
  stepUp: 'treasury',
  tag,
  summary: 'Send what the cold machine has signed; refused unless it pays exactly what was asked',
  params,
  body: z.object({ file: z.string().max(200_000, 'Use at most {{maximum}} characters') }),
  answer: success,
});

export const cancelRefill = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/refills/:id/cancel',
  access: 'operator:treasury',
  audit: { acts: ['cancel-refill'] },
  stepUp: 'treasury',
  tag,
  summary: 'Give up a refill that is not signed; another one is asked for with the fees of that time',
  params,
  body: z.object({ reason }),
  answer: success,
});
