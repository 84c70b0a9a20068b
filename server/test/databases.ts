/** Databases of both kinds, empty or migrated. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { inject } from 'vitest';
import type { Database } from '../src/platform/database.ts';
import { migrate } from '../src/platform/migrations.ts';
import { openPglite } from '../src/platform/pglite.ts';
import { openPostgres } from '../src/platform/postgres.ts';
import { makeDataFolder, type Schema } from './pglite-template.ts';
import { isFullSuite } from './suite.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresAdmin: string;
    /** The name of a migrated database, to be copied. */
    postgresMigrated: string;
  }
}

export interface TestDatabase {
  /** Opens the same files or server database again, as a restarted process would. */
  open(): Promise<Database>;
  /** What a server process is told to reach it, and the folder for what lies beside it. */
  readonly environment: Readonly<{ DATA_DIR: string; DATABASE_URL?: string }>;
  remove(): Promise<void>;
}

/** For tests of what differs between the two databases. */
export const bothKinds = ['pglite', 'postgres'] as const;
export type DatabaseKind = (typeof bothKinds)[number];

/** Integration tests run on PostgreSQL; `npm run test:all` runs them on PGlite too. */
export const databaseKinds: readonly DatabaseKind[] = isFullSuite ? bothKinds : ['postgres'];

/** For tests that run on one database. To start PGlite costs half a second of CPU time more than to start on PostgreSQL. */
export const anyKind: DatabaseKind = isFullSuite ? 'pglite' : 'postgres';

/** Longer than in an exchange: on a busy machine a statement may take the five seconds after which its outcome counts as unknown. */
const STATEMENT_MS = 30_000;
/** Likewise for a connection, which is a new process of the database. */
const CONNECT_SECONDS = 30;

/** One for all tests of the process: what a connection costs the server, a process of its own, is most of what a small database costs. */
let administration: postgres.Sql | undefined;

async function makePostgres(schema: Schema): Promise<TestDatabase> {
  const adminUrl = inject('postgresAdmin');
  const name = `test_${randomBytes(6).toString('hex')}`;
  administration ??= postgres(adminUrl, { max: 1, idle_timeout: 5, onnotice: () => undefined });
  const admin = administration;
  const template = schema === 'migrated' ? inject('postgresMigrated') : 'template1';
  // Copied as files: page by page through the server's memory takes four times as long, and so does removing it.
  await admin.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const directory = mkdtempSync(join(tmpdir(), 'cambist-postgres-data-'));
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    open: async () =>
      openPostgres({
        url: url.href,
        connections: 4,
        connectTimeoutSeconds: CONNECT_SECONDS,
        statementMs: STATEMENT_MS,
      }),
    environment: { DATABASE_URL: url.href, DATA_DIR: directory },
    async remove() {
      rmSync(directory, { recursive: true, force: true });
      await admin.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

function makePglite(schema: Schema): TestDatabase {
  const directory = makeDataFolder('cambist-pglite-', schema);
  return {
    open: () => openPglite(directory),
    environment: { DATA_DIR: directory },
    remove: async () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** An embedded database in a folder that the test made, and removes. */
export const databaseIn = (directory: string): TestDatabase => ({
  open: () => openPglite(directory),
  environment: { DATA_DIR: directory },
  remove: async () => {},
});

/** @param schema what it holds already */
export const makeTestDatabase = (kind: DatabaseKind, schema: Schema = 'empty'): Promise<TestDatabase> =>
  kind === 'postgres' ? makePostgres(schema) : Promise.resolve(makePglite(schema));

/** A migrated database, open, and how it is closed and removed. */
export async function openMigrated(
  kind: DatabaseKind,
): Promise<{ database: Database; source: TestDatabase; close: () => Promise<void> }> {
  const source = await makeTestDatabase(kind, 'migrated');
  const database = await source.open();
  await migrate(database);
  const close = async () => {
    await database.close();
    await source.remove();
  };
  return { database, source, close };
}
