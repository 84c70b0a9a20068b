/** A start whose settings name a database that is there and does not let it in: one line that says what to change. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgresServer } from '../postgres-server.ts';
import { startServerProcess } from '../server-process.ts';

let postgres: PostgresServer;
let address: URL;
beforeAll(async () => {
  postgres = await startPostgresServer();
  address = new URL(await postgres.createDatabase());
});
afterAll(() => postgres.remove());

function changed(change: (url: URL) => void): string {
  const url = new URL(address);
  change(url);
  return url.href;
}

it.each([
  ['another password', (url: URL) => (url.password = 'another'), /password authentication failed/],
  ['a name that is not there', (url: URL) => (url.pathname = '/nothing'), /database "nothing" does not exist/],
])('%s', async (_, change, why) => {
  const started = startServerProcess({ DATABASE_URL: changed(change) });
  const said = await started.then(() => '', String);
  expect(said).toMatch(why);
  expect(said).toMatch(/Correct DATABASE_URL\./);
  expect(said).not.toMatch(/ at .*:\d+:\d+/);
});
