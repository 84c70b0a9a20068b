/** Runs of the proof of liabilities at rest: what was published, and of the newest also by which secret. */
import type { Database } from '../../platform/database.ts';
import type { AssetResult } from './liabilities-worker.ts';

export interface Run {
  /** The last batch of the journal that is counted; names the run. */
  readonly batch: number;
  /** The version of the hashed format, see `LIABILITIES_VERSION`. */
  readonly version: number;
  readonly stateHash: string;
  readonly commitment: string;
  readonly madeAt: number;
  /** Encrypted; undefined once the trees' files are gone. */
  readonly secret: string | undefined;
  readonly assets: readonly AssetResult[];
}

type RunRow = {
  readonly batch: number;
  readonly version: number;
  readonly state_hash: string;
  readonly commitment: string;
  readonly made_at: number;
  readonly secret: string | null;
};

type TotalRow = {
  readonly batch: number;
  readonly asset: number;
  readonly coin: string;
  readonly scale: number;
  readonly total: bigint;
  readonly leaves: number;
  readonly clients: number;
  readonly root: string;
};

const columns = 'batch, version::int8, state_hash, commitment, made_at, secret';

export interface LiabilityStore {
  /** Newest first, at most so many. */
  newest(count: number): Promise<Run[]>;
  run(batch: number): Promise<Run | undefined>;
  /** Adds one, and closes all but the newest so many. @returns the batches of those that are open */
  add(run: Run, keptOpen: number): Promise<number[]>;
}

export function createLiabilityStore(database: Database): LiabilityStore {
  async function withTotals(rows: readonly RunRow[]): Promise<Run[]> {
    const totals = await database.query<TotalRow>(
      `SELECT batch, asset::int8, coin, scale::int8, total::numeric, leaves::int8, clients::int8, root
       FROM liability_totals WHERE batch = ANY($1::bigint[]) ORDER BY asset`,
      [rows.map(({ batch }) => batch)],
    );
    return rows.map(({ batch, version, state_hash, commitment, made_at, secret }) => ({
      ...{ batch, version, commitment, stateHash: state_hash, madeAt: made_at, secret: secret ?? undefined },
      assets: totals
        .filter((row) => row.batch === batch)
        .map(({ batch: _, total, ...asset }) => ({ ...asset, sum: total })),
    }));
  }

  return {
    async newest(count) {
      return withTotals(
        await database.query<RunRow>(`SELECT ${columns} FROM liability_runs ORDER BY batch DESC LIMIT $1`, [count]),
      );
    },
    async run(batch) {
      const sql = `SELECT ${columns} FROM liability_runs WHERE batch = $1`;
      const [found] = await withTotals(await database.query<RunRow>(sql, [batch]));
      return found;
    },
    async add({ batch, version, stateHash, commitment, madeAt, secret, assets }, keptOpen) {
      const [, , , open = []] = await database.transaction([
        {
          sql: `INSERT INTO liability_runs (batch, version, state_hash, commitment, made_at, secret)
                VALUES ($1, $2, $3, $4, $5, $6)`,
          parameters: [batch, version, stateHash, commitment, madeAt, secret ?? null],
        },
        {
          sql: `INSERT INTO liability_totals (batch, asset, coin, scale, total, leaves, clients, root)
                SELECT $1, * FROM unnest($2::integer[], $3::text[], $4::integer[], $5::bigint[], $6::integer[],
                                         $7::integer[], $8::text[])`,
          parameters: [
            batch,
            assets.map(({ asset }) => asset),
            assets.map(({ coin }) => coin),
            assets.map(({ scale }) => scale),
            assets.map(({ sum }) => sum),
            assets.map(({ leaves }) => leaves),
            assets.map(({ clients }) => clients),
            assets.map(({ root }) => root),
          ],
        },
        {
          sql: `UPDATE liability_runs SET secret = NULL WHERE secret IS NOT NULL AND batch NOT IN (
                  SELECT batch FROM liability_runs ORDER BY batch DESC LIMIT $1)`,
          parameters: [keptOpen],
        },
        { sql: 'SELECT batch FROM liability_runs WHERE secret IS NOT NULL' },
      ]);
      return open.map(({ batch: kept }) => Number(kept));
    },
  };
}
