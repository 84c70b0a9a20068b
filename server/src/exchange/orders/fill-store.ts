/** A client's fills as the projection wrote them, and how histories are walked: by spans of ids, newest first. */
import type { Database } from '../../platform/database.ts';
import { isConversionOf } from './client-order-id-store.ts';

export type FillRow = {
  readonly id: number;
  readonly market: number;
  readonly price: number;
  readonly quantity: number;
  readonly taker_side: number;
  readonly maker_order: number;
  readonly taker_order: number;
  readonly maker_owner: number;
  readonly maker_fee: bigint;
  readonly taker_fee: bigint;
  readonly taker: boolean;
  /** Whether its order is a conversion. */
  readonly converted: boolean;
  readonly time: number;
};

/** Within a span of ids: `first` up to the one before `before`. */
export interface FillFilter {
  readonly owner: number;
  readonly markets: readonly number[];
  readonly side: number | undefined;
  readonly role: 'maker' | 'taker' | undefined;
  readonly order: number | undefined;
  readonly first: number;
  readonly before: number;
}

/** Ids of the next rows of a client, whatever they are. */
export interface Span {
  readonly first: number;
  readonly count: number;
}

/** The newest `$4` ids of owner `$1` that are at least `$2` and below `$3`. */
const IDS = {
  orders: 'SELECT id FROM orders WHERE owner = $1 AND id >= $2 AND id < $3 ORDER BY id DESC LIMIT $4',
  fills: `(SELECT id FROM trades WHERE maker_owner = $1 AND id >= $2 AND id < $3 ORDER BY id DESC LIMIT $4)
          UNION ALL
          (SELECT id FROM trades WHERE taker_owner = $1 AND id >= $2 AND id < $3 ORDER BY id DESC LIMIT $4)
          ORDER BY id DESC LIMIT $4`,
} as const;

/** Ids and times grow together, so the first id of a moment is found by halves, without an index of times. */
const firstIdSql = (table: 'orders' | 'trades', time: 'created_at' | 'time') => `
  WITH RECURSIVE search (low, high) AS (
    SELECT 0::bigint, coalesce(max(id), 0) + 1 FROM ${table}
    UNION ALL
    SELECT CASE WHEN probe.time < $1 THEN probe.id + 1 ELSE low END,
           CASE WHEN probe.time < $1 THEN high ELSE (low + high) / 2 END
    FROM search, LATERAL (
      SELECT id, ${time} AS time FROM ${table} WHERE id >= (low + high) / 2 ORDER BY id LIMIT 1
    ) AS probe
    WHERE low < high
  )
  SELECT max(low) AS id FROM search`;
const FIRST_ID = { orders: firstIdSql('orders', 'created_at'), fills: firstIdSql('trades', 'time') } as const;

const ROWS = `
  SELECT id, market, price, quantity, taker_side, maker_order, taker_order, maker_owner,
         maker_fee::numeric, taker_fee::numeric, taker, time,
         ${isConversionOf('CASE WHEN taker THEN taker_order ELSE maker_order END')} AS converted
  FROM (
    SELECT *, false AS taker, 1 - taker_side AS side FROM trades
    WHERE maker_owner = $1 AND id >= $2 AND id < $3 AND ($4::bigint IS NULL OR maker_order = $4)
    UNION ALL
    SELECT *, true AS taker, taker_side AS side FROM trades
    WHERE taker_owner = $1 AND id >= $2 AND id < $3 AND ($4::bigint IS NULL OR taker_order = $4)
  ) AS fills
  WHERE market = ANY ($5::smallint[]) AND ($6::smallint IS NULL OR side = $6)
        AND ($7::boolean IS NULL OR taker = $7)
  ORDER BY id DESC, taker DESC`;

export type Walked = keyof typeof IDS;

export function createFillStore({ patient }: Database) {
  return {
    /** The first id at a moment or later. */
    async firstAt(walked: Walked, time: number): Promise<number> {
      const [row] = await patient.query<{ id: number }>(FIRST_ID[walked], [time]);
      return row?.id ?? 0;
    },
    /** @returns undefined where the client has no further rows */
    async span(walked: Walked, owner: number, first: number, before: number, size: number): Promise<Span | undefined> {
      const [row] = await patient.query<{ first: number | null; count: number }>(
        `SELECT min(id) AS first, count(*)::int4 AS count FROM (${IDS[walked]}) AS next`,
        [owner, first, before, size],
      );
      return row === undefined || row.first === null ? undefined : { first: row.first, count: row.count };
    },
    /** Newest first. */
    fills({ owner, first, before, order, markets, side, role }: FillFilter): Promise<FillRow[]> {
      const isTaker = role === undefined ? null : role === 'taker';
      return patient.query<FillRow>(ROWS, [owner, first, before, order ?? null, markets, side ?? null, isTaker]);
    },
  };
}

export type FillStore = ReturnType<typeof createFillStore>;
