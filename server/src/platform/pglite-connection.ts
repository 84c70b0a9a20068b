/**
 * Statements to PGlite as PostgreSQL's extended protocol carries them: those of a transaction are one message, and each is parsed
 * once. PGlite's own `query` takes six messages for a statement and parses it each time; measured, that is six times as long.
 */
import { messages, type PGlite, parse, protocol } from '@electric-sql/pglite';
import type { Row } from './database.ts';
import type { WireParameter } from './encoding.ts';

export interface WireStatement {
  readonly sql: string;
  readonly parameters: readonly WireParameter[];
  /** Rows for a `COPY … FROM STDIN`. */
  readonly copy?: Uint8Array;
}

const { serialize } = protocol;

/**
 * A remembered statement is planned for good after some runs, and this database analyses no table by itself: a plan that was made
 * for an empty one ends after as long as PostgreSQL's own analysis waits.
 */
const REMEMBERED_MS = 60_000;
const REMEMBERED = 500;

/** Remembered with parameters alone: without any it would be planned once, as for a join of a table that has just been filled. */
const QUERY = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;
/** Not planned, and run again and again. */
const COMMAND = /^\s*(BEGIN|COMMIT|ROLLBACK|SET|COPY|CREATE TEMPORARY)\b/i;
/** Anything else may change a table's columns, and nothing is remembered after it. */
const isOther = (sql: string) => !QUERY.test(sql) && !COMMAND.test(sql);

const BEGIN: WireStatement = { sql: 'BEGIN', parameters: [] };
const COMMIT: WireStatement = { sql: 'COMMIT', parameters: [] };
const ROLLBACK: WireStatement = { sql: 'ROLLBACK', parameters: [] };

/** Bytes go as they are, all else as text. */
function onWire(value: WireParameter): string | Uint8Array | null {
  return value === null || value instanceof Uint8Array ? value : String(value);
}

/** After these a server process of PostgreSQL is started anew and recovers from its log. This one has no such process around it. */
const ENDING = new Set(['FATAL', 'PANIC']);

/** What the program throws for an error of the database, which its own handler takes up. */
const ERROR_STATUS = 100;

/**
 * Has PGlite reject where the program breaks off: a trap, an overflow of its stack, an exit. It would go on with the next message
 * and say nothing of it, so that what was in hand passed for done; and for ever where the program takes no message any more.
 */
function rejectBreaks({ Module: program }: PGlite): void {
  const run = program._PostgresMainLoopOnce;
  program._PostgresMainLoopOnce = () => {
    try {
      run();
    } catch (thrown) {
      if ((thrown as { readonly status?: unknown } | null)?.status !== ERROR_STATUS) {
        // The next that it calls, past where it takes what is thrown for an error of the database.
        program.stackRestore = () => {
          throw thrown;
        };
      }
      throw thrown;
    }
  };
}

/** Takes one request at a time. */
export class PgliteConnection {
  readonly #database: PGlite;
  #hasEnded = false;
  /** Statements that the database remembers, by their text. */
  readonly #names = new Map<string, string>();
  #forgetAt = performance.now() + REMEMBERED_MS;
  #numbered = 0;

  constructor(database: PGlite) {
    this.#database = database;
    rejectBreaks(database);
  }

  /** Whether the database has failed for good, as where its log cannot be written: it would never answer again. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Several statements are a transaction.
   * @returns the rows of each
   * @throws what the database says, or what cannot be read of its answer; a transaction is undone then
   */
  async run(statements: readonly WireStatement[]): Promise<Row[][]> {
    const [only] = statements;
    if (only !== undefined && statements.length === 1) return this.#rows(await this.#send([only]));
    try {
      const [, ...rows] = this.#rows(await this.#send([BEGIN, ...statements]));
      // Only now: what cannot be read is an error, and then nothing is done.
      await this.#send([COMMIT]);
      return rows;
    } catch (error) {
      if (!this.#hasEnded) await this.#send([ROLLBACK]);
      throw error;
    }
  }

  /** The rows of a query, as a binary COPY has them. */
  async copyOut(select: string): Promise<Uint8Array> {
    const answer = await this.#send([{ sql: `COPY (${select}) TO STDOUT (FORMAT binary)`, parameters: [] }]);
    return Buffer.concat(answer.filter((one) => one instanceof messages.CopyDataMessage).map(({ chunk }) => chunk));
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #rows(answer: messages.BackendMessage[]): Row[][] {
    return parse.parseResults(answer, this.#database.parsers).map(({ rows }) => rows as Row[]);
  }

  async #send(statements: readonly WireStatement[]): Promise<messages.BackendMessage[]> {
    await this.#forgetOld();
    const parts: Uint8Array[] = [];
    /** Texts that this message has the database parse, in order, and the names that they get; '' for once. */
    const parsed = new Map<string, string>();
    for (const statement of statements) this.#write(statement, parts, parsed);
    parts.push(serialize.sync());
    const answer = await this.#exchange(Buffer.concat(parts));
    this.#remember(parsed, answer);
    if (statements.some(({ sql }) => isOther(sql))) this.#forgetAt = 0;
    const failed = answer.find((one) => one instanceof messages.DatabaseError);
    if (failed === undefined) return answer;
    this.#hasEnded ||= ENDING.has(failed.severity ?? '');
    throw failed;
  }

  async #exchange(message: Uint8Array): Promise<messages.BackendMessage[]> {
    const answer: messages.BackendMessage[] = [];
    const parser = new protocol.Parser();
    const onRawData = (data: Uint8Array) => parser.parse(data, (one) => void answer.push(one));
    try {
      await this.#database.execProtocolRawStream(message, { onRawData });
      return answer;
    } catch (thrown) {
      // It says what is wrong in messages; what it throws is a program that has broken off, and may have said why before.
      this.#hasEnded = true;
      throw (
        answer.findLast((one) => one instanceof messages.DatabaseError) ??
        new Error(`The database broke off: ${String(thrown)}`)
      );
    }
  }

  #write({ sql, parameters, copy }: WireStatement, parts: Uint8Array[], parsed: Map<string, string>): void {
    let name = this.#names.get(sql) ?? parsed.get(sql);
    if (name === undefined || name === '') {
      name = COMMAND.test(sql) || (QUERY.test(sql) && parameters.length > 0) ? `s${++this.#numbered}` : '';
      parsed.set(sql, name);
      parts.push(serialize.parse({ name, text: sql }));
    }
    parts.push(serialize.bind({ statement: name, values: parameters.map(onWire) }));
    parts.push(serialize.describe({ type: 'P' }), serialize.execute());
    if (copy === undefined) return;
    parts.push(serialize.copyData(new Uint8Array(copy).buffer), serialize.copyDone());
  }

  /** After a failure the database skips the rest: what it has parsed, it says. */
  #remember(parsed: ReadonlyMap<string, string>, answer: readonly messages.BackendMessage[]): void {
    const done = answer.filter(({ name }) => name === 'parseComplete').length;
    for (const [sql, name] of [...parsed].slice(0, done)) if (name !== '') this.#names.set(sql, name);
  }

  async #forgetOld(): Promise<void> {
    const now = performance.now();
    if (now < this.#forgetAt && this.#names.size < REMEMBERED) return;
    this.#forgetAt = now + REMEMBERED_MS;
    if (this.#names.size === 0) return;
    this.#names.clear();
    await this.#exchange(serialize.query('DEALLOCATE ALL'));
  }
}
