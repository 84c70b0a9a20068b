/**
 * The chart of accounts. An account is (owner, wallet, bucket, asset), packed into one safe integer so that the hot
 * path, the tables and the journal name it alike; the same arithmetic is a view in SQL.
 *
 * Owners below FIRST_CLIENT are the exchange's own: they take the other side of money that enters or leaves, and only
 * they may go below zero.
 */
import { WALLETS } from './wallets.ts';

type Declared = (typeof WALLETS)[number];
type Numbers = { readonly [One in Declared as One['name']]: One['number'] };
export const Wallet = Object.fromEntries(WALLETS.map(({ name, number }) => [name, number])) as Numbers;
export type Wallet = Declared['number'];

/** HELD is what open orders can cost, PENDING what pending transfers have reserved, MARGIN what isolated positions have. */
export const Bucket = { AVAILABLE: 0, HELD: 1, PENDING: 2, MARGIN: 3 } as const;
export type Bucket = (typeof Bucket)[keyof typeof Bucket];

export const SystemOwner = {
  /** Trading fees earned. */
  FEES: 1,
  /** Covers futures losses beyond margin. */
  INSURANCE: 2,
  /** Capital that the market maker trades with. */
  HOUSE_CAPITAL: 3,
  /** Coins held on chains for clients (negative: owed to the outside). */
  CUSTODY: 4,
  /** Interest paid on earn plans. */
  INTEREST_EXPENSE: 5,
  /** Fee credits, rewards and referral payouts granted. */
  PROMOTIONS: 6,
  /** What could not be attributed yet. */
  SUSPENSE: 7,
  /** Funds that the development faucet made. */
  DEVELOPMENT: 8,
  /** What chains have charged for the exchange's own transactions. */
  NETWORK_COSTS: 9,
  /** The other side of every position: what all that are open have won, less what they have lost. */
  CLEARING: 10,
  /** What one side has paid the other as funding, and that one has not settled yet. */
  FUNDING: 11,
} as const;
export type SystemOwner = (typeof SystemOwner)[keyof typeof SystemOwner];

/** The market maker is an ordinary client account with this owner number. */
export const HOUSE_MAKER = 100;
/** The market maker's taker side in a simulated market. */
export const HOUSE_TAKER = 101;
export const FIRST_CLIENT = 100;

/** Whether an owner is the exchange's own market maker. */
export const isHouse = (owner: number): boolean => owner === HOUSE_MAKER || owner === HOUSE_TAKER;

/** Owner 30 bits, wallet 4, bucket 3, asset 14: 51 bits, so that every key is a safe integer. */
export const MAXIMUM_OWNER = 2 ** 30 - 1;
export const MAXIMUM_ASSET = 2 ** 14 - 1;
const ASSETS = 2 ** 14;
const BUCKETS = 2 ** 3;
const WALLET_NUMBERS = 2 ** 4;
export const BUCKET_KEYS = ASSETS;
export const WALLET_KEYS = ASSETS * BUCKETS;
export const OWNER_KEYS = ASSETS * BUCKETS * WALLET_NUMBERS;

/** Packs an account into a key: ((owner × 16 + wallet) × 8 + bucket) × 16384 + asset. */
export function accountKey(owner: number, wallet: Wallet, bucket: Bucket, asset: number): number {
  return owner * OWNER_KEYS + wallet * WALLET_KEYS + bucket * BUCKET_KEYS + asset;
}

export interface AccountParts {
  readonly owner: number;
  readonly wallet: Wallet;
  readonly bucket: Bucket;
  readonly asset: number;
}

/** Unpacks a key made by `accountKey`. */
export function accountParts(key: number): AccountParts {
  const low = key % OWNER_KEYS;
  return {
    owner: (key - low) / OWNER_KEYS,
    wallet: (low >> 17) as Wallet,
    bucket: ((low >> 14) & 7) as Bucket,
    asset: low & MAXIMUM_ASSET,
  };
}

/** A signed change of an account. */
export interface Posting {
  /** Account key. */
  readonly account: number;
  /** Smallest units. */
  readonly amount: bigint;
}

/** Whether an owner number may trade and own money: the exchange's own accounts may not. */
export function isClient(owner: number): boolean {
  return Number.isSafeInteger(owner) && owner >= FIRST_CLIENT && owner <= MAXIMUM_OWNER;
}
