/**
 * The chart of accounts. An account is (owner, wallet, bucket, asset), packed into one safe integer so that the hot
 * path, the tables and the journal name it alike; `account-key` arithmetic is also a view in SQL.
 *
 * Owners below FIRST_CLIENT are the exchange's own: they take the other side of money that enters or leaves, and only
 * they may go below zero.
 */
export const Wallet = { SPOT: 0, FUTURE: 1, FUNDING: 2, EARN: 3, CREDIT: 4 } as const;
export type Wallet = (typeof Wallet)[keyof typeof Wallet];

export const Bucket = { AVAILABLE: 0, HELD: 1 } as const;
export type Bucket = (typeof Bucket)[keyof typeof Bucket];

export const SystemOwner = {
  /** Trading fees earned. */
  FEES: 1,
  /** Covers futures losses beyond margin. */
  INSURANCE: 2,
  /** Capital that the house maker trades with. */
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
} as const;

/** The house maker is an ordinary client account with this owner number. */
export const HOUSE_MAKER = 100;
/** The house's taker side in a simulated market. */
export const HOUSE_TAKER = 101;
export const FIRST_CLIENT = 100;

/** Packs an account into a key: owner × 8192 + wallet × 1024 + bucket × 256 + asset. */
export function accountKey(owner: number, wallet: Wallet, bucket: Bucket, asset: number): number {
  return owner * 8192 + wallet * 1024 + bucket * 256 + asset;
}

export interface AccountParts {
  readonly owner: number;
  readonly wallet: Wallet;
  readonly bucket: Bucket;
  readonly asset: number;
}

/** Unpacks a key made by `accountKey`. */
export function accountParts(key: number): AccountParts {
  const low = key % 8192;
  return {
    owner: (key - low) / 8192,
    wallet: (low >> 10) as Wallet,
    bucket: ((low >> 8) & 3) as Bucket,
    asset: low & 255,
  };
}
