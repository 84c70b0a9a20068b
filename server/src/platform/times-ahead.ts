/**
 * Times of the future that a clock which was ahead has left in tables. Most of them keep a client or a job waiting until then: a
 * resent code, a used step of an authenticator app, a limit of a day. What happened keeps its time; only what decides is put right.
 */
import type { Database, Statement } from './database.ts';

/** In the conditions and the change $1 is the clock's time, ms. A store says it. */
export interface TimesAhead {
  /** As an operator reads it. */
  readonly name: string;
  readonly table: string;
  readonly where: string;
  /** What follows SET; without it the rows are deleted. */
  readonly set?: string;
}

export interface FoundAhead {
  readonly name: string;
  readonly count: number;
}

/** @returns only what there is */
export async function findTimesAhead(
  database: Pick<Database, 'query'>,
  known: readonly TimesAhead[],
  now: number,
): Promise<FoundAhead[]> {
  const found: FoundAhead[] = [];
  for (const { name, table, where } of known) {
    const sql = `SELECT count(*) AS count FROM ${table} WHERE ${where}`;
    const [row] = await database.query<{ count: number }>(sql, [now]);
    if (row !== undefined && row.count > 0) found.push({ name, count: row.count });
  }
  return found;
}

export const correctTimesAhead = (known: readonly TimesAhead[], now: number): Statement[] =>
  known.map(({ table, where, set }) => ({
    sql: set === undefined ? `DELETE FROM ${table} WHERE ${where}` : `UPDATE ${table} SET ${set} WHERE ${where}`,
    parameters: [now],
  }));
