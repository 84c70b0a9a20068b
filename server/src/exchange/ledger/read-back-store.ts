/** What the ledger's tables hold of one transfer and of a few accounts: for whoever checks them against something else. */
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
  };
}

export type ReadBack = ReturnType<typeof createReadBackStore>;
