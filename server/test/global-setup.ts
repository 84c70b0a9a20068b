/** One PostgreSQL for the whole test run; each test makes databases of its own in it, empty or as copies of a migrated one. */
import type { TestProject } from 'vitest/node';
import { migrate } from '../src/platform/migrations.ts';
import { openPostgres } from '../src/platform/postgres.ts';
import { startPostgresServer } from './postgres-server.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgresServer(['-c', 'fsync=off', '-c', 'max_connections=200']);
  project.provide('postgresAdmin', await server.createDatabase());
  const url = await server.createDatabase();
  const database = await openPostgres({ url, connections: 1, connectTimeoutSeconds: 5 });
  await migrate(database);
  await database.close();
  project.provide('postgresMigrated', new URL(url).pathname.slice(1));
  return () => server.remove();
}
