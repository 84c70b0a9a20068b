/**
 * What the server asks of PostgreSQL. Two implementations, the embedded one and a server's, run the same SQL and pass
 * the same tests. A transaction is a list of statements: nothing here holds a connection open while it thinks.
 *
 * Results: int2, int4, int8 and float8 arrive as `number` (int8 outside the safe range throws), numeric as `bigint`
 * (money is stored as int8 and read with a cast, `amount::numeric`), bytea as `Uint8Array`, timestamps and json as the text that PostgreSQL wrote.
 * Parameters: numbers, strings, bigints, booleans, null, bytes, and arrays of those (null allowed inside).
 */
export type Parameter = Scalar | readonly Scalar[];
type Scalar = string | number | bigint | boolean | null | Uint8Array;

export interface Statement {
  readonly sql: string;
  readonly parameters?: readonly Parameter[];
  /** Rows in binary form, for `COPY … FROM STDIN (FORMAT binary)`. */
  readonly copy?: Uint8Array;
}

export type Row = Record<string, unknown>;

/**
 * For an insert that a change allows: both are one statement, and where the change returns no row, nothing is inserted.
 * @param parameters of the insert, before which no other may come
 */
export function given(change: Statement | undefined, parameters: readonly Parameter[]) {
  if (change === undefined) return { before: '', condition: 'true', parameters };
  const sql = change.sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + parameters.length}`);
  return {
    before: `WITH given AS (${sql}) `,
    condition: 'EXISTS (SELECT FROM given)',
    parameters: [...parameters, ...(change.parameters ?? [])],
  };
}

export interface Database {
  readonly kind: 'pglite' | 'postgres';
  /** One statement, its own transaction. */
  query<R extends Row = Row>(sql: string, parameters?: readonly Parameter[]): Promise<R[]>;
  /** All or nothing, in order, one commit. Answers the rows of each statement. */
  transaction(statements: readonly Statement[]): Promise<Row[][]>;
  /** `COPY (select) TO STDOUT (FORMAT binary)`, chunk by chunk. */
  copyOut(select: string): AsyncIterable<Uint8Array>;
  /**
   * One INSERT of the one process that may write the journal, `… SELECT … FROM writer WHERE held … RETURNING …`. That
   * this process is the writer is established in the same statement. @returns how many rows were written
   * @throws NotTheWriter when another process has become it; nothing is written then
   */
  writeAlone(statement: Statement): Promise<number>;
  /** The same database for work that may take its time; a statement of requests waits only seconds for its answer. */
  readonly patient: Database;
  close(): Promise<void>;
}

/** Whether it answers now, or says within seconds that it does not. */
export async function isReachable(database: Database): Promise<boolean> {
  return database.query('SELECT 1').then(
    () => true,
    () => false,
  );
}

/** @param held a query of one row that says whether this process is the writer, and makes it so if it may */
export function writerStatement(held: string, insert: string): string {
  return `WITH writer AS MATERIALIZED (${held}), written AS (${insert})
    SELECT held, (SELECT count(*) FROM written)::int4 AS written FROM writer`;
}

/** Another process is the writer. */
export class NotTheWriter extends Error {
  override readonly name = 'NotTheWriter';
}

/** A value that its column cannot hold, or that a function cannot take. */
export class UnfitValue extends Error {
  override readonly name = 'UnfitValue';
}

/** The database could not be reached, or went away in the middle; whether the statement was done is unknown. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** What the transaction was allowed on the strength of has ended meanwhile (`platform/authority.ts`); nothing was done. */
export class AuthorityEnded extends Error {
  override readonly name = 'AuthorityEnded';
  readonly what: 'session' | 'proof';
  constructor(what: 'session' | 'proof', message: string) {
    super(message);
    this.what = what;
  }
}

/** What a transaction asks for before it changes anything does not hold; nothing was done. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  /** As the function that asks for it names it. */
  readonly condition: string;
  constructor(condition: string) {
    super(`The condition ${condition} does not hold`);
    this.condition = condition;
  }
}

/** A unique or check constraint said no. */
export class ConstraintViolation extends Error {
  override readonly name = 'ConstraintViolation';
  readonly constraint: string;
  constructor(constraint: string, message: string) {
    super(message);
    this.constraint = constraint;
  }
}
