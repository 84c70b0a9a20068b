import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { accountKey, Bucket, FIRST_CLIENT, Wallet } from '@cambist/core/ledger/account.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailable, NotTheWriter } from '../../platform/database.ts';
import { createLogger } from '../../platform/logger.ts';
import { decodeEntries } from './codec.ts';
import type { CommittedBatch } from './feed.ts';
import type { JournalStore } from './journal-store.ts';
import { createSequencer, Overloaded, Unavailable } from './sequencer.ts';

const market: MarketSpec = {
  id: 0,
  symbol: 'BTC-USDT',
  base: { id: 1, code: 'BTC', scale: 8 },
  quote: { id: 0, code: 'USDT', scale: 8 },
  tickScale: 1,
  lotScale: 5,
  minimumLots: 1,
  maximumLots: 1_000_000,
  minimumNotional: 0n,
  priceBandPpm: 0,
};

const OWNER = FIRST_CLIENT + 50;
const credit = (amount: bigint) => ({ kind: 'credit-development-funds' as const, owner: OWNER, asset: 0, amount });

/** A journal whose appends are answered by hand. */
function createHeldJournal() {
  const rows: { batch: number; commands: string; answer: (ours: boolean) => void; fail: (error: Error) => void }[] = [];
  const journal: JournalStore = {
    append: (batch, _time, commands) =>
      new Promise((resolve, reject) => rows.push({ batch, commands, answer: resolve, fail: reject })),
    readAfter: async () => [],
    prune: async () => undefined,
  };
  return { journal, rows };
}

function setUp(limits: { queue?: number; unavailableMs?: number } = {}) {
  const exchange = createExchange([market]);
  const { journal, rows } = createHeldJournal();
  const onFatal = vi.fn<(error: Error) => void>();
  const published: CommittedBatch[] = [];
  const sequencer = createSequencer({
    exchange,
    journal,
    clock: { now: () => 1000 },
    logger: createLogger('silent'),
    lastBatch: 7,
    lastTime: 0,
    limits: { queue: 100, batch: 3, backlog: 10, unavailableMs: 60_000, ...limits },
    backlog: () => 0,
    onCommitted: () => undefined,
    onFatal,
  });
  sequencer.subscribe((batch) => published.push(batch));
  return { exchange, rows, onFatal, published, sequencer };
}

const appended = (rows: unknown[], count: number) => expect.poll(() => rows.length).toBe(count);

describe('the sequencer', () => {
  it('answers and publishes after the commit, never before', async () => {
    const { sequencer, rows, published } = setUp();
    const answered = vi.fn();
    const answer = sequencer.submit(credit(5n)).then(answered);
    await appended(rows, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(answered).not.toHaveBeenCalled();
    expect(published).toEqual([]);
    rows[0]?.answer(true);
    await answer;
    expect(answered).toHaveBeenCalledWith(expect.objectContaining({ outcome: { ok: true }, batch: 8 }));
    expect(published).toMatchObject([{ batch: 8, time: 1000 }]);
  });

  it('gathers what waits into one batch, in order and no larger than the limit', async () => {
    const { sequencer, rows } = setUp();
    const answers = [1n, 2n, 3n, 4n].map((amount) => sequencer.submit(credit(amount)));
    await appended(rows, 1);
    expect(decodeEntries(rows[0]?.commands ?? '').map(({ command }) => command)).toEqual([
      credit(1n),
      credit(2n),
      credit(3n),
    ]);
    rows[0]?.answer(true);
    await appended(rows, 2);
    rows[1]?.answer(true);
    expect((await Promise.all(answers)).map(({ batch }) => batch)).toEqual([8, 8, 8, 9]);
  });

  it('refuses when the queue is full, and takes again when it is not', async () => {
    const { sequencer, rows } = setUp({ queue: 2 });
    const first = sequencer.submit(credit(1n));
    await appended(rows, 1);
    const waiting = [sequencer.submit(credit(2n)), sequencer.submit(credit(3n))];
    await expect(sequencer.submit(credit(4n))).rejects.toThrow(Overloaded);
    rows[0]?.answer(true);
    await first;
    await appended(rows, 2);
    rows[1]?.answer(true);
    await Promise.all(waiting);
  });

  it('tries a batch again under the same number while the database is away, and refuses new commands', async () => {
    const { sequencer, rows, exchange } = setUp();
    const answer = sequencer.submit(credit(5n));
    await appended(rows, 1);
    rows[0]?.fail(new DatabaseUnavailable('gone'));
    await expect.poll(() => sequencer.statistics().available).toBe(false);
    await expect(sequencer.submit(credit(1n))).rejects.toThrow(Unavailable);
    await appended(rows, 2);
    expect(rows[1]).toMatchObject({ batch: rows[0]?.batch, commands: rows[0]?.commands });
    rows[1]?.answer(true);
    expect((await answer).batch).toBe(8);
    expect(exchange.balance(accountKey(OWNER, Wallet.SPOT, Bucket.AVAILABLE, 0))).toBe(5n);
    expect(sequencer.statistics().available).toBe(true);
  });

  it('stops when another process has written the number', async () => {
    const { sequencer, rows, onFatal, published } = setUp();
    const answer = sequencer.submit(credit(5n));
    await appended(rows, 1);
    rows[0]?.answer(false);
    await expect(answer).rejects.toThrow(Unavailable);
    expect(onFatal).toHaveBeenCalledOnce();
    expect(published).toEqual([]);
    await expect(sequencer.submit(credit(1n))).rejects.toThrow(Unavailable);
  });

  it('stops when another process has become the writer', async () => {
    const { sequencer, rows, onFatal, published } = setUp();
    const answer = sequencer.submit(credit(5n));
    await appended(rows, 1);
    rows[0]?.fail(new NotTheWriter('another'));
    await expect(answer).rejects.toThrow(Unavailable);
    expect(onFatal).toHaveBeenCalledWith(expect.any(NotTheWriter));
    expect(published).toEqual([]);
  });

  it('tells who waits, for the batch in hand or behind it, as soon as the database is away', async () => {
    const { sequencer, rows } = setUp();
    const answer = sequencer.submit(credit(5n));
    await appended(rows, 1);
    const [behind, reader] = [sequencer.submit(credit(1n)), sequencer.settled()];
    rows[0]?.fail(new DatabaseUnavailable('away'));
    await expect(behind).rejects.toThrow(Unavailable);
    await expect(reader).rejects.toThrow(Unavailable);
    await appended(rows, 2);
    rows[1]?.answer(true);
    expect((await answer).outcome).toEqual({ ok: true });
  });

  it('stops rather than guess when the database stays away', async () => {
    const { sequencer, rows, onFatal } = setUp({ unavailableMs: 0 });
    const answer = sequencer.submit(credit(5n));
    await appended(rows, 1);
    rows[0]?.fail(new DatabaseUnavailable('gone'));
    await expect(answer).rejects.toThrow(/not known/);
    expect(onFatal).toHaveBeenCalledOnce();
  });

  it('a listener that throws does not undo what is committed', async () => {
    const { sequencer, rows } = setUp();
    sequencer.subscribe(() => {
      throw new Error('a defect');
    });
    const answer = sequencer.submit(credit(5n));
    await appended(rows, 1);
    rows[0]?.answer(true);
    expect((await answer).outcome).toEqual({ ok: true });
  });

  it('settles with the batch in hand, whatever waits behind it', async () => {
    const { sequencer, rows } = setUp();
    void sequencer.submit(credit(1n));
    await appended(rows, 1);
    void sequencer.submit(credit(2n));
    const settled = sequencer.settled();
    rows[0]?.answer(true);
    await settled;
    await appended(rows, 2);
    rows[1]?.answer(true);
    await sequencer.close();
  });
});
