/** An embedded database whose program breaks off: what it was asked has failed, and what it acknowledged is there. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, DatabaseUnavailable } from './database.ts';
import { openPglite } from './pglite.ts';
import { startWorkerCalls } from './worker-calls.ts';

/** Nested deeper than the program's stack, which ends in a trap and not in an error of the database. */
const TRAP = `SELECT repeat('[', 1000000)::json`;

describe('an embedded database whose program breaks off', () => {
  let directory: string;
  let database: Database;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'cambist-trap-'));
    database = await openPglite(directory);
    await database.query('CREATE TABLE thing (id int PRIMARY KEY)');
  });
  afterAll(async () => {
    await database?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const insert = (id: number) => ({ sql: 'INSERT INTO thing (id) VALUES ($1)', parameters: [id] });
  const ids = async () =>
    (await database.query<{ id: number }>('SELECT id FROM thing ORDER BY id')).map(({ id }) => id);

  it('fails what broke it, and is opened anew with what it acknowledged', async () => {
    await database.query(insert(1).sql, [1]);
    await expect(database.query(TRAP)).rejects.toThrow(DatabaseUnavailable);
    expect(await ids()).toEqual([1]);
    await database.query(insert(2).sql, [2]);
    expect(await ids()).toEqual([1, 2]);
  });

  it('does nothing of a transaction that broke it', async () => {
    const broken = database.transaction([insert(3), { sql: TRAP }, insert(4)]);
    await expect(broken).rejects.toThrow(DatabaseUnavailable);
    expect(await ids()).toEqual([1, 2]);
  });

  it('fails what waited behind it too, unless that is done', async () => {
    const broken = database.query(TRAP).catch((error: Error) => error);
    const behind = [5, 6, 7].map((id) =>
      database.query(insert(id).sql, [id]).then(
        () => id,
        (error: Error) => error,
      ),
    );
    expect(await broken).toBeInstanceOf(DatabaseUnavailable);
    const outcomes = await Promise.all(behind);
    const done = outcomes.filter((outcome) => typeof outcome === 'number');
    for (const outcome of outcomes)
      if (typeof outcome !== 'number') expect(outcome).toBeInstanceOf(DatabaseUnavailable);
    expect(await ids()).toEqual([1, 2, ...done]);
  });
});

describe('a thread that ends by itself', () => {
  const start = (onMessage: string) => {
    const ready = 'parentPort.postMessage({ id: 0 })';
    const text = `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ id }) => { ${onMessage} }); ${ready};`;
    return startWorkerCalls(new URL(`data:text/javascript,${encodeURIComponent(text)}`), {}, 'The thread');
  };

  it.each([
    ['throws past its handler', `setImmediate(() => { throw new Error('broken off'); })`, /broken off/],
    ['rejects past its handler', `Promise.reject(new Error('broken off'))`, /broken off/],
    ['exits', 'process.exit(7)', /stopped with code 7/],
  ])('where it %s, fails all that waits and all that comes', async (_how, onMessage, reason) => {
    const thread = await start(onMessage);
    await expect(Promise.all([thread.ask({}), thread.ask({})])).rejects.toThrow(reason);
    expect(thread.hasEnded()).toBe(true);
    await expect(thread.ask({})).rejects.toThrow(reason);
    await thread.end();
  });
});
