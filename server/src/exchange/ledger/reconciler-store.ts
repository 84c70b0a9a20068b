/** What the reconciler asks of the tables, and the alarms that it raises. */
import { BUCKET_KEYS, WALLET_KEYS } from '@cambist/core/ledger/account.ts';
import type { UntriggeredOrder } from '@cambist/core/orders/conditional/conditional-order.ts';
import type { Database } from '../../platform/database.ts';
import { UNTRIGGERED, type UntriggeredRow, untriggeredOf } from '../orders/conditional-store.ts';

/** An account and what is in it, or moved. */
export type Amount = { readonly account: number; readonly amount: bigint };

/** Trades of one owner in one market and direction since the last proven one. */
export type TradeSums = {
  readonly owner: number;
  readonly market: number;
  /** 0 bought, 1 sold. */
  readonly side: number;
  readonly lots: bigint;
  readonly ticks_lots: bigint;
  readonly fee: bigint;
  readonly credit: bigint;
};

/** What the tables hold at one batch. */
export interface Round {
  readonly marks: {
    readonly batch: number;
    readonly trade: number;
    readonly proven_batch: number;
    readonly proven_trade: number;
  };
  readonly imbalances: readonly { readonly asset: number; readonly total: bigint }[];
  readonly unbalanced: readonly { readonly batch: number; readonly sequence: number }[];
  /** By owner, wallet and asset: the account of bucket 0. */
  readonly moved: readonly Amount[];
  readonly trades: readonly TradeSums[];
  readonly proven: readonly Amount[];
  readonly balances: readonly Amount[];
  readonly orders: readonly {
    readonly owner: number;
    readonly market: number;
    readonly side: number;
    readonly ticks_lots: bigint;
    readonly lots: bigint;
  }[];
  readonly untriggered: readonly UntriggeredOrder[];
}
type Answers = readonly [
  unknown,
  readonly Round['marks'][],
  Round['imbalances'],
  Round['unbalanced'],
  Round['moved'],
  Round['trades'],
  Round['proven'],
  Round['balances'],
  Round['orders'],
  readonly UntriggeredRow[],
];

export type Alarm = {
  readonly id: number;
  readonly kind: string;
  readonly detail: string;
  readonly raised_at: number;
  readonly acknowledged_at: number | null;
};

const LIMIT = 20;

const TRADE_SUMS = `SELECT owner, market::int8, side::int8, sum(quantity::numeric) AS lots,
         sum(price::numeric * quantity) AS ticks_lots, sum(fee::numeric) AS fee, sum(credit::numeric) AS credit
  FROM (
    SELECT maker_owner AS owner, market, 1 - taker_side AS side, quantity, price, maker_fee AS fee, maker_credit AS credit
    FROM trades WHERE id > (SELECT trade FROM reconciliation)
    UNION ALL
    SELECT taker_owner, market, taker_side, quantity, price, taker_fee, taker_credit
    FROM trades WHERE id > (SELECT trade FROM reconciliation)
  ) AS sides GROUP BY owner, market, side`;

export function createReconcilerStore(database: Database) {
  return {
    /** One state of the tables: every statement of the round sees the same batch. */
    async read(): Promise<Round> {
      const [, marks, imbalances, unbalanced, moved, trades, proven, balances, orders, untriggered] =
        (await database.transaction([
          { sql: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY' },
          {
            sql: `SELECT projection.batch, projection.last_trade AS trade, reconciliation.batch AS proven_batch,
                         reconciliation.trade AS proven_trade FROM projection, reconciliation`,
          },
          {
            sql: `SELECT account % ${BUCKET_KEYS} AS asset, sum(amount) AS total FROM balances
                  GROUP BY 1 HAVING sum(amount) <> 0 LIMIT ${LIMIT}`,
          },
          {
            sql: `SELECT batch, sequence FROM (
                    SELECT batch, sequence, account % ${BUCKET_KEYS} AS asset, sum(amount) AS total
                    FROM ledger_transactions, unnest(accounts, amounts) AS entry (account, amount)
                    WHERE batch > (SELECT batch FROM reconciliation) GROUP BY batch, sequence, asset
                  ) AS sums WHERE total <> 0 LIMIT ${LIMIT}`,
          },
          {
            sql: `SELECT account / ${WALLET_KEYS} * ${WALLET_KEYS} + account % ${BUCKET_KEYS} AS account, sum(amount) AS amount
                  FROM ledger_transactions, unnest(accounts, amounts) AS entry (account, amount)
                  WHERE batch > (SELECT batch FROM reconciliation) GROUP BY 1`,
          },
          { sql: TRADE_SUMS },
          { sql: 'SELECT account, amount::numeric FROM reconciled_balances' },
          { sql: 'SELECT account, amount::numeric FROM balances' },
          {
            sql: `SELECT owner, market::int8, side::int8, sum(price::numeric * remaining) AS ticks_lots,
                         sum(remaining::numeric) AS lots
                  FROM orders WHERE state = 0 GROUP BY owner, market, side`,
          },
          { sql: UNTRIGGERED },
        ])) as unknown as Answers;
      const [first] = marks;
      if (first === undefined) throw new Error('The projection row is missing: the database is not one of ours');
      const facts = { imbalances, unbalanced, moved, trades, proven, balances, orders };
      return { marks: first, ...facts, untriggered: untriggered.map(untriggeredOf) };
    },
    /** Remembers what accounts held, whatever the bucket, after a batch and a trade. */
    async advance(marks: Round['marks'], proven: ReadonlyMap<number, bigint>): Promise<void> {
      await database.transaction([
        {
          sql: `INSERT INTO reconciled_balances (account, amount) SELECT * FROM unnest($1::bigint[], $2::bigint[])
                ON CONFLICT (account) DO UPDATE SET amount = excluded.amount`,
          parameters: [[...proven.keys()], [...proven.values()]],
        },
        { sql: 'UPDATE reconciliation SET batch = $1, trade = $2', parameters: [marks.batch, marks.trade] },
      ]);
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
