/**
 * Two data folders for the whole test run: with an empty database, and with one that is migrated. PGlite takes seconds
 * of a core to make and fill them; a copy of the files takes a tenth.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
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

async function makeFolders() {
  const folders = mkdtempSync(join(tmpdir(), 'cambist-folders-'));
  for (const schema of ['empty', 'migrated'] satisfies Schema[]) {
    const folder = join(folders, schema);
    if (schema === 'migrated') cpSync(join(folders, 'empty'), folder, { recursive: true });
    const database = await openPglite(folder);
    if (schema === 'migrated') await migrate(database);
    await database.close();
  }
  return { value: folders, remove: () => rmSync(folders, { recursive: true, force: true }) };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { value, leave } = await shared('folders', makeFolders);
  project.provide('dataFolders', value);
  return leave;
}

/** A new folder with a database, as a first start of the server leaves it. */
export function makeDataFolder(prefix: string, schema: Schema): string {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  cpSync(join(inject('dataFolders'), schema), directory, { recursive: true });
  return directory;
}
