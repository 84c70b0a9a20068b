/** The product under attack: the real server in a process of its own, on either database, as an operator runs it. */
import { type DatabaseKind, makeTestDatabase } from '@cambist/server/test/databases.ts';
import { type ServerProcess, startServerProcess } from '@cambist/server/test/server-process.ts';
import { createHttp, type Http } from './http.ts';

export { anyKind, type DatabaseKind, databaseKinds } from '@cambist/server/test/databases.ts';

export interface Target {
  readonly http: Http;
  /** Kills it, where it still runs, and starts it again on the same data. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  isAlive(): boolean;
  /** Lines of its log that tell of a defect: whatever it could not explain to the one who asked. */
  defects(): string[];
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** Levels and messages that no request may cause. */
const DEFECT =
  /"level":"(error|fatal)"|uncaughtException|unhandledRejection|A request failed|The database refused a value|A listener .* failed/;

/** @param prepare what an operator has decided before the first start */
export async function startTarget(
  kind: DatabaseKind,
  settings: Readonly<Record<string, string>> = {},
  prepare?: (sql: (statement: string) => Promise<unknown>) => Promise<void>,
): Promise<Target> {
  const database = await makeTestDatabase(kind, 'migrated');
  if (prepare !== undefined) {
    const opened = await database.open();
    await prepare((statement) => opened.query(statement));
    await opened.close();
  }
  let log = '';
  let server: ServerProcess | undefined;
  let http: Http | undefined;

  async function end(): Promise<void> {
    http?.close();
    await server?.kill();
    log += server?.output() ?? '';
    server = undefined;
  }

  async function start(): Promise<void> {
    await end();
    server = await startServerProcess({ ...database.environment, NODE_ENV: 'test', ...settings });
    http = createHttp(server.url);
  }

  await start();
  return {
    get http() {
      if (http === undefined) throw new Error('The target is not running');
      return http;
    },
    restart: start,
    kill: end,
    isAlive: () => server?.isAlive() ?? false,
    defects: () => `${log}${server?.output() ?? ''}`.split('\n').filter((line) => DEFECT.test(line)),
    async remove() {
      await end();
      await database.remove();
    },
  };
}
