import { afterEach, describe, expect, it } from 'vitest';
import { bothKinds, openMigrated, type TestDatabase } from '../../test/databases.ts';
import { until } from '../../test/until.ts';
import { createConsumerStore } from './consumer-store.ts';
import type { Database } from './database.ts';
import { createLogger } from './logger.ts';
import { createPacedConsumer } from './paced-consumer.ts';
import { createWorkReport } from './work-report.ts';

const logger = createLogger('silent');

const PAGE = 3;

describe.each(bothKinds)('a consumer at its own pace (%s)', (kind) => {
  let source: TestDatabase;
  let database: Database;
  afterEach(async () => {
    await database.close();
    await source.remove();
  });

  /** Sums numbers; how many there are is all that the tables hold. */
  function summing(state: { count: number; failures: number; done?: number[] }) {
    return createPacedConsumer(
      {
        name: 'test',
        version: () => state.count,
        async pageAfter(position) {
          const to = Math.min(state.count, position + PAGE);
          const statements = Array.from({ length: to - position }, (_, index) => ({
            sql: 'UPDATE sums SET sum = sum + $1',
            parameters: [position + index + 1],
          }));
          // The transaction is committed, and its answer lost: what was done is found in the tables.
          if (state.failures > 0 && statements.length > 0) {
            state.failures -= 1;
            await createConsumerStore(database).write('test', to, statements);
            throw new Error('The answer was lost');
          }
          return { position: to, statements, isLast: to === state.count, committed: () => void state.done?.push(to) };
        },
      },
      { store: createConsumerStore(database), logger, work: createWorkReport(logger) },
    );
  }
  const sum = async () => (await database.query<{ sum: number }>('SELECT sum FROM sums'))[0]?.sum;

  it('says that a page is done right after its commit, also where nothing follows', async () => {
    ({ source, database } = await openMigrated(kind));
    await database.query('CREATE TABLE sums (sum bigint)');
    await database.query('INSERT INTO sums VALUES (0)');
    const state = { count: 2, failures: 0, done: [] as number[] };
    const consumer = summing(state);
    await consumer.start();
    await until(() => state.done.length > 0, 'the page is done');
    expect([state.done, await sum()]).toEqual([[2], 3]);
    state.count = 3;
    expect(await consumer.caughtUp()).toBe(true);
    expect([state.done.at(-1), await sum()]).toEqual([3, 6]);
    await consumer.close();
  });

  it('handles everything once, page by page, over restarts and over answers that were lost', async () => {
    ({ source, database } = await openMigrated(kind));
    await database.query('CREATE TABLE sums (sum bigint)');
    await database.query('INSERT INTO sums VALUES (0)');
    const state = { count: 10, failures: 2 };
    const first = summing(state);
    expect(await first.caughtUp()).toBe(false);
    await first.start();
    let isDone = false;
    await until(() => {
      void first.caughtUp().then((done) => {
        isDone = done;
      });
      return isDone;
    }, 'everything is handled');
    expect(await sum()).toBe(55);
    state.count = 12;
    // Who asks gets what is there now; those who ask together share a page.
    expect(await Promise.all([first.caughtUp(), first.caughtUp(), first.caughtUp()])).toEqual([true, true, true]);
    expect(await sum()).toBe(78);
    await first.close();

    state.count = 14;
    const second = summing(state);
    await second.start();
    let isRead = false;
    await until(() => {
      void createConsumerStore(database)
        .position('test')
        .then((position) => {
          isRead = position === 14;
        });
      return isRead;
    }, 'the second has handled the rest');
    await second.close();
    expect(await sum()).toBe(105);
  });
});
