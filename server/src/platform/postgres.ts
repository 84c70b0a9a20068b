/** A PostgreSQL server, through postgres.js. */
import postgres from 'postgres';
import {
  AuthorityEnded,
  ConstraintViolation,
  type Database,
  DatabaseUnavailable,
  type Row,
  type Statement,
} from './database.ts';
import { PgType, parseInt8, wireParameter } from './encoding.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly connections: number;
  readonly connectTimeoutSeconds: number;
}

const textType = (from: number[]) => ({
  to: from[0] as number,
  from,
  parse: (text: string) => text,
  serialize: (value: unknown) => value as string,
});

const types = {
  int8: { to: PgType.INT8, from: [PgType.INT8], parse: parseInt8, serialize: String },
  numeric: { to: PgType.NUMERIC, from: [PgType.NUMERIC], parse: BigInt, serialize: String },
  json: textType([PgType.JSON, PgType.JSONB]),
  time: textType([PgType.TIMESTAMPTZ, PgType.TIMESTAMP, PgType.DATE]),
};

/** Classes 08 (connection) and 57P (shutdown) of SQLSTATE, 53300 (too many connections), and the socket's own codes. */
function isUnavailable(code: string): boolean {
  return (
    /^(08|57P|53300)/.test(code) ||
    /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)/.test(code)
  );
}

export function translateError(error: unknown): Error {
  const {
    code = '',
    constraint_name: named,
    constraint: plain,
    message = String(error),
  } = error as Record<string, string>;
  if (isUnavailable(code)) return new DatabaseUnavailable(message, { cause: error });
  if (code === 'CB001' || code === 'CB002') return new AuthorityEnded(code === 'CB001' ? 'session' : 'proof', message);
  if (code.startsWith('23')) return new ConstraintViolation(named ?? plain ?? code, message);
  return error as Error;
}

export function openPostgres(options: PostgresOptions): Database {
  const sql = postgres(options.url, {
    max: options.connections,
    connect_timeout: options.connectTimeoutSeconds,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    types,
    onnotice: () => undefined,
  });

  const run = (on: Pick<typeof sql, 'unsafe'>, statement: Statement) =>
    on.unsafe<Row[]>(statement.sql, (statement.parameters ?? []).map(wireParameter) as never[], { prepare: true });

  return {
    kind: 'postgres',
    async query<R extends Row>(text: string, parameters = []) {
      try {
        return (await run(sql, { sql: text, parameters })) as unknown as R[];
      } catch (error) {
        throw translateError(error);
      }
    },
    async transaction(statements) {
      try {
        return (await sql.begin((tx) => statements.map((statement) => run(tx, statement)))) as Row[][];
      } catch (error) {
        throw translateError(error);
      }
    },
    async *copyOut(select) {
      const stream = await sql.unsafe(`COPY (${select}) TO STDOUT (FORMAT binary)`).readable();
      yield* stream as AsyncIterable<Uint8Array>;
    },
    async close() {
      await sql.end({ timeout: 5 });
    },
  };
}

/**
 * Holds the writer's advisory lock on a connection of its own for as long as the process lives, so that a second
 * engine on the same database waits instead of racing. Answers undefined when another holds it past the patience.
 */
export async function lockWriter(
  url: string,
  patienceMs: number,
  lost: () => void,
): Promise<(() => Promise<void>) | undefined> {
  let released = false;
  const sql = postgres(url, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => undefined,
    onclose: () => released || lost(),
  });
  const deadline = performance.now() + patienceMs;
  do {
    const [row] = await sql`SELECT pg_try_advisory_lock(4716822) AS held`;
    if (row?.held === true)
      return async () => {
        released = true;
        await sql.end({ timeout: 1 });
      };
    await new Promise((resolve) => setTimeout(resolve, 200));
  } while (performance.now() < deadline);
  released = true;
  await sql.end({ timeout: 1 });
  return undefined;
}
