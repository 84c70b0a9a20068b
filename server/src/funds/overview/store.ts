/**
 * What changed a client's holdings since a moment: trades by pair, and money that came or went. Between wallets of one
 * client nothing comes or goes.
 */
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
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
    tradesSince(owner: number, since: number): Promise<TradeSums[]> {
      return database.query<TradeSums>(
        `SELECT market, side, sum(quantity)::int8 AS lots, sum(price::numeric * quantity) AS ticks_lots, sum(fee) AS fee
         FROM (
           SELECT market, quantity, price, 1 - taker_side AS side, maker_fee AS fee FROM trades
           WHERE maker_owner = $1 AND time >= $2
           UNION ALL
           SELECT market, quantity, price, taker_side AS side, taker_fee AS fee FROM trades
           WHERE taker_owner = $1 AND time >= $2
         ) AS mine
         GROUP BY market, side`,
        [owner, since],
      );
    },
    flowsSince(owner: number, assets: readonly number[], since: number): Promise<Flow[]> {
      const accounts = assets.map((asset) => accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset));
      return database.query<Flow>(
        `SELECT (account % 256)::int8 AS asset, amount::numeric, time
         FROM ledger_transactions, unnest(accounts, amounts) AS entry (account, amount)
         WHERE reason NOT IN ('order-holds', 'trade', 'wallet-transfer') AND accounts && $1::bigint[] AND time >= $2
               AND account = ANY ($1::bigint[])`,
        [accounts, since],
      );
    },
  };
}

export type WalletStore = ReturnType<typeof createWalletStore>;
