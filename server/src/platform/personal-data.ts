/** What a slice keeps about one person: a copy for the person, and the end of it. */
import type { Database, Statement } from './database.ts';
import { parseExact } from './node-http.ts';

export interface PersonalData {
  /** Lists of rows, by name. No hash, secret or key is in them: they are no use to the person. */
  export(clientId: number): Promise<Readonly<Record<string, unknown>>>;
  /** For one transaction with every other slice's: all of it goes, or nothing. */
  erase(clientId: number): readonly Statement[];
}

/** The same as SQL, in which $1 is the client's number. A store says it. */
export interface PersonalTables {
  readonly exported: Readonly<Record<string, string>>;
  readonly erased: readonly string[];
}

/** @param caughtUp where the tables follow something: resolves once they hold all of it */
export function personalDataOf(
  database: Database,
  { exported, erased }: PersonalTables,
  caughtUp?: () => Promise<void>,
): PersonalData {
  return {
    async export(clientId) {
      await caughtUp?.();
      const gathered: Record<string, unknown> = {};
      for (const [name, sql] of Object.entries(exported)) {
        const rows = await database.query<{ row: string }>(
          `SELECT row_to_json(part)::text AS row FROM (${sql}) AS part`,
          [clientId],
        );
        gathered[name] = rows.map(({ row }) => parseExact(row));
      }
      return gathered;
    },
    erase: (clientId) => erased.map((sql) => ({ sql, parameters: [clientId] })),
  };
}
