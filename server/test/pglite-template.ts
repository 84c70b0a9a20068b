/**
 * Two data folders for all tests: with an empty database, and with a migrated one. PGlite takes seconds of a core to make
 * and fill them; a copy of the files takes a tenth.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { migrate } from '../src/platform/migrations.ts';
import { openPglite } from '../src/platform/pglite.ts';
import { shared } from './shared.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    dataFolders: string;
  }
}

export type Schema = 'empty' | 'migrated';

const root = join(import.meta.dirname, '../..');
const kept = join(root, 'node_modules/.cambist/folders');

/** Everything that decides the bytes of the folders. */
function fingerprint(): string {
  const migrations = join(root, 'server/migrations');
  const sources = [
    ...readdirSync(migrations).map((name) => join(migrations, name)),
    join(root, 'server/src/platform/migrations.ts'),
    join(root, 'server/src/platform/pglite.ts'),
    join(root, 'node_modules/@electric-sql/pglite/package.json'),
  ];
  const hash = createHash('sha256');
  for (const source of sources.sort()) hash.update(source.slice(root.length)).update(readFileSync(source));
  return hash.digest('hex').slice(0, 16);
}

async function makeFolders(folders: string): Promise<void> {
  for (const schema of ['empty', 'migrated'] satisfies Schema[]) {
    const folder = join(folders, schema);
    if (schema === 'migrated') cpSync(join(folders, 'empty'), folder, { recursive: true });
    const database = await openPglite(folder);
    if (schema === 'migrated') await migrate(database);
    await database.close();
  }
}

/** @returns the folders of this version; a run that makes them leaves them to the next one */
async function keepFolders(): Promise<string> {
  const folders = join(kept, fingerprint());
  if (existsSync(folders)) return folders;
  const unfinished = mkdtempSync(join(tmpdir(), 'cambist-folders-'));
  await makeFolders(unfinished);
  rmSync(kept, { recursive: true, force: true });
  // Under its name it is whole: a run that ends here leaves nothing that looks finished.
  const copy = `${folders}-${process.pid}`;
  cpSync(unfinished, copy, { recursive: true });
  renameSync(copy, folders);
  rmSync(unfinished, { recursive: true, force: true });
  return folders;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { value, leave } = await shared('folders', async () => ({
    value: await keepFolders(),
    remove: () => undefined,
  }));
  project.provide('dataFolders', value);
  return leave;
}

/** A new folder with a database, as a first start of the server leaves it. */
export function makeDataFolder(prefix: string, schema: Schema): string {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  cpSync(join(inject('dataFolders'), schema), directory, { recursive: true });
  return directory;
}
