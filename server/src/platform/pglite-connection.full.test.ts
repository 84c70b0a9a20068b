import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PgliteConnection } from './pglite-connection.ts';

describe('statements that the embedded database remembers', () => {
  let database: PGlite;
  let connection: PgliteConnection;

  const ask = async (sql: string) => (await connection.run([{ sql, parameters: [] }]))[0];
  const insert = (id: number) => ({ sql: 'INSERT INTO thing (id) VALUES ($1)', parameters: [id] });
  const find = (id: number) => ({ sql: `SELECT FROM thing WHERE id = ${id} + $1::int`, parameters: [0] });
  /** Texts of what it remembers, asked past the connection. */
  async function remembered(): Promise<string[]> {
    const { rows } = await database.query<{ statement: string }>(
      "SELECT statement FROM pg_prepared_statements WHERE name <> '' ORDER BY statement",
    );
    return rows.map(({ statement }) => statement);
  }

  beforeAll(async () => {
    database = await PGlite.create();
  });
  afterAll(() => database.close());

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    await database.exec('DEALLOCATE ALL; DROP TABLE IF EXISTS thing; CREATE TABLE thing (id int PRIMARY KEY)');
    connection = new PgliteConnection(database);
    return () => vi.useRealTimers();
  });

  it('are parsed once, in a transaction too', async () => {
    const [one, two] = [insert(1), insert(2)];
    await connection.run([one, two]);
    await connection.run([insert(3)]);
    expect(await remembered()).toEqual(['BEGIN', 'COMMIT', one.sql]);
    expect(await ask('SELECT id FROM thing ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it('are only those that it has parsed, where one before them failed', async () => {
    const last = { sql: 'SELECT max(id) FROM thing', parameters: [] };
    await expect(connection.run([insert(1), insert(1), last])).rejects.toMatchObject({ constraint: 'thing_pkey' });
    expect(await remembered()).toEqual(['BEGIN', insert(1).sql, 'ROLLBACK']);
    expect(await connection.run([insert(1), last])).toEqual([[], [{ max: 1 }]]);
  });

  it('are none that it could not parse', async () => {
    for (const _try of [1, 2])
      await expect(ask('SELECT nothing FROM thing')).rejects.toThrow('"nothing" does not exist');
    expect(await remembered()).toEqual([]);
  });

  it('are forgotten when a table may have changed', async () => {
    const find = { sql: 'SELECT * FROM thing WHERE id = $1', parameters: [1] };
    expect(await connection.run([find])).toEqual([[]]);
    await ask('ALTER TABLE thing ADD COLUMN name text');
    await connection.run([insert(1)]);
    expect(await connection.run([find])).toEqual([[{ id: 1, name: null }]]);
  });

  it('are none without parameters, which would be planned for the tables as they are now', async () => {
    await ask('SELECT count(*) FROM thing');
    expect(await remembered()).toEqual([]);
  });

  it('are forgotten after a minute, as their plans were made for the tables of then', async () => {
    await connection.run([find(1)]);
    vi.advanceTimersByTime(59_000);
    await connection.run([find(2)]);
    expect(await remembered()).toEqual([find(1).sql, find(2).sql]);
    vi.advanceTimersByTime(1_000);
    await connection.run([find(3)]);
    expect(await remembered()).toEqual([find(3).sql]);
  });

  it('are never more than the database should keep', async () => {
    for (let number = 0; number < 510; number += 1) await connection.run([find(number)]);
    expect((await remembered()).length).toBe(10);
  });
});

describe('rows', () => {
  it('are copied in and out, between the statements of a transaction', async () => {
    const connection = new PgliteConnection(await PGlite.create());
    const copy = { sql: 'COPY thing FROM STDIN', parameters: [], copy: Buffer.from('1\tone\n2\ttwo\n').subarray(0) };
    const count = { sql: 'SELECT count(*)::int AS rows FROM thing', parameters: [] };
    await connection.run([{ sql: 'CREATE TABLE thing (id int PRIMARY KEY, name text)', parameters: [] }]);
    expect(await connection.run([count, copy, count])).toEqual([[{ rows: 0 }], [], [{ rows: 2 }]]);
    await expect(connection.run([copy, count])).rejects.toMatchObject({ code: '23505' });
    expect(await connection.run([count])).toEqual([[{ rows: 2 }]]);
    const bytes = await connection.copyOut('SELECT id FROM thing');
    expect(Buffer.from(bytes.subarray(0, 6)).toString()).toBe('PGCOPY');
    await connection.close();
  });
});
