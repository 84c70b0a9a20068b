/**
 * What changed a client's holdings since a moment: trades by pair, what positions brought, and money that came or went. Between wallets of one
 * client nothing comes or goes.
 */
import { accountKey, BUCKET_KEYS, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { OWNED_WALLETS } from '@cambist/core/ledger/wallet-lists.ts';
import { rowReasons } from '../../exchange/ledger/service.ts';
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

export type AssetAmount = { readonly asset: number; readonly amount: bigint };

/** Signed, smallest units. */
export type Flow = AssetAmount & { readonly time: number; readonly isGain: boolean };

/** As the index of movements says it, so that it is used. */
const MOVEMENTS = `reason NOT IN ('order-holds', 'trade', 'loss-covered') AND reason NOT LIKE 'position-%'`;

/** What is available, and what transfers underway have reserved. */
const accountsOf = (owner: number, wallets: readonly { readonly number: number }[], assets: readonly number[]) =>
  wallets.flatMap(({ number }) =>
    [Bucket.AVAILABLE, Bucket.PENDING].flatMap((bucket) =>
      assets.map((asset) => accountKey(owner, number as Wallet, bucket, asset)),
    ),
  );

export function createWalletStore(database: Database) {
  return {
    /** What positions in perpetuals brought on one day (UTC), by settlement asset. */
    positionsOfDay(owner: number, day: number): Promise<AssetAmount[]> {
      return database.query<AssetAmount>('SELECT asset, amount FROM daily_positions WHERE owner = $1 AND day = $2', [
        owner,
        day,
      ]);
    },
    /** Of one day (UTC), by pair and direction. */
    tradesOfDay(owner: number, day: number): Promise<TradeSums[]> {
      return database.query<TradeSums>(
        'SELECT market, side, lots, ticks_lots, fee FROM daily_trades WHERE owner = $1 AND day = $2',
        [owner, day],
      );
    },
    /**
     * What came to all wallets together and what left them, and what the exchange has paid or charged (`isGain`). Into what
     * is reserved and out of it again nothing leaves: a row counts by what it changed of both together, so a withdrawal
     * leaves when it is posted, and one that is given back never has.
     */
    flowsSince(owner: number, assets: readonly number[], since: number): Promise<Flow[]> {
      return database.query<Flow>(
        `SELECT asset, amount, time, reason = ANY ($4) AS "isGain" FROM ledger_transactions, LATERAL (
           SELECT (account % ${BUCKET_KEYS})::int8 AS asset, sum(amount)::numeric AS amount
           FROM unnest(accounts, amounts) AS entry (account, amount)
           WHERE account = ANY ($1::bigint[]) GROUP BY 1 HAVING sum(amount) <> 0
         ) AS moved
         WHERE ${MOVEMENTS} AND accounts && $1::bigint[] AND time >= $2 AND (reason = ANY ($3) OR reason = ANY ($4))`,
        [accountsOf(owner, OWNED_WALLETS, assets), since, rowReasons('in', 'out'), rowReasons('gain')],
      );
    },
    /**
     * What was moved to the futures wallet since a moment, by asset; below zero where more was moved away. It is what the other wallets
     * have less.
     */
    broughtToFuture(owner: number, assets: readonly number[], since: number): Promise<AssetAmount[]> {
      const others = OWNED_WALLETS.filter(({ number }) => number !== Wallet.FUTURE);
      return database.query<AssetAmount>(
        `SELECT (account % ${BUCKET_KEYS})::int8 AS asset, -sum(amount)::numeric AS amount
         FROM ledger_transactions, unnest(accounts, amounts) AS entry (account, amount)
         WHERE ${MOVEMENTS} AND accounts && $1::bigint[] AND time >= $2 AND reason = ANY ($3)
               AND account = ANY ($1::bigint[])
         GROUP BY 1`,
        [accountsOf(owner, others, assets), since, rowReasons('own')],
      );
    },
  };
}

export type WalletStore = ReturnType<typeof createWalletStore>;
