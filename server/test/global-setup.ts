/** One PostgreSQL for the whole test run; each test makes databases of its own in it, empty or as copies of a migrated one. */
import type { TestProject } from 'vitest/node';
import { migrate } from '../src/platform/migrations.ts';
import { openPostgres } from '../src/platform/postgres.ts';
import { startPostgresServer } from './postgres-server.ts';
import { shared } from './shared.ts';

async function startMigrated() {
  const server = await startPostgresServer(['-c', 'fsync=off', '-c', 'max_connections=200']);
  const admin = await server.createDatabase();
  const url = await server.createDatabase();
  const database = await openPostgres({ url, connections: 1, connectTimeoutSeconds: 5 });
  await migrate(database);
  await database.close();
  return { value: { admin, migrated: new URL(url).pathname.slice(1) }, remove: () => server.remove() };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { value, leave } = await shared('postgres', startMigrated);
  project.provide('postgresAdmin', value.admin);
  project.provide('postgresMigrated', value.migrated);
  return leave;
}
