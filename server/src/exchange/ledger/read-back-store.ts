/** What the ledger's tables hold of one transfer and of a few accounts: for whoever checks them against something else. */
import { BUCKET_KEYS, FIRST_CLIENT, OWNER_KEYS } from '@cambist/core/ledger/account.ts';
import type { Database } from '../../platform/database.ts';

export interface StoredLeg {
  /** Account keys. */
  readonly from: number;
  readonly to: number;
  readonly amount: bigint;
}

export interface StoredBalances {
  readonly batch: number;
  readonly trade: number;
  readonly amounts: readonly bigint[];
}

export function createReadBackStore(database: Database) {
  return {
    /** The legs of a transfer that is reserved and not ended; none for one that the tables do not have. */
    legsOf(transferId: number): Promise<StoredLeg[]> {
      return database.query<StoredLeg & Record<string, unknown>>(
        `SELECT payer AS "from", receiver AS "to", amount::numeric
         FROM pending_transfers, unnest(payers, receivers, amounts) AS leg (payer, receiver, amount) WHERE id = $1`,
        [transferId],
      );
    },
    /** Smallest units, in the order of the accounts, and the batch and trade after which they are; 0n for one never used. */
    async balances(accounts: readonly number[]): Promise<StoredBalances> {
      const rows = await database.query<{ batch: number; trade: number; account: number | null; amount: bigint }>(
        `SELECT projection.batch, last_trade AS trade, account, amount::numeric
         FROM projection LEFT JOIN balances ON account = ANY ($1::bigint[])`,
        [accounts],
      );
      const found = new Map(rows.map(({ account, amount }) => [account, amount]));
      const { batch, trade } = rows[0] ?? { batch: 0, trade: 0 };
      return { batch, trade, amounts: accounts.map((account) => found.get(account) ?? 0n) };
    },
    /** Clients with a balance of an asset, in any wallet and held or not. */
    async holdersOf(asset: number): Promise<number[]> {
      const rows = await database.query<{ owner: number }>(
        `SELECT DISTINCT account / ${OWNER_KEYS} AS owner FROM balances
         WHERE account >= ${FIRST_CLIENT} * ${OWNER_KEYS}::bigint AND account % ${BUCKET_KEYS} = $1 AND amount > 0`,
        [asset],
      );
      return rows.map(({ owner }) => owner);
    },
  };
}

export type ReadBack = ReturnType<typeof createReadBackStore>;
