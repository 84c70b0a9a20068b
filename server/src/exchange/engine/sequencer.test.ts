import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { accountKey, Bucket, FIRST_CLIENT, Wallet } from '@cambist/core/ledger/account.ts';
import { issue } from '@cambist/core/ledger/issue.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { OrderViews } from '@cambist/core/orders/order-view.ts';
import { listing } from '@cambist/core/simulation/markets.ts';
import { describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailable, NotTheWriter } from '../../platform/database.ts';
import { createLogger } from '../../platform/logger.ts';
import { type CommittedBatch, NotAccepted, OutcomeUnknown } from './feed.ts';
import { decodeEntries, JOURNAL_VERSION } from './journal.ts';
import { Sequencer, type SequencerDeps } from './sequencer.ts';

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
const credit = (amount: bigint) => issue('development-credit', OWNER, 0, amount);

/** A journal whose appends are answered by hand. */
function createHeldJournal() {
  const rows: { batch: number; commands: string; answer: (ours: boolean) => void; fail: (error: Error) => void }[] = [];
  const journal: SequencerDeps['journal'] = {
    append: ({ batch, commands }) =>
      new Promise((resolve, reject) => rows.push({ batch, commands, answer: resolve, fail: reject })),
  };
  return { journal, rows };
}

function setUp(limits: { queue?: number; unavailableMs?: number } = {}) {
  const exchange = createExchange();
  for (const command of listing([market])) exchange.apply(0, command);
  exchange.recycle(exchange.takeBatch());
  const { journal, rows } = createHeldJournal();
  const onFatal = vi.fn<(error: Error) => void>();
  const published: CommittedBatch[] = [];
  const sequencer = new Sequencer({
    exchange,
    journal,
    views: new OrderViews(),
    clock: { now: () => 1000 },
    logger: createLogger('silent'),
    lastBatch: 7,
    lastTime: 0,
    limits: { queue: 100, batch: 3, backlog: 10, unavailableMs: 60_000, ...limits },
    backlog: () => 0,
    onCommitted: () => undefined,
    onFatal,
  });
  // The events of a batch are good during the call alone.
  sequencer.subscribe(({ batch, time }) => published.push({ batch, time } as CommittedBatch));
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
    expect(
      decodeEntries({ version: JOURNAL_VERSION, commands: rows[0]?.commands ?? '' }).map(({ command }) => command),
    ).toEqual([
      { ...credit(1n), transferId: 1, origin: undefined },
      { ...credit(2n), transferId: 2, origin: undefined },
      { ...credit(3n), transferId: 3, origin: undefined },
    ]);
    rows[0]?.answer(true);
    await appended(rows, 2);
    rows[1]?.answer(true);
    expect((await Promise.all(answers)).map(({ batch }) => batch)).toEqual([8, 8, 8, 9]);
  });

  it('applies the next batch while one commits, and answers each after its own commit', async () => {
    const { sequencer, rows, exchange } = setUp();
    const first = sequencer.submit(credit(1n));
    await appended(rows, 1);
    const answered = vi.fn();
    const second = sequencer.submit(credit(2n)).then(answered);
    await expect.poll(() => exchange.balance(accountKey(OWNER, Wallet.SPOT, Bucket.AVAILABLE, 0))).toBe(3n);
    expect(rows).toHaveLength(1);
    expect([sequencer.appliedBatch, sequencer.committedBatch]).toEqual([9, 7]);
    rows[0]?.answer(true);
    await first;
    await appended(rows, 2);
    expect(answered).not.toHaveBeenCalled();
    rows[1]?.answer(true);
    await second;
    expect(sequencer.committedBatch).toBe(9);
  });

  it('refuses when the queue is full, and takes again when it is not', async () => {
    const { sequencer, rows, exchange } = setUp({ queue: 2 });
    const first = sequencer.submit(credit(1n));
    await appended(rows, 1);
    const second = sequencer.submit(credit(2n));
    await expect.poll(() => exchange.balance(accountKey(OWNER, Wallet.SPOT, Bucket.AVAILABLE, 0))).toBe(3n);
    const waiting = [sequencer.submit(credit(3n)), sequencer.submit(credit(4n))];
    await expect(sequencer.submit(credit(5n))).rejects.toThrow(NotAccepted);
    for (let row = 0; row < 2; row += 1) {
      await appended(rows, row + 1);
      rows[row]?.answer(true);
    }
    await Promise.all([first, second, ...waiting]);
  });

  it('tries a batch again under the same number while the database is away, and refuses new commands', async () => {
    const { sequencer, rows, exchange } = setUp();
    const answer = sequencer.submit(credit(5n));
    await appended(rows, 1);
    rows[0]?.fail(new DatabaseUnavailable('gone'));
    await expect.poll(() => sequencer.statistics().available).toBe(false);
    await expect(sequencer.submit(credit(1n))).rejects.toThrow(NotAccepted);
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
    await expect(answer).rejects.toThrow(OutcomeUnknown);
    expect(onFatal).toHaveBeenCalledOnce();
    expect(published).toEqual([]);
    await expect(sequencer.submit(credit(1n))).rejects.toThrow(NotAccepted);
  });

  it('stops when another process has become the writer', async () => {
    const { sequencer, rows, onFatal, published } = setUp();
    const answer = sequencer.submit(credit(5n));
    await appended(rows, 1);
    rows[0]?.fail(new NotTheWriter('another'));
    await expect(answer).rejects.toThrow(OutcomeUnknown);
    expect(onFatal).toHaveBeenCalledWith(expect.any(NotTheWriter));
    expect(published).toEqual([]);
  });

  it('refuses what is not applied, and readers, as soon as the database is away', async () => {
    const { sequencer, rows, exchange } = setUp();
    const answer = sequencer.submit(credit(5n));
    await appended(rows, 1);
    const applied = sequencer.submit(credit(1n));
    await expect.poll(() => exchange.balance(accountKey(OWNER, Wallet.SPOT, Bucket.AVAILABLE, 0))).toBe(6n);
    const [behind, reader] = [sequencer.submit(credit(1n)), sequencer.settled()];
    rows[0]?.fail(new DatabaseUnavailable('away'));
    await expect(behind).rejects.toThrow(NotAccepted);
    await expect(reader).rejects.toThrow(NotAccepted);
    await appended(rows, 2);
    rows[1]?.answer(true);
    expect((await answer).outcome).toEqual({ ok: true });
    await appended(rows, 3);
    rows[2]?.answer(true);
    expect((await applied).batch).toBe(9);
  });

  it('says that the outcome is not known, to whom that is enough, where the database stays away for two seconds', async () => {
    const { sequencer, rows } = setUp();
    const committed = vi.fn();
    const work = sequencer.submit(credit(5n)).then(committed);
    const answer = sequencer.answered(work).then(committed, (error: Error) => error);
    await appended(rows, 1);
    rows[0]?.fail(new DatabaseUnavailable('gone'));
    expect(await answer).toBeInstanceOf(OutcomeUnknown);
    expect(committed).not.toHaveBeenCalled();
    // Whoever comes back for it while the database is away is told the same, and its answer afterwards.
    await expect(sequencer.answered(work)).rejects.toThrow(OutcomeUnknown);
    await appended(rows, 2);
    const again = sequencer.answered(work);
    rows[1]?.answer(true);
    await again;
    expect(committed).toHaveBeenCalledTimes(1);
  });

  it('waits for a database that is back within that', async () => {
    const { sequencer, rows } = setUp();
    const answer = sequencer.answered(sequencer.submit(credit(5n)));
    await appended(rows, 1);
    rows[0]?.fail(new DatabaseUnavailable('gone'));
    await appended(rows, 2);
    rows[1]?.answer(true);
    expect(await answer).toMatchObject({ outcome: { ok: true } });
  });

  it('says of every applied command that its outcome is not known when it must stop', async () => {
    const { sequencer, rows, onFatal } = setUp({ unavailableMs: 0 });
    const answer = sequencer.submit(credit(5n));
    await appended(rows, 1);
    const applied = sequencer.submit(credit(1n));
    await expect.poll(() => sequencer.appliedBatch).toBe(9);
    const behind = sequencer.submit(credit(2n));
    rows[0]?.fail(new DatabaseUnavailable('gone'));
    await expect(answer).rejects.toThrow(OutcomeUnknown);
    await expect(applied).rejects.toThrow(OutcomeUnknown);
    await expect(behind).rejects.toThrow(NotAccepted);
    expect(onFatal).toHaveBeenCalledOnce();
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
