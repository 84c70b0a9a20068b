/** What the reconciler asks of the tables, and the alarms that it raises. */
import { FIRST_CLIENT } from '@cambist/core/ledger/account.ts';
import type { Database } from '../../platform/database.ts';
import { readUntriggeredOrders } from '../orders/conditional-store.ts';

export type Finding = { readonly account: number; readonly expected: bigint; readonly found: bigint };
export type Imbalance = { readonly asset: number; readonly total: bigint };
export type Alarm = {
  readonly id: number;
  readonly kind: string;
  readonly detail: string;
  readonly raised_at: number;
  readonly acknowledged_at: number | null;
};

const LIMIT = 20;

export function createReconcilerStore(database: Database) {
  return {
    /** Σ of all accounts by asset: zero, always. */
    imbalances(): Promise<Imbalance[]> {
      return database.query<Imbalance>(
        `SELECT (account % 256)::int8 AS asset, sum(amount) AS total FROM balances
         GROUP BY 1 HAVING sum(amount) <> 0 LIMIT ${LIMIT}`,
      );
    },
    /** A transaction of the ledger that does not sum to zero in some asset, since a batch. */
    unbalancedTransactions(after: number): Promise<{ batch: number; sequence: number }[]> {
      return database.query<{ batch: number; sequence: number }>(
        `SELECT batch, sequence FROM (
           SELECT batch, sequence, account % 256 AS asset, sum(amount) AS total
           FROM ledger_transactions, unnest(accounts, amounts) AS entry (account, amount)
           WHERE batch > $1 GROUP BY batch, sequence, asset
         ) AS sums WHERE total <> 0 LIMIT ${LIMIT}`,
        [after],
      );
    },
    /**
     * Balances proven earlier, plus the ledger since, against the balances now: of every account, so that a balance
     * that moved without the ledger is found too. One statement sees one state of the tables.
     */
    driftedBalances(after: number): Promise<Finding[]> {
      return database.query<Finding>(
        `WITH moved AS (
           SELECT account, sum(amount) AS amount
           FROM ledger_transactions, unnest(accounts, amounts) AS entry (account, amount)
           WHERE batch > $1 GROUP BY account
         )
         SELECT account, coalesce(proven.amount, 0) + coalesce(moved.amount, 0) AS expected,
                coalesce(balances.amount, 0)::numeric AS found
         FROM balances
         FULL JOIN reconciled_balances AS proven USING (account)
         FULL JOIN moved USING (account)
         WHERE coalesce(proven.amount, 0) + coalesce(moved.amount, 0) <> coalesce(balances.amount, 0)
         LIMIT ${LIMIT}`,
        [after],
      );
    },
    /** Remembers the ledger up to a batch as proven. */
    async advance(after: number, to: number): Promise<void> {
      await database.transaction([
        {
          sql: `INSERT INTO reconciled_balances (account, amount)
                SELECT account, sum(amount)
                FROM ledger_transactions, unnest(accounts, amounts) AS entry (account, amount)
                WHERE batch > $1 AND batch <= $2 GROUP BY account
                ON CONFLICT (account) DO UPDATE SET amount = reconciled_balances.amount + excluded.amount`,
          parameters: [after, to],
        },
        { sql: 'UPDATE reconciliation SET batch = $1', parameters: [to] },
      ]);
    },
    async progress(): Promise<{ proven: number; projected: number }> {
      const [row] = await database.query<{ proven: number; projected: number }>(
        'SELECT (SELECT batch FROM reconciliation) AS proven, (SELECT batch FROM projection) AS projected',
      );
      return row ?? { proven: 0, projected: 0 };
    },
    /** What open orders should hold, by account, in ticks × lots for buys and lots for sells. */
    openOrderSums(): Promise<{ owner: number; market: number; side: number; ticks_lots: bigint; lots: bigint }[]> {
      return database.query(
        `SELECT owner, market::int8, side::int8, sum(price::numeric * remaining) AS ticks_lots,
                sum(remaining::numeric) AS lots
         FROM orders WHERE state = 0 GROUP BY owner, market, side`,
      );
    },
    untriggeredOrders: () => readUntriggeredOrders(database),
    heldBalances(): Promise<{ account: number; amount: bigint }[]> {
      return database.query(
        `SELECT account, amount::numeric FROM balances
         WHERE account % 1024 / 256 = 1 AND account >= ${FIRST_CLIENT * 8192} AND amount <> 0`,
      );
    },
    /** Answers true when this is news: the same finding raises one alarm until it is acknowledged. */
    async raise(kind: string, detail: string, now: number): Promise<boolean> {
      const rows = await database.query(
        `INSERT INTO alarms (kind, detail, raised_at) VALUES ($1, $2, $3)
         ON CONFLICT (kind, md5(detail)) WHERE acknowledged_at IS NULL DO NOTHING RETURNING id`,
        [kind, detail, now],
      );
      return rows.length > 0;
    },
    alarms(): Promise<Alarm[]> {
      return database.query<Alarm>(
        `SELECT id, kind, detail, raised_at, acknowledged_at FROM alarms
         ORDER BY acknowledged_at IS NOT NULL, id DESC LIMIT 100`,
      );
    },
    async acknowledge(id: number, now: number): Promise<boolean> {
      const rows = await database.query(
        'UPDATE alarms SET acknowledged_at = $2 WHERE id = $1 AND acknowledged_at IS NULL RETURNING id',
        [id, now],
      );
      return rows.length > 0;
    },
    async openAlarms(): Promise<number> {
      const [row] = await database.query<{ count: number }>(
        'SELECT count(*) AS count FROM alarms WHERE acknowledged_at IS NULL',
      );
      return row?.count ?? 0;
    },
  };
}

export type ReconcilerStore = ReturnType<typeof createReconcilerStore>;
