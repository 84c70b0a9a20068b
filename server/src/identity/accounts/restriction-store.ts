/** Restrictions of withdrawals, and the maintenance of the platform. */
import type { Database, Statement } from '../../platform/database.ts';
import type { TimesAhead } from '../../platform/times-ahead.ts';

export type RestrictionKind =
  | 'password'
  | 'transaction-password'
  | 'factor'
  | 'factors-reset'
  | 'whitelist'
  | 'withdrawal-rules'
  | 'operator';

export type RestrictionRow = {
  readonly id: number;
  readonly client_id: number;
  readonly kind: RestrictionKind;
  /** An operator's words; empty for the others, whose kind says why. */
  readonly reason: string;
  readonly from_at: number;
  readonly until_at: number | null;
  readonly by_id: number | null;
};

export type MaintenanceRow = {
  readonly since: number | null;
  readonly reason: string;
  readonly until_at: number | null;
  readonly by_id: number | null;
};

const columns = 'id, client_id, kind, reason, from_at, until_at, by_id';

/** Which clients were told of restrictions. */
function createTellingStore(database: Database) {
  return {
    /** Returns a row where its client was not told. */
    telling: (id: number): Statement => ({
      sql: 'UPDATE holds SET is_told = true WHERE id = $1 AND NOT is_told RETURNING id',
      parameters: [id],
    }),
    async markTold({ sql, parameters }: Statement): Promise<void> {
      await database.query(sql, parameters);
    },
    /** What began before a time and was never told: the process ended in between. */
    untold(before: number, limit: number): Promise<RestrictionRow[]> {
      return database.query<RestrictionRow>(
        `SELECT ${columns} FROM holds WHERE NOT is_told AND from_at < $1 ORDER BY id LIMIT $2`,
        [before, limit],
      );
    },
  };
}

export function createRestrictionStore(database: Database) {
  return {
    ...createTellingStore(database),
    /** @param mail tells of it; without one, `markTold` does once it is known that there is something to tell */
    async insertRestriction(
      { client_id, kind, reason, from_at, until_at, by_id }: Omit<RestrictionRow, 'id'>,
      mail?: Statement,
    ): Promise<number> {
      const insert = {
        sql: `INSERT INTO holds (client_id, kind, reason, from_at, until_at, by_id, is_told)
              VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
        parameters: [client_id, kind, reason, from_at, until_at, by_id, mail !== undefined],
      };
      const [[row]] = (await database.transaction(mail ? [insert, mail] : [insert])) as [{ id: number }[]];
      return row!.id;
    },
    /** Of one that never was: what it was for did not happen. */
    async removeRestriction(id: number): Promise<void> {
      await database.query('DELETE FROM holds WHERE id = $1', [id]);
    },
    activeRestrictions(clientId: number, now: number): Promise<RestrictionRow[]> {
      return database.query<RestrictionRow>(
        `SELECT ${columns} FROM holds
         WHERE client_id = $1 AND lifted_at IS NULL AND (until_at IS NULL OR until_at > $2) ORDER BY id`,
        [clientId, now],
      );
    },
    /** Undefined where it has ended. */
    async activeRestriction(id: number, now: number): Promise<RestrictionRow | undefined> {
      const [row] = await database.query<RestrictionRow>(
        `SELECT ${columns} FROM holds
         WHERE id = $1 AND lifted_at IS NULL AND (until_at IS NULL OR until_at > $2)`,
        [id, now],
      );
      return row;
    },
    async liftRestriction(id: number, now: number): Promise<RestrictionRow | undefined> {
      const [row] = await database.query<RestrictionRow>(
        `UPDATE holds SET lifted_at = $2
         WHERE id = $1 AND lifted_at IS NULL AND (until_at IS NULL OR until_at > $2) RETURNING ${columns}`,
        [id, now],
      );
      return row;
    },
    async readMaintenance(): Promise<MaintenanceRow> {
      const [row] = await database.query<MaintenanceRow>('SELECT since, reason, until_at, by_id FROM maintenance');
      return row as MaintenanceRow;
    },
    async saveMaintenance({ since, reason, until_at, by_id }: MaintenanceRow): Promise<void> {
      await database.query('UPDATE maintenance SET since = $1, reason = $2, until_at = $3, by_id = $4', [
        since,
        reason,
        until_at,
        by_id,
      ]);
    },
  };
}

export type RestrictionStore = ReturnType<typeof createRestrictionStore>;

export const restrictionTimes: readonly TimesAhead[] = [
  {
    name: 'restrictions of withdrawals',
    table: 'holds',
    where: 'from_at > $1',
    set: 'from_at = $1, until_at = $1::int8 + until_at - from_at',
  },
];
