/** What the reconciler reads of the tables: a range of owners at one batch, and the history of all since the last pass. */
import { BUCKET_KEYS, OWNER_KEYS, WALLET_KEYS } from '@cambist/core/ledger/account.ts';
import type { UntriggeredOrder } from '@cambist/core/orders/conditional/conditional-order.ts';
import type { Database } from '../../platform/database.ts';
import { positionsBetween, type StoredPosition } from '../futures/position-store.ts';
import { type UntriggeredRow, untriggeredBetween, untriggeredOf } from '../orders/conditional-store.ts';

/** An account and what is in it, or moved. */
export type Amount = { readonly account: number; readonly amount: bigint };

/** Owner numbers, both included. */
export interface OwnerRange {
  readonly first: number;
  readonly last: number;
}

/** How far the tables are, and up to where the books are proven. */
export type Marks = {
  readonly batch: number;
  readonly trade: number;
  readonly proven_batch: number;
  readonly proven_trade: number;
};

/** Trades of one owner in one market and direction. */
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

/** Open orders of one owner in one market and direction. */
export type OrderSums = {
  readonly owner: number;
  readonly market: number;
  readonly side: number;
  readonly count: number;
  readonly lots: bigint;
  readonly ticks_lots: bigint;
};

/** Open orders of one owner's leg at one price, by whether they open nothing. */
export type PriceSums = {
  readonly owner: number;
  readonly market: number;
  /** Of an order that opens something. */
  readonly leg: number;
  readonly price: number;
  readonly isReducing: boolean;
  readonly lots: bigint;
};

/** What the tables hold of some owners at one batch. */
export interface RangeRows {
  readonly batch: number;
  readonly balances: readonly Amount[];
  /** By owner, wallet and asset, whatever the bucket: the account of bucket 0. */
  readonly proven: readonly Amount[];
  readonly orders: readonly OrderSums[];
  /** Of perpetual markets, where each lot is held for by itself. */
  readonly prices: readonly PriceSums[];
  readonly positions: readonly StoredPosition[];
  readonly untriggered: readonly UntriggeredOrder[];
}

/** Some of the transfers since the last pass. */
export interface TransferPage {
  /** By owner, wallet and asset, as above. */
  readonly moved: readonly Amount[];
  readonly unbalanced: readonly { readonly batch: number; readonly sequence: number }[];
  /** Where the next page begins; undefined after the last one. */
  readonly next: { readonly batch: number; readonly sequence: number } | undefined;
}

/** Accounts or open orders that a range has at most, unless they are one owner's. */
const RANGE_ROWS = 1_000;
const TRANSFERS = 1_000;
const TRADES = 2_000;

type PageRow = { readonly kind: number; readonly number: number; readonly sequence: number; readonly amount: bigint };

/** One statement, so that a page is read once: 0 what moved, 1 what does not balance, 2 the last transfer of the page. */
const TRANSFER_PAGE = `WITH page AS MATERIALIZED (
    SELECT batch, sequence, accounts, amounts FROM ledger_transactions
    WHERE (batch, sequence) > ($1::bigint, $2::int) AND batch <= $3 ORDER BY batch, sequence LIMIT ${TRANSFERS}
  ), entries AS MATERIALIZED (
    SELECT batch, sequence, account, amount FROM page, unnest(accounts, amounts) AS entry (account, amount)
  )
  SELECT 0 AS kind, account / ${WALLET_KEYS} * ${WALLET_KEYS} + account % ${BUCKET_KEYS} AS number, 0 AS sequence,
         sum(amount)::numeric AS amount FROM entries GROUP BY 2
  UNION ALL
  SELECT DISTINCT 1, batch, sequence, 0::numeric FROM (
    SELECT batch, sequence FROM entries GROUP BY batch, sequence, account % ${BUCKET_KEYS} HAVING sum(amount) <> 0
  ) AS sums
  UNION ALL
  SELECT 2, batch, sequence, 0::numeric FROM page
  WHERE (batch, sequence) = (SELECT batch, sequence FROM page ORDER BY batch DESC, sequence DESC LIMIT 1)
    AND (SELECT count(*) FROM page) = ${TRANSFERS}`;

const TRADE_SUMS = `SELECT owner, market::int8, side::int8, sum(quantity)::numeric AS lots,
         sum(price * quantity)::numeric AS ticks_lots, sum(fee)::numeric AS fee, sum(credit)::numeric AS credit
  FROM (
    SELECT maker_owner AS owner, market, 1 - taker_side AS side, quantity, price, maker_fee AS fee, maker_credit AS credit
    FROM trades WHERE id > $1 AND id <= $2
    UNION ALL
    SELECT taker_owner, market, taker_side, quantity, price, taker_fee, taker_credit
    FROM trades WHERE id > $1 AND id <= $2
  ) AS sides GROUP BY owner, market, side`;

/** Ticks × lots stay within int64, because a market is refused whose largest order does not. */
const ORDER_SUMS = `SELECT owner, market::int8, side::int8, count(*) AS count, sum(remaining)::numeric AS lots,
         sum(price * remaining)::numeric AS ticks_lots
  FROM orders WHERE state = 0 AND owner BETWEEN $1 AND $2 GROUP BY owner, market, side`;

/** What opens something in hedge mode buys the long or sells the short. */
const PRICE_SUMS = `SELECT owner, market::int8, is_hedged * (1 - 2 * side)::int8 AS leg, price,
         reduce_only = 1 AS "isReducing", sum(remaining)::numeric AS lots
  FROM orders WHERE state = 0 AND owner BETWEEN $1 AND $2 AND market = ANY ($3::smallint[])
  GROUP BY owner, market, 3, price, reduce_only`;

export class ReconcilerStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async marks(): Promise<Marks> {
    const [marks] = await this.#database.query<Marks>(
      `SELECT projection.batch, projection.last_trade AS trade, reconciliation.batch AS proven_batch,
              reconciliation.trade AS proven_trade FROM projection, reconciliation`,
    );
    if (marks === undefined) throw new Error('The projection row is missing: the database is not one of ours');
    return marks;
  }

  /** Transfers after one of them, up to a batch. What is there never changes, so pages need no common snapshot. */
  async transfers(after: { readonly batch: number; readonly sequence: number }, to: number): Promise<TransferPage> {
    const rows = await this.#database.query<PageRow>(TRANSFER_PAGE, [after.batch, after.sequence, to]);
    const of = (kind: number) => rows.filter((row) => row.kind === kind);
    const [last] = of(2);
    return {
      moved: of(0).map(({ number, amount }) => ({ account: number, amount })),
      unbalanced: of(1).map(({ number, sequence }) => ({ batch: number, sequence })),
      next: last && { batch: last.number, sequence: last.sequence },
    };
  }

  /** Sums of some trades after one of them. `next` is the trade that the next page begins after. */
  async trades(after: number, to: number): Promise<{ readonly sums: readonly TradeSums[]; readonly next: number }> {
    const next = Math.min(after + TRADES, to);
    return { sums: await this.#database.query<TradeSums>(TRADE_SUMS, [after, next]), next };
  }

  /** The last owner of a range that begins with one; undefined when the range goes to the end. */
  async lastOfRange(first: number): Promise<number | undefined> {
    const [row] = await this.#database.query<{ beyond: number | null }>(
      `SELECT least(
         (SELECT account / ${OWNER_KEYS} FROM balances WHERE account >= $1::bigint * ${OWNER_KEYS}
          ORDER BY account OFFSET ${RANGE_ROWS} LIMIT 1),
         (SELECT owner FROM orders WHERE state IN (0, 3) AND owner >= $1 ORDER BY owner, id OFFSET ${RANGE_ROWS} LIMIT 1)
       ) AS beyond`,
      [first],
    );
    const beyond = row?.beyond ?? undefined;
    return beyond === undefined ? undefined : Math.max(first, beyond - 1);
  }

  /** One state of the tables: every statement sees the same batch. @param perpetuals ids of these markets */
  async range({ first, last }: OwnerRange, perpetuals: readonly number[]): Promise<RangeRows> {
    const accounts = [first * OWNER_KEYS, (last + 1) * OWNER_KEYS - 1];
    const [, [projection], balances, proven, orders, prices, positions, untriggered] =
      (await this.#database.transaction([
        { sql: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY' },
        { sql: 'SELECT batch FROM projection' },
        { sql: 'SELECT account, amount::numeric FROM balances WHERE account BETWEEN $1 AND $2', parameters: accounts },
        {
          sql: 'SELECT account, amount::numeric FROM reconciled_balances WHERE account BETWEEN $1 AND $2',
          parameters: accounts,
        },
        { sql: ORDER_SUMS, parameters: [first, last] },
        { sql: PRICE_SUMS, parameters: [first, last, perpetuals] },
        positionsBetween(first, last),
        untriggeredBetween(first, last),
      ])) as unknown as readonly [
        unknown,
        readonly [{ readonly batch: number }],
        RangeRows['balances'],
        RangeRows['proven'],
        RangeRows['orders'],
        RangeRows['prices'],
        RangeRows['positions'],
        readonly UntriggeredRow[],
      ];
    const { batch } = projection;
    return { batch, balances, proven, orders, prices, positions, untriggered: untriggered.map(untriggeredOf) };
  }

  /** Remembers what accounts held, whatever the bucket, after the batch and the trade of a pass. */
  async advance(marks: Marks, proven: ReadonlyMap<number, bigint>): Promise<void> {
    await this.#database.transaction([
      {
        sql: `INSERT INTO reconciled_balances (account, amount) SELECT * FROM unnest($1::bigint[], $2::bigint[])
              ON CONFLICT (account) DO UPDATE SET amount = excluded.amount`,
        parameters: [[...proven.keys()], [...proven.values()]],
      },
      { sql: 'UPDATE reconciliation SET batch = $1, trade = $2', parameters: [marks.batch, marks.trade] },
    ]);
  }
}
