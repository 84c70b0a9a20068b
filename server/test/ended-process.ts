/** What a process leaves behind that ends between a commit and whatever was to follow it. */
import { type Database, DatabaseUnavailable } from '../src/platform/database.ts';

/**
 * Lets no statement through any more, from the first commit on that one of its statements matches.
 * @param lost those that are not let through, where others of the same server go on
 * @returns lets them through again, as the next process does
 */
export function endsAfter(database: Database, pattern: RegExp, lost = /./): () => void {
  const { query, transaction } = database;
  let hasEnded = false;
  const run = async <Result>(sql: readonly string[], original: () => Promise<Result>): Promise<Result> => {
    if (hasEnded && sql.some((text) => lost.test(text))) throw new DatabaseUnavailable('The process has ended');
    const result = await original();
    hasEnded ||= sql.some((text) => pattern.test(text));
    return result;
  };
  database.query = (sql, parameters) => run([sql], () => query.call(database, sql, parameters) as Promise<never>);
  database.transaction = (statements) =>
    run(
      statements.map(({ sql }) => sql),
      () => transaction.call(database, statements),
    );
  return () => Object.assign(database, { query, transaction });
}
