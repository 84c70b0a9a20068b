/** Connections through postgres.js, and what it leaves undone where they end. */
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import postgres from 'postgres';
import { DatabaseUnavailable } from './database.ts';
import { PgType, parseInt8 } from './encoding.ts';

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

/** What the driver tells of the server when it wants a socket; its types do not know of that. */
interface Address {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false;
}

/**
 * Makes the driver's sockets. Its own wait, by Nagle's algorithm, with a short packet until the one before it is
 * acknowledged, and a server that has nothing to say puts that off for 40 ms: so long took the end of every COPY.
 * @param onLost hears of a socket's error before the driver does
 * @returns a function that asks one host after the other, where an address names several
 */
function socketsOf(onLost: (() => void) | undefined): (address: Address) => Socket {
  let tries = 0;
  return ({ host, port, path }) => {
    const at = tries % host.length;
    tries += 1;
    const socket = path
      ? connect({ path })
      : connect({ host: host[at]!, port: port[at % port.length]!, noDelay: true });
    // What never answered is no connection that was lost.
    if (onLost) socket.once('error', () => socket.bytesRead > 0 && onLost());
    // The name that a certificate must have.
    return path ? socket : Object.assign(socket, { host: host[at] });
  };
}

export type Sql = ReturnType<typeof openSql>;

export interface SqlOptions {
  readonly url: string;
  readonly connectTimeoutSeconds: number;
  /** When a connection that is not used ends; never unless given. */
  readonly idleSeconds?: number;
}

/**
 * By these the server ends a session whose client is gone without a word, as where its host has lost power or the network is cut: a
 * machine that does not answer for 25 s, and a transaction in which nothing comes for 10. Else it would keep its locks for two
 * hours, the writer's among them, and what waits for them here would wait as long.
 */
const ABANDONED = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 25_000,
  idle_in_transaction_session_timeout: 10_000,
};

/**
 * @param max how many connections; they are opened when they are wanted
 * @param name of their sessions
 * @param onLost hears of each connection that fails or has ended, once or twice
 */
export function openSql(options: SqlOptions, max: number, name: string, onLost?: () => void) {
  const { url, connectTimeoutSeconds, idleSeconds = 0 } = options;
  return postgres(url, {
    ...{ socket: socketsOf(onLost) },
    max,
    connect_timeout: connectTimeoutSeconds,
    idle_timeout: idleSeconds,
    max_lifetime: null,
    // Whether the server is there is asked elsewhere; a connection is tried when it is wanted, without growing pauses.
    backoff: () => 0,
    fetch_types: false,
    types,
    connection: { application_name: name, ...ABANDONED },
    onnotice: () => undefined,
    ...(onLost === undefined ? {} : { onclose: onLost }),
  });
}

/**
 * Codes of a connection that was refused, or did not come about in time: of the server (too many of them, a wrong password, no such
 * database, one that starts or ends), and of the system.
 */
const REFUSED = /^(53300|28[0-9A-Z]{3}|3D000|57P03|CONNECT_TIMEOUT|ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN)$/;

/** For what is under way on the other connections when one was lost. */
const LOST_SECONDS = 30;

export interface PoolOptions {
  /** @param onLost to be called once a connection fails */
  readonly open: (onLost: () => void) => Sql;
  /** Called when there are fresh connections because one was lost. */
  readonly onLost?: (() => void) | undefined;
  /** Called with the name of sessions whose connections have ended. The server may not have heard of it. */
  readonly onEnded: (name: string) => void;
}

/** Work that has no answer yet. */
interface Waiting {
  readonly on: Sql;
  readonly giveUp: (error: DatabaseUnavailable) => void;
}

/**
 * Connections of one use. The driver is kept from three of its faults:
 *
 * - A connection that is lost keeps what it had not sent yet, and where it is opened again nothing more is sent: one statement after
 *   the other fails there when its time to connect has passed.
 * - A statement that it is given between its error and its end is neither sent nor failed.
 *   So all are replaced as soon as one of them fails, unless it was refused at its beginning; what is under way on others ends there.
 * - Some of what waits on connections that end is forgotten: a transaction for which none was free, and one whose copy was sent and
 *   has no answer. It would wait for ever, and with it whoever does one thing after the other. It fails here.
 */
export class Pool {
  readonly #options: PoolOptions;
  readonly #waiting = new Set<Waiting>();
  #current: Sql;
  #isEnding = false;
  /** Connections that were refused, and whose end was not heard yet. */
  #refused = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#current = this.#fresh();
  }

  /** @throws DatabaseUnavailable where the connections have ended without an answer; then what was asked may be done */
  async run<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const entry = { on: this.#current, giveUp: reject };
    this.#waiting.add(entry);
    try {
      work(entry.on).then(resolve, reject);
      return await promise;
    } catch (error) {
      if (entry.on === this.#current && REFUSED.test(String((error as { code?: unknown }).code))) this.#refused += 1;
      throw error;
    } finally {
      this.#waiting.delete(entry);
    }
  }

  /** Rejects what still waits after so many seconds; 0 at once. */
  async end(seconds: number): Promise<void> {
    this.#isEnding = true;
    await this.#endOf(this.#current, seconds);
  }

  #fresh(): Sql {
    const sql: Sql = this.#options.open(() => this.#lost(sql));
    return sql;
  }

  #lost(sql: Sql): void {
    if (this.#isEnding || sql !== this.#current) return;
    if (this.#refused > 0) {
      this.#refused -= 1;
      return;
    }
    this.#refused = 0;
    this.#current = this.#fresh();
    void this.#endOf(sql, LOST_SECONDS);
    this.#options.onLost?.();
  }

  async #endOf(sql: Sql, seconds: number): Promise<void> {
    await sql.end({ timeout: seconds });
    // What came before the end is heard first.
    await turn();
    for (const { on, giveUp } of this.#waiting)
      if (on === sql) giveUp(new DatabaseUnavailable('The connection to the database has ended'));
    const { application_name: name } = sql.options.connection;
    if (name) this.#options.onEnded(name);
  }
}
