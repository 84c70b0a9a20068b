/** Positions' tables: what a run writes, and what histories read. */
import type { PositionLeg } from '@cambist/core/terms/order-terms.ts';
import type { Database, Statement } from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';
import type { TimesAhead } from '../../platform/times-ahead.ts';
import { Columns } from '../engine/columns.ts';
import type { ChangeCause } from './change-rows.ts';
import { positionId } from './position-id.ts';

/** A change of a client's position; lots and prices as in the core, money in settlement units. */
export type PositionChangeRow = {
  readonly id: number;
  readonly owner: number;
  readonly market: number;
  readonly leg: number;
  readonly time: number;
  readonly cause: ChangeCause;
  /** 0 for a change without a trade. */
  readonly trade: number;
  /** 0 where nothing is open. */
  readonly direction: number;
  readonly lots: number;
  readonly lots_change: number;
  readonly cost: bigint;
  readonly margin: bigint;
  readonly leverage: number;
  readonly is_isolated: boolean;
  readonly realised: bigint;
  readonly fee: bigint;
  readonly funding: bigint;
};

/** A position that ended with its market. */
export type SettledRow = {
  /** Of its last change. */
  readonly id: number;
  readonly owner: number;
  readonly market: number;
  readonly leg: PositionLeg;
  /** All that were settled. */
  readonly lots: number;
  /** Settlement units; below zero for a loss. */
  readonly realised: bigint;
};

export type LiquidationRow = {
  readonly id: number;
  readonly owner: number;
  /** Whose position was liquidated where this one was closed against it, else 0. */
  readonly against: number;
  readonly market: number;
  readonly leg: PositionLeg;
  readonly time: number;
  readonly direction: number;
  readonly lots: number;
  readonly price: number;
  readonly value: bigint;
  readonly equity: bigint;
  readonly required: bigint;
};

export type SettlementRow = {
  readonly id: number;
  readonly market: number;
  readonly time: number;
  readonly rate: number;
  readonly mark: number;
};

/** Which margin call was told last of an account: 0 for the wallet's cross positions, else an isolated position's id + 1. */
export type CallRow = {
  readonly owner: number;
  readonly account: number;
  /** 0 once it has recovered. */
  readonly level: number;
  readonly time: number;
};

/** Up to which owner an interval, by its last settlement, has been told. */
type FundingTold = { readonly settlement: number; readonly owner: number };

/** What a client had open when funding was settled. */
export type FundingRow = SettlementRow & { readonly leg: number; readonly direction: number; readonly lots: number };

/** Newest first, below an id; times in ms, both included. */
export interface HistoryFilter {
  readonly owner: number;
  readonly markets: readonly number[];
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly before: number;
  readonly limit: number;
}

export function insertLiquidations(rows: readonly LiquidationRow[]): Statement {
  const columns = new Columns(12);
  for (const { id, owner, against, market, leg, time, direction, lots, price, value, equity, required } of rows)
    columns.add(id, owner, against, market, leg, time, direction, lots, price, value, equity, required);
  return {
    sql: `INSERT INTO position_liquidations (id, owner, against, market, leg, time, direction, lots, price, value,
                                             equity, required)
          SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::smallint[], $6::bigint[],
                               $7::smallint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
                               $12::bigint[])`,
    parameters: columns.parameters(),
  };
}

export function insertSettlements(rows: readonly SettlementRow[]): Statement {
  const columns = new Columns(5);
  for (const { id, market, time, rate, mark } of rows) columns.add(id, market, time, rate, mark);
  return {
    sql: `INSERT INTO funding_settlements (id, market, time, rate, mark)
          SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::bigint[], $5::bigint[])`,
    parameters: columns.parameters(),
  };
}

export function upsertInsurance(
  rows: readonly { readonly asset: number; readonly day: number; readonly balance: bigint }[],
): Statement {
  const columns = new Columns(3);
  for (const { asset, day, balance } of rows) columns.add(asset, day, balance);
  return {
    sql: `INSERT INTO insurance_days (asset, day, balance)
          SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bigint[])
          ON CONFLICT (asset, day) DO UPDATE SET balance = excluded.balance`,
    parameters: columns.parameters(),
  };
}

/** What of a history a filter asks for; its parameters are the first six. */
export const WANTED = `owner = $1 AND id < $2 AND market = ANY ($3::smallint[])
  AND ($4::bigint IS NULL OR time >= $4) AND ($5::bigint IS NULL OR time <= $5)
  ORDER BY id DESC LIMIT $6`;

export const parametersOf = ({ owner, before, markets, from, to, limit }: HistoryFilter) => [
  ...[owner, before, markets, from ?? null, to ?? null, limit],
];

const MONEY = 'cost::numeric, margin::numeric, realised::numeric, fee::numeric, funding::numeric';
const CHANGES = `
  SELECT id, owner, market, leg, time, cause, trade, direction, lots, lots_change, leverage, is_isolated, ${MONEY}
  FROM position_changes WHERE ${WANTED}`;
const LIQUIDATIONS = `
  SELECT id, owner, against, market, leg, time, direction, lots, price, value::numeric, equity::numeric,
         required::numeric
  FROM position_liquidations WHERE ${WANTED}`;
/**
 * Of the settlements of markets in which the client ever had something, newest first: a row for each leg that was open, the long
 * before the short, and for none a row with lots 0.
 */
const FUNDING = `
  SELECT s.id, s.market, s.time, s.rate, s.mark, l.leg, coalesce(c.direction, 0)::int4 AS direction,
         coalesce(c.lots, 0) AS lots
  FROM (SELECT * FROM funding_settlements
        WHERE market IN (SELECT market FROM positions WHERE owner = $1) AND id < $2
              AND market = ANY ($3::smallint[])
              AND ($4::bigint IS NULL OR time >= $4) AND ($5::bigint IS NULL OR time <= $5)
        ORDER BY id DESC LIMIT $6) AS s
  CROSS JOIN (VALUES (0), (1), (-1)) AS l (leg)
  LEFT JOIN LATERAL (SELECT direction, lots FROM position_changes
                     WHERE owner = $1 AND market = s.market AND leg = l.leg AND id < s.id
                     ORDER BY id DESC LIMIT 1) AS c ON true
  WHERE c.lots > 0 OR l.leg = 0
  ORDER BY s.id DESC, l.leg DESC`;

/** What some owners had open at settlements: rows as in the history, those of one owner together. */
const FUNDING_OF = `
  SELECT o.owner, s.id, s.market, s.time, s.rate, s.mark, l.leg, c.direction, c.lots
  FROM unnest($1::bigint[]) AS o (owner)
  JOIN funding_settlements AS s ON s.id = ANY ($2::bigint[])
       AND EXISTS (SELECT 1 FROM positions AS p WHERE p.owner = o.owner AND p.market = s.market)
  CROSS JOIN (VALUES (0), (1), (-1)) AS l (leg)
  JOIN LATERAL (SELECT direction, lots FROM position_changes
                WHERE owner = o.owner AND market = s.market AND leg = l.leg AND id < s.id
                ORDER BY id DESC LIMIT 1) AS c ON c.lots > 0
  ORDER BY o.owner, s.market, s.id, l.leg DESC`;

/** What notices of funding are made from, and how far they have come. */
function createFundingNoticeStore({ patient }: Database) {
  return {
    /** Of all markets, oldest first. */
    settlementsAfter: (id: number, limit: number) =>
      patient.query<SettlementRow>(
        'SELECT id, market, time, rate, mark FROM funding_settlements WHERE id > $1 ORDER BY id LIMIT $2',
        [id, limit],
      ),
    /** Who ever had something in one of the markets, by their ids. */
    async ownersAfter(owner: number, markets: readonly number[], limit: number): Promise<readonly number[]> {
      const rows = await patient.query<{ owner: number }>(
        `SELECT DISTINCT owner FROM positions WHERE owner > $1 AND market = ANY ($2::smallint[])
         ORDER BY owner LIMIT $3`,
        [owner, markets, limit],
      );
      return rows.map((row) => row.owner);
    },
    fundingOf: (owners: readonly number[], settlements: readonly number[]) =>
      patient.query<FundingRow & { readonly owner: number }>(FUNDING_OF, [owners, settlements]),
    async fundingTold(): Promise<FundingTold> {
      const [row] = await patient.query<FundingTold>('SELECT settlement, owner FROM funding_notices');
      return row ?? { settlement: 0, owner: 0 };
    },
    /** For the transaction of the notices. */
    tellFunding: ({ settlement, owner }: FundingTold): Statement => ({
      sql: 'UPDATE funding_notices SET settlement = $1, owner = $2',
      parameters: [settlement, owner],
    }),
  };
}

export type FundingNoticeStore = ReturnType<typeof createFundingNoticeStore>;

function callStatement({ owner, account, level, time }: CallRow): Statement {
  if (level === 0)
    return { sql: 'DELETE FROM margin_calls WHERE owner = $1 AND account = $2', parameters: [owner, account] };
  return {
    sql: `INSERT INTO margin_calls (owner, account, level, time) VALUES ($1, $2, $3, $4)
          ON CONFLICT (owner, account) DO UPDATE SET level = excluded.level, time = excluded.time`,
    parameters: [owner, account, level, time],
  };
}

export function createFuturesStore(database: Database) {
  const { patient } = database;
  return {
    ...createFundingNoticeStore(database),
    changes: (filter: HistoryFilter) => patient.query<PositionChangeRow>(CHANGES, parametersOf(filter)),
    liquidations: (filter: HistoryFilter) => patient.query<LiquidationRow>(LIQUIDATIONS, parametersOf(filter)),
    funding: (filter: HistoryFilter) => patient.query<FundingRow>(FUNDING, parametersOf(filter)),
    /** Of a market, newest first. */
    settlements: (market: number, before: number, after: number, limit: number) =>
      patient.query<SettlementRow>(
        `SELECT id, market, time, rate, mark FROM funding_settlements
         WHERE market = $1 AND time < $2 AND time > $3 ORDER BY id DESC LIMIT $4`,
        [market, before, after, limit],
      ),
    /** When the positions of an owner were opened, by their ids. */
    async opened(owner: number): Promise<ReadonlyMap<string, number>> {
      const rows = await patient.query<{ market: number; leg: number; since: number }>(
        'SELECT market, leg, since FROM positions WHERE owner = $1 AND direction <> 0',
        [owner],
      );
      return new Map(rows.map((row) => [positionId(row), row.since]));
    },
    /** Of all owners, oldest first. */
    liquidationsAfter: (id: number, limit: number) =>
      patient.query<LiquidationRow>(
        `SELECT id, owner, against, market, leg, time, direction, lots, price, value::numeric, equity::numeric,
                required::numeric FROM position_liquidations WHERE id > $1 ORDER BY id LIMIT $2`,
        [id, limit],
      ),
    /** Positions of all owners that ended with their market, oldest first, each with all that settled it. */
    settledAfter: (id: number, limit: number) =>
      patient.query<SettledRow>(
        `SELECT last.id, last.owner, last.market, last.leg, sum(abs(part.lots_change))::bigint AS lots,
                sum(part.realised)::numeric AS realised
         FROM (SELECT id, owner, market, leg FROM position_changes
               WHERE cause = 'settlement' AND lots = 0 AND id > $1 ORDER BY id LIMIT $2) AS last
         JOIN position_changes AS part ON part.owner = last.owner AND part.market = last.market AND part.leg = last.leg
              AND part.cause = 'settlement' AND part.id <= last.id
         GROUP BY last.id, last.owner, last.market, last.leg ORDER BY last.id`,
        [id, limit],
      ),
    async sellsEmpty(): Promise<boolean> {
      const [row] = await patient.query<{ sells_empty: boolean }>('SELECT sells_empty FROM futures_form');
      return row?.sells_empty ?? true;
    },
    async setSellsEmpty(isOn: boolean): Promise<void> {
      await patient.query('UPDATE futures_form SET sells_empty = $1', [isOn]);
    },
    calls: () => patient.query<CallRow>('SELECT owner, account, level, time FROM margin_calls'),
    /** What was said, with what tells it; of an account that has recovered nothing is kept. */
    async writeCalls(rows: readonly CallRow[], told: readonly Statement[]): Promise<void> {
      await patient.transaction([...rows.map(callStatement), ...told]);
    },
    /** Newest first. */
    insuranceDays: (asset: number, limit: number) =>
      patient.query<{ day: number; balance: bigint }>(
        'SELECT day, balance::numeric FROM insurance_days WHERE asset = $1 ORDER BY day DESC LIMIT $2',
        [asset, limit],
      ),
  };
}

export type FuturesStore = ReturnType<typeof createFuturesStore>;

/** A copy for the person. What has happened in the markets stays; warnings are of no use to anyone else. */
export const futuresTables: PersonalTables = {
  exported: {
    positions: 'SELECT * FROM positions WHERE owner = $1 ORDER BY market, leg',
    position_changes: 'SELECT * FROM position_changes WHERE owner = $1 ORDER BY id',
    position_liquidations: `SELECT id, market, leg, time, direction, lots, price, value, equity, required
             FROM position_liquidations WHERE owner = $1 ORDER BY id`,
    margin_calls: 'SELECT * FROM margin_calls WHERE owner = $1 ORDER BY account',
  },
  erased: ['DELETE FROM margin_calls WHERE owner = $1'],
};

export const futuresTimes: readonly TimesAhead[] = [
  { name: 'margin calls', table: 'margin_calls', where: 'time > $1', set: 'time = $1' },
];
