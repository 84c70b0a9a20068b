/**
 * What changed a client's holdings since a moment: trades by pair, what positions brought, and money that came or went. Between wallets of one
 * client nothing comes or goes.
 */
import { accountKey, BUCKET_KEYS, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import type { Database } from '../../platform/database.ts';

export type TradeSums = {
  readonly market: number;
  /** 0 bought, 1 sold. */
  readonly side: number;
  readonly lots: number;
  /** Σ price × quantity in ticks × lots. */
  readonly ticks_lots: bigint;
  readonly fee: bigint;
};

export type Flow = { readonly asset: number; readonly amount: bigint; readonly time: number };

export function createWalletStore(database: Database) {
  return {
    /** What positions in perpetuals brought on one day (UTC), by settlement asset. */
    positionsOfDay(owner: number, day: number): Promise<{ readonly asset: number; readonly amount: bigint }[]> {
      return database.query<{ asset: number; amount: bigint }>(
        'SELECT asset, amount FROM daily_positions WHERE owner = $1 AND day = $2',
        [owner, day],
      );
    },
    /** Of one day (UTC), by pair and direction. */
    tradesOfDay(owner: number, day: number): Promise<TradeSums[]> {
      return database.query<TradeSums>(
        'SELECT market, side, lots, ticks_lots, fee FROM daily_trades WHERE owner = $1 AND day = $2',
        [owner, day],
      );
    },
    /**
     * Into what is reserved and out of it again nothing leaves: a row counts by what it changed of both together, so a
     * withdrawal leaves when it is posted, and one that is given back never has.
     */
    flowsSince(owner: number, assets: readonly number[], since: number): Promise<Flow[]> {
      const accounts = assets.flatMap((asset) =>
        [Bucket.AVAILABLE, Bucket.PENDING].map((bucket) => accountKey(owner, Wallet.SPOT, bucket, asset)),
      );
      return database.query<Flow>(
        `SELECT asset, amount, time FROM ledger_transactions, LATERAL (
           SELECT (account % ${BUCKET_KEYS})::int8 AS asset, sum(amount)::numeric AS amount
           FROM unnest(accounts, amounts) AS entry (account, amount)
           WHERE account = ANY ($1::bigint[]) GROUP BY 1 HAVING sum(amount) <> 0
         ) AS moved
         WHERE reason NOT IN ('order-holds', 'trade') AND reason NOT LIKE 'wallet-transfer%' AND accounts && $1::bigint[]
           AND time >= $2`,
        [accounts, since],
      );
    },
    /**
     * What was moved to the futures wallet since a moment, by asset; below zero where more was moved away. It is what the other wallets
     * have less: theirs are few rows, those of the futures wallet are as many as its trades.
     */
    broughtToFuture(owner: number, assets: readonly number[], since: number): Promise<Omit<Flow, 'time'>[]> {
      const accounts = assets.flatMap((asset) =>
        [Wallet.SPOT, Wallet.FUNDING].flatMap((wallet) =>
          [Bucket.AVAILABLE, Bucket.PENDING].map((bucket) => accountKey(owner, wallet, bucket, asset)),
        ),
      );
      return database.query<Omit<Flow, 'time'>>(
        `SELECT (account % ${BUCKET_KEYS})::int8 AS asset, -sum(amount)::numeric AS amount
         FROM ledger_transactions, unnest(accounts, amounts) AS entry (account, amount)
         WHERE reason LIKE 'wallet-transfer%' AND accounts && $1::bigint[] AND time >= $2
               AND account = ANY ($1::bigint[])
         GROUP BY 1`,
        [accounts, since],
      );
    },
  };
}

export type WalletStore = ReturnType<typeof createWalletStore>;
