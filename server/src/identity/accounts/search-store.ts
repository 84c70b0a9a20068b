/** Clients as operators look for them, and the addresses behind numbers. */
import type { Database } from '../../platform/database.ts';

export type FoundClient = {
  readonly id: number;
  readonly email: string;
  readonly user_unique_id: string;
  readonly mobile_number: string;
  readonly role: 'client' | 'operator';
  readonly status: 'ACTIVE' | 'FREEZE_ACCOUNT';
  readonly created_at: number;
  readonly last_sign_in_at: number | null;
};

export interface ClientFilter {
  readonly search: string;
  readonly status: 'ACTIVE' | 'FREEZE_ACCOUNT' | undefined;
  readonly limit: number;
  readonly before: number;
  readonly now: number;
}

/** What a client sees as the own account's names. An erased account keeps its number and its UID. */
export type AccountNames = { readonly id: number; readonly unique_id: string; readonly email: string };

/** What the pattern language would read is meant as it stands. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');

export function createSearchStore(database: Database) {
  return {
    /** Of clients by their numbers; without those that there are none of. */
    async emailsOf(ids: readonly (number | null)[]): Promise<Map<number, string>> {
      const distinct = [...new Set(ids.filter((id) => id !== null))];
      const rows = await database.query<{ id: number; email: string }>(
        'SELECT id, email FROM clients WHERE id = ANY ($1::int8[])',
        [distinct],
      );
      return new Map(rows.map(({ id, email }) => [id, email]));
    },
    /** The next accounts in the order of their numbers. The primary key serves each page. */
    accountsAfter(id: number, count: number): Promise<AccountNames[]> {
      return database.patient.query<AccountNames>(
        'SELECT id, unique_id, email FROM clients WHERE id > $1 ORDER BY id LIMIT $2',
        [id, count],
      );
    },
    find({ search, status, limit, before, now }: ClientFilter): Promise<FoundClient[]> {
      return database.query<FoundClient>(
        `SELECT id, email, unique_id AS user_unique_id, mobile_number, role,
                CASE WHEN status = 'FREEZE_ACCOUNT' AND (frozen_until IS NULL OR frozen_until > $5)
                     THEN 'FREEZE_ACCOUNT' ELSE 'ACTIVE' END AS status,
                created_at,
                (SELECT max(at) FROM sign_ins WHERE client_id = clients.id AND outcome = 'success') AS last_sign_in_at
         FROM clients
         WHERE id < $1 AND ($2 = '' OR email ILIKE '%' || $3 || '%' OR mobile_number LIKE '%' || $3 || '%'
                            OR unique_id LIKE $3 || '%' OR id::text = $2)
               AND ($4::text IS NULL OR $4::text =
                    CASE WHEN status = 'FREEZE_ACCOUNT' AND (frozen_until IS NULL OR frozen_until > $5)
                         THEN 'FREEZE_ACCOUNT' ELSE 'ACTIVE' END)
         ORDER BY id DESC LIMIT $6`,
        [before, search, literal(search), status ?? null, now, limit],
      );
    },
  };
}
