/** A PostgreSQL server, through postgres.js. */
import { randomUUID } from 'node:crypto';
import { finished } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Availability } from './availability.ts';
import {
  AuthorityEnded,
  ConditionFailed,
  ConstraintViolation,
  type Database,
  DatabaseUnavailable,
  NotTheWriter,
  type Row,
  type Statement,
  UnfitValue,
  writerStatement,
} from './database.ts';
import { wireParameter } from './encoding.ts';
import { openSql, Pool, type Sql } from './postgres-pool.ts';

export interface PostgresOptions {
  readonly url: string;
  /** Beside the one that writes the journal. */
  readonly connections: number;
  readonly connectTimeoutSeconds: number;
  /** The longest that a request waits for one statement; 5 s unless given. */
  readonly statementMs?: number;
  /** Another process has become the writer: this one must not go on. */
  readonly onWriterLost?: (error: Error) => void;
}

export interface PostgresDatabase extends Database {
  /**
   * Makes this process the writer.
   * @param onAway told once of a database that does not answer yet, as one that is starting
   * @returns false when another one still is after the patience
   * @throws DatabaseUnavailable, the first, when the database does not answer after the patience
   */
  becomeWriter(patienceMs: number, onAway?: (error: DatabaseUnavailable) => void): Promise<boolean>;
}

/** The longest that a request waits for one statement, and a batch for its commit before it is tried again. */
const STATEMENT_MS = 5000;
const COMMIT_MS = 10_000;
const SUSPECT_MS = 1000;
const PROBE_MS = 1500;
const LOCK_POLL_MS = 200;
const TOO_MANY_CONNECTIONS = '53300';

/**
 * What passes, and has changed nothing, by SQLSTATE: 08 (connection), 57P (shutdown), 53 (no space, no memory, too many
 * connections), 58 (files of the server), 25006 (no writes, as of a standby), 57014 (cancelled, or timed out), 55P03 (a lock that
 * did not come in time), 40 (a deadlock, or another transaction), 25P03 and 25P04 (a transaction that was ended); and the
 * socket's own codes.
 */
function isUnavailable(code: string): boolean {
  return (
    /^(08|57P|53|58|40)[0-9A-Z]+$|^(25006|57014|55P03|25P03|25P04)$/.test(code) ||
    /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(
      code,
    )
  );
}

/** A file that may not grow by a quota or a limit, for which there is no code but that of an internal error. Not in all languages. */
const isRoomless = (code: string, message: string) =>
  code === 'XX000' && /: (File too large|Disk quota exceeded)$/.test(message);

/** Class 22 of SQLSTATE: a value that its column or function cannot take. */
const isUnfit = (code: string) => /^22[0-9A-Z]{3}$/.test(code);

export function translateError(error: unknown): Error {
  const {
    code = '',
    constraint_name: named,
    constraint: plain,
    message = String(error),
  } = error as Record<string, string>;
  if (error instanceof DatabaseUnavailable) return error;
  if (isUnavailable(code) || isRoomless(code, message)) return new DatabaseUnavailable(message, { cause: error });
  if (code === 'CB001' || code === 'CB002') return new AuthorityEnded(code === 'CB001' ? 'session' : 'proof', message);
  if (code === 'CB003') return new ConditionFailed(message);
  if (code.startsWith('23')) return new ConstraintViolation(named ?? plain ?? code, message);
  if (isUnfit(code)) return new UnfitValue(message, { cause: error });
  return error as Error;
}

async function run<R extends Row>(on: Pick<Sql, 'unsafe'>, { sql, parameters = [] }: Statement): Promise<R[]> {
  const rows = on.unsafe<Row[]>(sql, parameters.map(wireParameter) as never[], { prepare: true });
  return (await rows) as unknown as R[];
}

/** Statements go one behind the other without waiting; a copy waits until it is asked for its rows. */
async function runAll(on: Pick<Sql, 'unsafe'>, statements: readonly Statement[]): Promise<Row[][]> {
  const results: Promise<Row[]>[] = [];
  for (const statement of statements) {
    const { copy } = statement;
    if (copy === undefined) {
      results.push(run(on, statement));
      continue;
    }
    await Promise.all(results);
    const rows = await on.unsafe(statement.sql).writable();
    await new Promise<void>((resolve, reject) => {
      finished(rows, (error) => (error ? reject(error) : resolve()));
      rows.end(copy);
    });
    results.push(Promise.resolve([]));
  }
  return Promise.all(results);
}

/**
 * The driver writes its rollback to a connection that is gone, and that ends the process (porsager/postgres#1208): it is
 * kept from it by never hearing of the end of a connection, which is told here instead.
 */
function transact(sql: Sql, statements: readonly Statement[]): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    const unheard = new Promise<never>(() => undefined);
    const begun = sql.begin(async (tx) => {
      try {
        return await runAll(tx, statements);
      } catch (error) {
        const isAlive = (error as { severity?: string }).severity === 'ERROR';
        if (isAlive || !(translateError(error) instanceof DatabaseUnavailable)) throw error;
        reject(error);
        return unheard;
      }
    });
    begun.then((rows) => resolve(rows as Row[][]), reject);
  });
}

async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translateError(error);
  }
}

async function probe(options: PostgresOptions): Promise<void> {
  const sql = openSql(options, 1, 'cambist-probe');
  try {
    await sql`SELECT 1`;
  } catch (error) {
    // A server that has no connection left is there all the same.
    if ((error as { code?: string }).code !== TOO_MANY_CONNECTIONS) throw error;
  } finally {
    sql.end({ timeout: 0 }).catch(() => undefined);
  }
}

const WRITER_LOCK = 4_716_822;
const LOST = 'Another process has become the writer of this database: this one must not go on';

/** Sessions that hold the writer's lock of this database, and whether their name begins like this process's. */
const HOLDERS = `SELECT l.pid, coalesce(starts_with(a.application_name, $1), false) AS "isOwn"
  FROM pg_locks AS l LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid
  WHERE l.locktype = 'advisory' AND l.classid = 0 AND l.objid = ${WRITER_LOCK} AND l.objsubid = 1 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * The connection that holds the writer's advisory lock. It takes the lock in the very statement that writes, so that no
 * moment lies between holding and writing: after a reconnection the statement takes it again, or writes nothing.
 * @param name with which those of this process's sessions begin
 */
function createWriter(name: string) {
  /**
   * A session of ours whose connection died unseen by the server keeps the lock; it is ended.
   * @throws DatabaseUnavailable where no other process holds the lock now, so that it can be taken
   */
  async function findOther(sql: Sql): Promise<void> {
    const holders = await run<{ pid: number; isOwn: boolean }>(sql, { sql: HOLDERS, parameters: [name] });
    for (const { pid, isOwn } of holders) if (isOwn) await sql`SELECT pg_terminate_backend(${pid})`;
    // It may have been let go since it was refused, as where a ghost was ended by another statement of ours.
    if (holders.every(({ isOwn }) => isOwn)) throw new DatabaseUnavailable('No other process holds the lock any more');
  }

  /** @returns whether this process is the writer now */
  async function take(sql: Sql): Promise<boolean> {
    const [row] = await run<{ held: boolean }>(sql, { sql: `SELECT pg_try_advisory_lock(${WRITER_LOCK}) AS held` });
    if (row?.held === true) return true;
    await findOther(sql);
    return false;
  }

  return {
    take,
    /** @returns how many rows were written */
    async write(sql: Sql, statement: Statement): Promise<number> {
      const held = `SELECT pg_try_advisory_lock(${WRITER_LOCK}) AS held`;
      const wrapped = { ...statement, sql: writerStatement(held, statement.sql) };
      const [row] = await run<{ held: boolean; written: number }>(sql, wrapped);
      if (row?.held === true) return row.written;
      await findOther(sql);
      throw new NotTheWriter(LOST);
    },
  };
}

interface Connections {
  /** For single statements, many of them one behind the other over each. */
  readonly pool: Pool;
  /**
   * For transactions alone. Behind many statements the driver begins one without keeping the connection for it
   * (porsager/postgres#1189): what others write on it, and were told is written, goes back with the transaction.
   */
  readonly transactions: Pool;
  /** The one that writes the journal. */
  readonly alone: Pool;
}

/**
 * Sessions whose connections have ended. After a cut in the network the server goes on with them, and in the middle of a transaction
 * they keep its locks: a fresh connection would wait for them.
 */
class LeftSessions {
  readonly #names = new Set<string>();

  add(name: string): void {
    this.#names.add(name);
  }

  /** Ends those that the server still has. */
  async end(query: (sql: string, parameters: Statement['parameters']) => Promise<unknown>): Promise<void> {
    const names = [...this.#names];
    if (names.length === 0) return;
    const sql = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ANY ($1::text[])';
    await query(sql, [names]);
    for (const name of names) this.#names.delete(name);
  }
}

interface Opening {
  readonly options: PostgresOptions;
  /** Another one for each set of connections. */
  readonly nextName: () => string;
  readonly onAloneLost: () => void;
  readonly onEnded: (name: string) => void;
}

/**
 * A third of them is for transactions, and two at least where there are three: the reconciler's lasts as long as its scan, and the
 * projector must not wait for that.
 */
function openConnections({ options, nextName, onAloneLost, onEnded }: Opening): Connections {
  const { connections } = options;
  const poolOf = (max: number, onLost?: () => void) =>
    new Pool({ open: (lost) => openSql(options, max, nextName(), lost), onLost, onEnded });
  const forTransactions = Math.max(1, Math.min(connections - 1, Math.max(2, Math.floor(connections / 3))));
  return {
    pool: poolOf(Math.max(1, connections - forTransactions)),
    transactions: poolOf(forTransactions),
    alone: poolOf(1, onAloneLost),
  };
}

/** How long the connection of a copy waits for the next one. */
const COPY_IDLE_SECONDS = 2;

/**
 * Reads copies, each over a connection of its own: statements behind a copy would fail, or wait for whoever reads it. The
 * connection of one that was read to its end serves the next, since a server that starts reads many, one after the other.
 */
class Copies {
  readonly #open: () => Sql;
  #free: Sql | undefined;
  #isClosed = false;

  constructor(open: () => Sql) {
    this.#open = open;
  }

  async *read(select: string): AsyncIterable<Uint8Array> {
    const sql = this.#free ?? this.#open();
    this.#free = undefined;
    let isWhole = false;
    try {
      const stream = await sql.unsafe(`COPY (${select}) TO STDOUT (FORMAT binary)`).readable();
      yield* stream as AsyncIterable<Uint8Array>;
      isWhole = true;
    } finally {
      if (isWhole && this.#free === undefined && !this.#isClosed) this.#free = sql;
      else await sql.end({ timeout: 0 });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#free?.end({ timeout: 0 });
    this.#free = undefined;
  }
}

/** Keeps this process the writer once it is, over every loss of its connection, or tells that it no longer is. */
class WriterKeeper {
  readonly #take: () => Promise<boolean>;
  readonly #probe: () => Promise<void>;
  readonly #onLost: ((error: Error) => void) | undefined;
  #isWriter = false;
  #isRetaking = false;

  /** @param probe resolves when the server lets a connection of its own in */
  constructor(take: () => Promise<boolean>, probe: () => Promise<void>, onLost: ((error: Error) => void) | undefined) {
    this.#take = take;
    this.#probe = probe;
    this.#onLost = onLost;
  }

  async become(patienceMs: number, onAway?: (error: DatabaseUnavailable) => void): Promise<boolean> {
    const deadline = performance.now() + patienceMs;
    let away: DatabaseUnavailable | undefined;
    for (;;) {
      try {
        this.#isWriter = await this.#take();
        if (this.#isWriter || performance.now() > deadline) return this.#isWriter;
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        // One that is there and refuses counts as away, and what it refuses for has to be corrected.
        await this.#probe().catch((why: unknown) => {
          if (!(why instanceof DatabaseUnavailable)) throw why;
        });
        if (away === undefined) onAway?.(error);
        away ??= error;
        if (performance.now() > deadline) throw away;
      }
      await sleep(LOCK_POLL_MS);
    }
  }

  /** A statement has written, so it holds the lock. */
  wrote(): void {
    this.#isWriter = true;
  }

  /** The lock went with its connection. It is taken again before another process finds it free, or this one stops. */
  async retake(): Promise<void> {
    if (!this.#isWriter || this.#isRetaking) return;
    this.#isRetaking = true;
    try {
      while (this.#isWriter && !(await this.#isTakenAgain())) await sleep(LOCK_POLL_MS);
    } catch (error) {
      this.#isWriter = false;
      this.#onLost?.(error as Error);
    } finally {
      this.#isRetaking = false;
    }
  }

  async #isTakenAgain(): Promise<boolean> {
    try {
      if (await this.#take()) return true;
      throw new NotTheWriter(LOST);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return false;
      throw error;
    }
  }

  stop(): void {
    this.#isWriter = false;
  }
}

export function openPostgres(options: PostgresOptions): PostgresDatabase {
  const name = `cambist-${randomUUID()}-`;
  let named = 0;
  const nextName = () => {
    named += 1;
    return `${name}${named}`;
  };
  const writer = createWriter(name);
  const copies = new Copies(() => openSql({ ...options, idleSeconds: COPY_IDLE_SECONDS }, 1, nextName()));
  const left = new LeftSessions();
  const keeper = new WriterKeeper(
    () => available.run(({ alone }) => translated(alone.run((sql) => writer.take(sql))), COMMIT_MS),
    () => translated(probe(options)),
    options.onWriterLost,
  );
  const available: Availability<Connections> = new Availability({
    open: () => openConnections({ options, nextName, onAloneLost: () => void keeper.retake(), onEnded }),
    discard: async ({ pool, transactions, alone }, seconds) => {
      await Promise.all([pool.end(seconds), transactions.end(seconds), alone.end(Math.min(seconds, 1))]);
    },
    probe: () => probe(options),
    onFresh() {
      void keeper.retake();
      void endLeft();
    },
    suspectMs: SUSPECT_MS,
    probeMs: PROBE_MS,
  });

  const within = (limitMs?: number): Omit<Database, 'patient'> => ({
    kind: 'postgres',
    query: <R extends Row>(sql: string, parameters: Statement['parameters'] = []) =>
      available.run(({ pool }) => translated(pool.run((on) => run<R>(on, { sql, parameters }))), limitMs),
    transaction: (statements) =>
      available.run(({ transactions }) => translated(transactions.run((on) => transact(on, statements))), limitMs),
    async writeAlone(statement) {
      const written = await available.run(
        ({ alone }) => translated(alone.run((sql) => writer.write(sql, statement))),
        COMMIT_MS,
      );
      keeper.wrote();
      return written;
    },
    copyOut: (select) => copies.read(select),
    async close() {
      keeper.stop();
      await Promise.all([copies.close(), available.close()]);
    },
  });

  const bounded = within(options.statementMs ?? STATEMENT_MS);
  // While the database is away they stay noted.
  const endLeft = () => left.end(bounded.query).catch(() => undefined);
  function onEnded(ended: string): void {
    left.add(ended);
    void endLeft();
  }

  const unbounded = within();
  const patient: Database = {
    ...unbounded,
    get patient() {
      return patient;
    },
  };
  return { ...bounded, patient, becomeWriter: (patienceMs, onAway) => keeper.become(patienceMs, onAway) };
}
