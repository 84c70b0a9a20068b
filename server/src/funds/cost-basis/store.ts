/** Positions at rest, and how far the ledger has been read for them. */
import type { LedgerPlace } from '../../exchange/ledger/service.ts';
import type { Database, Statement } from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';
import type { Position } from './position.ts';
import { type Positions, positionKey } from './steps.ts';

type PositionRow = {
  readonly owner: number;
  readonly asset: number;
  readonly quantity: bigint;
  readonly cost: bigint;
  readonly unpriced: boolean;
  readonly realized: bigint;
  readonly day: number;
  readonly realized_of_day: bigint;
  readonly unpriced_sale_day: number;
};

const COLUMNS = `owner, asset::int8, quantity, cost, unpriced, realized, day::int8, realized_of_day,
  unpriced_sale_day::int8`;

function positionOf(row: PositionRow): Position {
  return {
    quantity: row.quantity,
    cost: row.cost,
    isUnpriced: row.unpriced,
    realized: row.realized,
    day: row.day,
    realizedOfDay: row.realized_of_day,
    unpricedSaleDay: row.unpriced_sale_day,
  };
}

const UPSERT = `
  INSERT INTO cost_basis (owner, asset, quantity, cost, unpriced, realized, day, realized_of_day, unpriced_sale_day)
  SELECT * FROM unnest($1::bigint[], $2::integer[], $3::numeric[], $4::numeric[], $5::boolean[], $6::numeric[],
                       $7::integer[], $8::numeric[], $9::integer[])
  ON CONFLICT (owner, asset) DO UPDATE SET quantity = excluded.quantity, cost = excluded.cost,
    unpriced = excluded.unpriced, realized = excluded.realized, day = excluded.day,
    realized_of_day = excluded.realized_of_day, unpriced_sale_day = excluded.unpriced_sale_day`;

export function savePositions(positions: Positions): Statement {
  const rows = [...positions].map(([key, position]) => ({ key: key.split(':').map(Number), position }));
  return {
    sql: UPSERT,
    parameters: [
      rows.map(({ key }) => key[0]!),
      rows.map(({ key }) => key[1]!),
      rows.map(({ position }) => position.quantity),
      rows.map(({ position }) => position.cost),
      rows.map(({ position }) => position.isUnpriced),
      rows.map(({ position }) => position.realized),
      rows.map(({ position }) => position.day),
      rows.map(({ position }) => position.realizedOfDay),
      rows.map(({ position }) => position.unpricedSaleDay),
    ],
  };
}

export const savePlace = ({ batch, sequence }: LedgerPlace): Statement => ({
  sql: 'UPDATE cost_basis_progress SET batch = $1, sequence = $2',
  parameters: [batch, sequence],
});

export function createCostBasisStore(database: Database) {
  return {
    async place(): Promise<LedgerPlace> {
      const [row] = await database.patient.query<{ batch: number; sequence: number }>(
        'SELECT batch, sequence::int8 FROM cost_basis_progress',
      );
      return row ?? { batch: 0, sequence: 0 };
    },
    /** Those of the pairs of owner and asset that there are. */
    async positions(keys: readonly (readonly [owner: number, asset: number])[]): Promise<Positions> {
      const rows = await database.patient.query<PositionRow>(
        `SELECT ${COLUMNS} FROM cost_basis
         WHERE (owner, asset) IN (SELECT * FROM unnest($1::bigint[], $2::integer[]))`,
        [keys.map(([owner]) => owner), keys.map(([, asset]) => asset)],
      );
      return new Map(rows.map((row) => [positionKey(row.owner, row.asset), positionOf(row)]));
    },
    async positionsOf(owner: number): Promise<(Position & { readonly asset: number })[]> {
      const rows = await database.query<PositionRow>(
        `SELECT ${COLUMNS} FROM cost_basis WHERE owner = $1 ORDER BY asset`,
        [owner],
      );
      return rows.map((row) => ({ ...positionOf(row), asset: row.asset }));
    },
  };
}

export type CostBasisStore = ReturnType<typeof createCostBasisStore>;

export const costBasisTables: PersonalTables = {
  exported: {
    cost_basis: `SELECT asset, quantity::text, cost::text, unpriced, realized::text, day, realized_of_day::text
                 FROM cost_basis WHERE owner = $1 ORDER BY asset`,
  },
  erased: ['DELETE FROM cost_basis WHERE owner = $1'],
};
