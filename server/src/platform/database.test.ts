import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bothKinds, openMigrated, type TestDatabase } from '../../test/databases.ts';
import { ConstraintViolation, type Database, DatabaseUnavailable, UnfitValue } from './database.ts';
import { migrate } from './migrations.ts';

describe.each(bothKinds)('a database (%s)', (kind) => {
  let database: Database;
  let source: TestDatabase;

  beforeAll(async () => {
    ({ database, source } = await openMigrated(kind));
    await database.query(
      'CREATE TABLE item (id bigint PRIMARY KEY, amount numeric(30, 0), name text, bytes bytea, flag boolean)',
    );
  });
  afterAll(async () => {
    await database.close();
    await source.remove();
  });

  it('carries every kind of parameter and answers the same types', async () => {
    const [row] = await database.query(
      `SELECT $1::bigint AS whole, $2::numeric AS money, $3::text AS words, $4::boolean AS flag, $5::bytea AS bytes,
              $6::bigint[] AS list, $7::text IS NULL AS nothing`,
      [
        9_007_199_254_740_991,
        123456789012345678901234567890n,
        `it's "so" \\ {1,2}`,
        true,
        new Uint8Array([0, 1, 255]),
        [1, 2],
        null,
      ],
    );
    expect(row).toMatchObject({
      whole: 9_007_199_254_740_991,
      money: 123456789012345678901234567890n,
      words: `it's "so" \\ {1,2}`,
      flag: true,
      nothing: true,
    });
    expect(row?.bytes).toEqual(expect.objectContaining({ 0: 0, 1: 1, 2: 255, length: 3 }));
  });

  it('unnests arrays of numbers, money, words with quotes and nothing', async () => {
    const words = ['plain', 'with "quotes" and \\ and {braces}, commas', null];
    const rows = await database.query(
      'SELECT a, b, c FROM unnest($1::bigint[], $2::numeric[], $3::text[]) AS x (a, b, c)',
      [[1, 2, 3], [10n, -20n, 30n], words],
    );
    expect(rows).toEqual([
      { a: 1, b: 10n, c: words[0] },
      { a: 2, b: -20n, c: words[1] },
      { a: 3, b: 30n, c: null },
    ]);
  });

  it('refuses an int8 that a number cannot hold', async () => {
    await expect(database.query('SELECT 9007199254740993::bigint AS big')).rejects.toThrow(/outside the safe integers/);
  });

  it.each([
    ['SELECT $1::bigint::int4 AS narrow', 2 ** 40],
    ['SELECT $1::int4 + 1 AS narrow', 2 ** 31 - 1],
    ['SELECT to_timestamp($1::float8) AS never', 1e300],
    ['SELECT $1::text::date AS never', '2026-13-45'],
  ])('names a value that does not fit: %s of %s', async (sql, value) => {
    await expect(database.query(sql, [value])).rejects.toThrow(UnfitValue);
    await expect(database.transaction([{ sql, parameters: [value] }])).rejects.toThrow(UnfitValue);
  });

  it('does a transaction whole or not at all, and names the constraint that said no', async () => {
    const insert = { sql: 'INSERT INTO item (id, name) VALUES ($1, $2)', parameters: [1, 'one'] };
    await expect(database.transaction([insert, insert])).rejects.toThrow(ConstraintViolation);
    await expect(database.transaction([insert, insert])).rejects.toMatchObject({ constraint: 'item_pkey' });
    expect(await database.query('SELECT id FROM item')).toEqual([]);
  });

  it('undoes a transaction with an answer that cannot be read', async () => {
    const insert = {
      sql: 'INSERT INTO item (id) VALUES ($1) RETURNING 9007199254740993::bigint AS big',
      parameters: [2],
    };
    await expect(database.transaction([insert, { sql: 'SELECT 1' }])).rejects.toThrow(/outside the safe integers/);
    expect(await database.query('SELECT id FROM item WHERE id = 2')).toEqual([]);
  });

  it('copies out in the binary format', async () => {
    await database.query('INSERT INTO item (id, name) SELECT n, repeat($1, 100) FROM generate_series(10, 1009) AS n', [
      'x',
    ]);
    const chunks: Uint8Array[] = [];
    for await (const chunk of database.copyOut('SELECT id FROM item ORDER BY id')) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    expect(bytes.subarray(0, 11).toString('latin1')).toBe('PGCOPY\n\xff\r\n\0');
    expect(bytes.length).toBe(19 + 1000 * 14 + 2);
  });

  it('migrates once', async () => {
    expect(await migrate(database)).toEqual([]);
  });

  it('is refused by a version that is older than its tables', async () => {
    await database.query("INSERT INTO migrations (name) VALUES ('9999_of_tomorrow.sql')");
    await expect(migrate(database)).rejects.toThrow(/newer Cambist has used this database: it has 9999_of_tomorrow/);
    await database.query("DELETE FROM migrations WHERE name = '9999_of_tomorrow.sql'");
  });

  it.runIf(kind === 'pglite')('lets only one at its files at a time', async () => {
    await expect(source.open()).rejects.toThrow(/in use by another/);
  });

  it('says that it is unavailable after it was closed', async () => {
    const second = kind === 'postgres' ? await source.open() : database;
    await second.close();
    await expect(second.query('SELECT 1')).rejects.toThrow(DatabaseUnavailable);
    if (kind === 'pglite') database = await source.open();
  });
});
