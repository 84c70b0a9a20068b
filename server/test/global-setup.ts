/** One PostgreSQL for the whole test run; each test makes databases of its own in it. */
import type { TestProject } from 'vitest/node';
import { startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresAdmin: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgresServer(['-c', 'fsync=off', '-c', 'max_connections=200']);
  project.provide('postgresAdmin', await server.createDatabase());
  return () => server.remove();
}
