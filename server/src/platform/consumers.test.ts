import { afterEach, describe, expect, it } from 'vitest';
import { bothKinds, openMigrated, type TestDatabase } from '../../test/databases.ts';
import { createConsumerStore } from './consumer-store.ts';
import { createConsumer, type Effect } from './consumers.ts';
import type { Database } from './database.ts';
import { createLogger } from './logger.ts';

/** Items are numbers; the table is what was committed. */
function world(database: Database, committed: number[]) {
  const told: number[] = [];
  let tell: (items: readonly number[]) => void = () => undefined;
  const start = async () => {
    const consumer = createConsumer<number>(
      {
        name: 'test',
        positionOf: (item) => item,
        from: async () => 0,
        catchUp: async (after, limit) => committed.filter((item) => item > after).slice(0, limit),
        subscribe(listener) {
          tell = listener;
          return () => undefined;
        },
        handle(item): Effect[] {
          told.push(item);
          if (item % 10 !== 0) return [];
          return [{ statements: [{ sql: 'INSERT INTO effects (item) VALUES ($1)', parameters: [item] }] }];
        },
      },
      { store: createConsumerStore(database), logger: createLogger('silent') },
    );
    await consumer.start();
    return consumer;
  };
  const commit = (...items: number[]) => {
    committed.push(...items);
    tell(items);
  };
  const effects = async () =>
    (await database.query<{ item: number }>('SELECT item FROM effects ORDER BY item')).map(({ item }) => item);
  return { told, start, commit, effects };
}

describe.each(bothKinds)('a durable consumer (%s)', (kind) => {
  let source: TestDatabase;
  let database: Database;
  afterEach(async () => {
    await database.close();
    await source.remove();
  });

  it('is given what it missed in order, and writes each effect once, with its position', async () => {
    ({ source, database } = await openMigrated(kind));
    await database.query('CREATE TABLE effects (item bigint PRIMARY KEY CHECK (item <> 40))');
    const { told, start, commit, effects } = world(database, [5, 10]);
    const first = await start();
    expect(await effects()).toEqual([10]);
    commit(15, 20);
    commit(20, 25);
    await first.close();
    expect(told).toEqual([5, 10, 15, 20, 25]);
    expect(await createConsumerStore(database).position('test')).toBe(25);

    // Committed while the consumer was away; one of the effects cannot be written, and takes no other with it.
    commit(30, 40, 50);
    told.length = 0;
    const second = await start();
    expect(told).toEqual([30, 40, 50]);
    expect(await effects()).toEqual([10, 20, 30, 50]);
    await second.close();
    expect(await createConsumerStore(database).position('test')).toBe(50);
  });

  it('is given again what was not written with its position, as after a crash', async () => {
    ({ source, database } = await openMigrated(kind));
    await database.query('CREATE TABLE effects (item bigint PRIMARY KEY)');
    const store = createConsumerStore(database);
    await store.write('test', 10, []);
    const { told, start } = world(database, [5, 10, 20]);
    const failed = store.write('test', 20, [{ sql: 'INSERT INTO effects (item) VALUES (20), (20)' }]);
    await expect(failed).rejects.toThrow();
    expect(await store.position('test')).toBe(10);
    await (await start()).close();
    expect(told).toEqual([20]);
    await store.write('test', 15, []);
    expect(await store.position('test')).toBe(20);
  });
});
