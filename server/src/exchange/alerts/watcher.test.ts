import { describe, expect, it } from 'vitest';
import { DatabaseUnavailable } from '../../platform/database.ts';
import { createLogger } from '../../platform/logger.ts';
import type { AlertRow, NewAlert } from './store.ts';
import { createWatcher, type TradeFeed } from './watcher.ts';

const asked: Omit<NewAlert, 'after_trade'> = {
  client_id: 1000,
  market: 0,
  above: true,
  price: 100,
  pause_minutes: 0,
  channels: 'page',
  note: '',
  locale: 'en',
  created_at: 0,
};
const untriggered = { done: false, paused_until: 0, times_triggered: 0, triggered_price: 0, triggered_at: 0 };

/** Of each triggering. */
const STATEMENTS = 2;

/** A store in memory whose writes can be held up or fail. */
function world(active: AlertRow[] = [], last = 0) {
  const writes: { triggerings: number; lastTrade: number }[] = [];
  const told: string[] = [];
  const failures: Error[] = [];
  let listener: Parameters<TradeFeed['subscribe']>[0] = () => undefined;
  let inserting: Promise<void> = Promise.resolve();
  let isAnswerLost = false;
  let ids = active.length;
  const watcher = createWatcher({
    store: {
      active: async () => active,
      lastTrade: async () => 0,
      tradesAfter: async () => [],
      async insert(alert) {
        await inserting;
        ids += 1;
        const row = { id: ids, ...alert, ...untriggered };
        if (!isAnswerLost) return row;
        isAnswerLost = false;
        active.push(row);
        throw new DatabaseUnavailable('gone');
      },
    },
    feed: {
      subscribe: (heard) => {
        listener = heard;
        return () => undefined;
      },
      lastPrice: () => last,
    },
    clock: { now: () => 5_000 },
    consumers: {
      store: {
        position: async () => 0,
        async write(_name, lastTrade, statements) {
          writes.push({ triggerings: statements.length / STATEMENTS, lastTrade });
          const failure = failures.shift();
          if (failure !== undefined) throw failure;
        },
      },
      logger: createLogger('silent'),
    },
    also: () => [],
    onTriggered: ({ alert, trade }) => told.push(`#${alert.id} by ${trade.id}`),
  });
  return {
    watcher,
    writes,
    told,
    failures,
    trade: (id: number, price: number, market = 0) =>
      listener({ market, trades: [{ id, price, time: id * 1_000 }], told: [] }),
    tell: (price: number, time: number) => listener({ market: 0, trades: [], told: [{ price, time }] }),
    loseAnswer: () => {
      isAnswerLost = true;
    },
    holdInserts: (until: Promise<void>) => {
      inserting = until;
    },
  };
}

describe('the alert watcher', () => {
  it('tells what triggered once, after it was written, also when the answer to the write was lost', async () => {
    const { watcher, writes, told, failures, trade } = world();
    await watcher.consumer.start();
    await watcher.add(asked);
    failures.push(new DatabaseUnavailable('gone'));
    trade(1, 100);
    expect(told).toEqual([]);
    await watcher.flush();
    expect(told).toEqual(['#1 by 1']);
    expect(writes.map(({ triggerings, lastTrade }) => [triggerings, lastTrade])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    await watcher.consumer.close();
  });

  it('keeps every triggering but the one that cannot be written', async () => {
    const { watcher, told, failures, trade } = world();
    await watcher.consumer.start();
    for (const price of [100, 101, 102]) await watcher.add({ ...asked, price });
    failures.push(new Error('all three'), new Error('the first'));
    trade(1, 103);
    await watcher.flush();
    expect(told).toEqual(['#2 by 1', '#3 by 1']);
    await watcher.consumer.close();
  });

  it('looks at each trade once, and at those of all markets before it notes how far it is', async () => {
    const { watcher, writes, told, trade } = world();
    await watcher.consumer.start();
    await watcher.add(asked);
    await watcher.add({ ...asked, market: 1, above: false, price: 50 });
    trade(2, 101);
    trade(2, 101);
    trade(3, 49, 1);
    await watcher.flush();
    expect(told).toEqual(['#1 by 2', '#2 by 3']);
    expect(writes).toHaveLength(1);
    await watcher.consumer.close();
  });

  it('misses no trade where those of one batch alternate between markets', async () => {
    const { watcher, told, trade } = world();
    await watcher.consumer.start();
    await watcher.add({ ...asked, market: 1 });
    // Market data tells the whole batch of one market before that of the next.
    trade(1, 50, 0);
    trade(3, 50, 0);
    trade(2, 100, 1);
    await watcher.flush();
    expect(told).toEqual(['#1 by 2']);
    await watcher.consumer.close();
  });

  it('misses no trade that comes while an alert is being written', async () => {
    const { watcher, writes, told, trade, holdInserts } = world();
    await watcher.consumer.start();
    let release: () => void = () => undefined;
    holdInserts(new Promise((resolve) => (release = resolve)));
    const adding = watcher.add(asked);
    trade(1, 99);
    trade(2, 120);
    trade(3, 130);
    await watcher.flush();
    // Not noted as seen yet: a start from here must look at them again.
    expect(writes).toEqual([]);
    release();
    await adding;
    await watcher.flush();
    expect(told).toEqual(['#1 by 2']);
    expect(writes.at(-1)?.lastTrade).toBe(3);
    await watcher.consumer.close();
  });

  it('watches an alert that the store took without an answer, and none that has triggered meanwhile', async () => {
    const { watcher, told, trade, loseAnswer } = world();
    await watcher.consumer.start();
    loseAnswer();
    await expect(watcher.add(asked)).rejects.toThrow('gone');
    const looking = watcher.compare();
    await watcher.add({ ...asked, price: 101 });
    await looking;
    trade(1, 102);
    await watcher.flush();
    // Another came while the store was read: all are looked at again.
    expect(told).toEqual(['#2 by 1']);
    await watcher.compare();
    trade(2, 102);
    trade(3, 102);
    await watcher.flush();
    expect(told).toEqual(['#2 by 1', '#1 by 2']);
    await watcher.compare();
    trade(4, 102);
    await watcher.flush();
    expect(told).toHaveLength(2);
    await watcher.consumer.close();
  });

  it('lets go of an alert that the store deleted without an answer', async () => {
    const row = (id: number) => ({ id, ...asked, ...untriggered, after_trade: 0 });
    const active = [row(1), row(2)];
    const { watcher, told, trade } = world(active);
    await watcher.consumer.start();
    active.shift();
    watcher.mayDiffer();
    await watcher.compare();
    expect(watcher.countOf(1000)).toBe(1);
    trade(1, 100);
    await watcher.flush();
    expect(told).toEqual(['#2 by 1']);
    await watcher.consumer.close();
  });

  it('triggers by what is told, whatever was traded before the alert, each once more after its pause', async () => {
    const { watcher, told, trade, tell } = world();
    await watcher.consumer.start();
    trade(7, 90);
    await watcher.add({ ...asked, pause_minutes: 1 });
    tell(99, 8_000);
    tell(100, 9_000);
    tell(101, 10_000);
    await watcher.flush();
    expect(told).toEqual(['#1 by -9000']);
    tell(102, 69_000);
    await watcher.flush();
    expect(told).toEqual(['#1 by -9000', '#1 by -69000']);
    await watcher.consumer.close();
  });

  it('begins with the last price, which may have been told before a restart', async () => {
    const row = (id: number, price: number) => ({ id, ...asked, ...untriggered, price, after_trade: 0 });
    const { watcher, told } = world([row(1, 100), row(2, 102)], 101);
    await watcher.consumer.start();
    await watcher.flush();
    expect(told).toEqual(['#1 by -5000']);
    await watcher.consumer.close();
    const unpriced = world([{ ...row(1, 100), above: false }]);
    await unpriced.watcher.consumer.start();
    await unpriced.watcher.flush();
    expect(unpriced.told).toEqual([]);
    await unpriced.watcher.consumer.close();
  });

  it('goes by the nearest price first, and leaves alone what a trade came before', async () => {
    const row = (id: number, price: number, after_trade = 0) => ({ id, ...asked, ...untriggered, price, after_trade });
    const { watcher, told, trade } = world([row(1, 103), row(2, 101), row(3, 101), row(4, 102, 5), row(5, 200)]);
    await watcher.consumer.start();
    trade(5, 103);
    await watcher.flush();
    expect(told).toEqual(['#2 by 5', '#3 by 5', '#1 by 5']);
    trade(6, 103);
    await watcher.flush();
    expect(told.at(-1)).toBe('#4 by 6');
    expect(watcher.countOf(1000)).toBe(1);
    await watcher.consumer.close();
  });
});
