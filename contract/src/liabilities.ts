/** What the exchange owes to its clients, in a form that each of them can check. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { networkName } from './deposits.ts';
import { decimalOut, rowId, timeMs } from './fields.ts';
import { coinCode } from './transfers.ts';

const tag = 'Proof of liabilities';
/**
 * The version of the hashed format. Leaves of version 1 held no identity that a client knows, so several clients could be
 * shown one leaf. Runs of version 1 keep their totals and commitments, but no proofs.
 */
export const LIABILITIES_VERSION = 2;
const version = z.number().int().min(1);
/** SHA-256 in hexadecimal. */
const hash = z.string();
/** In the coin's smallest unit, as text. */
const sum = z.string();

/** What an address, or the addresses of clients together, held at a block. */
const holding = z.object({
  /**
   * `hot`: of the address that signs. `clients`: what was credited at the addresses of clients. `cold`: of an address whose
   * key is on a machine without a network; it signs a statement of its own.
   */
  kind: z.enum(['hot', 'clients', 'cold']),
  network: networkName,
  coin: z.string(),
  height: z.number().int(),
  /** Of the block. */
  hash: z.string(),
  /** Null for the addresses of clients. */
  address: z.string().nullable(),
});

/** A coin whose contract could not be read at a block: nothing of it on that network is among what is held. */
const unreadCoin = holding.pick({ network: true, coin: true, height: true, hash: true });

/** What was held beside what is owed; `verify-reserves.mjs` says how it is signed, and checks it. */
export const reserveStatement = z.object({
  batch: z.number().int(),
  /** Of the run; the commitment's hash depends on it. Files from before version 2 have none. */
  version,
  time: timeMs,
  state: z.string(),
  commitment: hash,
  assets: z.array(z.object({ coin: z.string(), scale: z.number().int(), sum, root: hash })),
  /** Amounts in smallest units of the chain. */
  holdings: z.array(holding.extend({ scale: z.number().int(), units: sum })),
  unread: z.array(unreadCoin),
  /** By the key of each hot wallet, none where no signer has signed; and by those of cold wallets that have. */
  signatures: z.array(z.object({ address: z.string(), signature: z.string() })),
});
export type ReserveStatement = z.infer<typeof reserveStatement>;

/** One run: every client's balances at one batch, summed for each coin by a tree. `verify-liabilities.mjs` says how. */
export const liabilityRun = z.object({
  /** The last batch of the journal that is counted; names the run. */
  batch: z.number().int(),
  /** The version of the hashed format; clients can check only runs of the newest one. */
  version,
  made_at: timeMs,
  /** Of the whole state of the exchange at that batch. */
  state_hash: z.string(),
  /** Binds all totals and roots. */
  commitment: hash,
  /** While clients can ask for their parts, and anybody for the leaves. */
  is_open: z.boolean(),
  assets: z.array(
    z.object({
      coin: z.string(),
      scale: z.number().int(),
      total: decimalOut,
      sum,
      /** Leaves of the tree, a power of two; many are empty. */
      leaves: z.number().int(),
      root: hash,
    }),
  ),
  /** Null until it was read. */
  reserves: z
    .object({
      made_at: timeMs,
      /** Hot wallets that have signed; none where no signer has. */
      signers: z.array(z.string()),
      /** Cold wallets, and since when their signature is here; null without it. */
      cold: z.array(z.object({ address: z.string(), signed_at: timeMs.nullable() })),
      holdings: z.array(holding.extend({ amount: decimalOut })),
      unread: z.array(unreadCoin),
    })
    .nullable(),
});
export type LiabilityRun = z.infer<typeof liabilityRun>;

export const liabilityRuns = defineCall({
  methods: ['GET'],
  path: '/api/v3/liabilities',
  access: 'public',
  anyOrigin: true,
  tag,
  summary: 'What is owed to clients, by the last runs, newest first',
  answer: z.object({ runs: z.array(liabilityRun) }),
});

const batch = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

export const ownLiabilities = defineCall({
  methods: ['GET'],
  path: '/api/v3/liabilities/own',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'The client’s own parts in the newest run, or in another that is open',
  query: z.object({ batch: batch.optional() }),
  answer: z.object({
    run: liabilityRun,
    /** The client’s identity when the run was made. Its salted hash is in each of the client’s leaves. */
    identity: z.object({
      uid: z.string(),
      /** In lower case; empty where the account had none: the leaves are then bound to the UID alone. */
      email: z.string(),
      salt: hash,
    }),
    proofs: z.array(
      z.object({
        coin: z.string(),
        balance: decimalOut,
        parts: z.array(
          z.object({
            /** From 0 on, in order; three at most. */
            part: z.number().int(),
            sum,
            salt: z.string(),
            /** Place among the leaves. */
            index: z.number().int(),
            /** The node beside, from the leaf up. */
            path: z.array(z.object({ hash, sum })),
          }),
        ),
      }),
    ),
  }),
});
export type OwnLiabilities = z.infer<typeof ownLiabilities.answer>;

export const liabilityLeaves = defineCall({
  methods: ['GET'],
  path: '/api/v3/liabilities/leaves',
  access: 'public',
  anyOrigin: true,
  tag,
  summary:
    'All leaves of one coin’s tree in their order, a line each: hash and sum. Whoever adds them up gets root and total',
  query: z.object({ batch, coin: coinCode }),
  /** Sent as a file. */
  answer: z.string(),
});

export const reserves = defineCall({
  methods: ['GET'],
  path: '/api/v3/liabilities/reserves',
  access: 'public',
  anyOrigin: true,
  tag,
  summary:
    'What was held beside what a run says is owed, with the signatures of the hot wallets, for `verify-reserves.mjs`',
  query: z.object({ batch: batch.optional() }),
  answer: reserveStatement,
});

export const makeLiabilityRun = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/liabilities',
  access: 'operator:treasury',
  audit: { acts: ['prove-liabilities'] },
  tag,
  summary: 'Make a run now; one that has been made of the same batch is answered as it is',
  /** Null where it takes longer than some seconds: it is in the list once it is made. */
  answer: z.object({ run: liabilityRun.nullable() }),
});

export const coldReservesFile = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/reserves/:batch/cold-file',
  access: 'operator:treasury',
  audit: 'none',
  tag,
  summary: 'What a cold wallet is to sign of a run, to be carried to its machine',
  params: z.object({ batch: rowId }),
  query: z.object({ address: z.string().min(1).max(100) }),
  answer: z.object({ name: z.string(), file: z.string() }),
});

export const signColdReserves = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/reserves/cold-signatures',
  access: 'operator:treasury',
  audit: { acts: ['sign-cold-reserves'] },
  stepUp: 'treasury',
  tag,
  summary:
    'Publish what the machine of a cold wallet has signed; refused unless it is of the run and of the address in it',
  body: z.object({ file: z.string().max(10_000, 'Use at most {{maximum}} characters') }),
  answer: z.object({ message: z.literal('success') }),
});
