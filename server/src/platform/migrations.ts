/** Numbered SQL files, forward only, each in a transaction of its own together with the note that it was done. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './database.ts';

const directory = join(import.meta.dirname, '../../migrations');

/** Splits a file at semicolons that end a line, which a function body of ours never has. */
function statementsOf(script: string): string[] {
  return script
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** The tables are of a later version, whose rules this one does not know. */
export class DatabaseNewer extends Error {
  override readonly name = 'DatabaseNewer';
}

function refuseNewer(done: ReadonlySet<string>, newest: string): void {
  const unknown = [...done].filter((name) => name > newest).sort();
  if (unknown.length === 0) return;
  throw new DatabaseNewer(
    `A newer Cambist has used this database: it has ${unknown.join(', ')}, and this version ends with ${newest}. ` +
      'Start that version, or restore the backup from before it.',
  );
}

/**
 * @param last the newest to apply, for a database as an older version left it; all of them without it
 * @returns the names of the migrations that were applied now
 * @throws DatabaseNewer, before anything is changed
 */
export async function migrate(database: Database, last?: string): Promise<string[]> {
  await database.query(
    'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const done = new Set((await database.query<{ name: string }>('SELECT name FROM migrations')).map((row) => row.name));
  const names = readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  refuseNewer(done, names.at(-1) ?? '');
  const pending = names.filter((name) => !done.has(name) && (last === undefined || name <= last));
  for (const name of pending) {
    const statements = statementsOf(readFileSync(join(directory, name), 'utf8')).map((sql) => ({ sql }));
    await database.transaction([
      ...statements,
      { sql: 'INSERT INTO migrations (name) VALUES ($1)', parameters: [name] },
    ]);
  }
  return pending;
}
