/** The audit log at rest; the database refuses to change or delete a line. */
import type { Database } from '../../platform/database.ts';
import type { PersonalTables } from '../../platform/personal-data.ts';

export type AuditRow = {
  readonly id: number;
  readonly at: number;
  readonly actor_id: number | null;
  readonly act: string;
  readonly client_id: number | null;
  readonly reason: string;
  /** JSON. */
  readonly detail: string;
  readonly address: string;
};

export interface AuditFilter {
  readonly clientId: number | undefined;
  readonly actorId: number | undefined;
  readonly act: string | undefined;
  readonly limit: number;
  readonly before: number;
}

export type NewAudit = Omit<AuditRow, 'id'>;

export function createAuditStore(database: Database) {
  return {
    async insert({ at, actor_id, act, client_id, reason, detail, address }: NewAudit): Promise<void> {
      await database.query(
        `INSERT INTO audit (at, actor_id, act, client_id, reason, detail, address) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [at, actor_id, act, client_id, reason, detail, address],
      );
    },
    list({ clientId, actorId, act, limit, before }: AuditFilter): Promise<AuditRow[]> {
      return database.query<AuditRow>(
        `SELECT id, at, actor_id, act, client_id, reason, detail, address FROM audit
         WHERE id < $1 AND ($2::bigint IS NULL OR client_id = $2::bigint)
               AND ($3::bigint IS NULL OR actor_id = $3::bigint) AND ($4::text IS NULL OR act = $4::text)
         ORDER BY id DESC LIMIT $5`,
        [before, clientId ?? null, actorId ?? null, act ?? null, limit],
      );
    },
  };
}

export type AuditStore = ReturnType<typeof createAuditStore>;

/** The log is append only. */
export const auditTables: PersonalTables = {
  exported: { acts: 'SELECT at, act, reason FROM audit WHERE client_id = $1 ORDER BY id' },
  erased: [],
};
