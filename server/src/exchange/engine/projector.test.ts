import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import type { CommittedBatch } from './feed.ts';
import { Projector } from './projector.ts';

const counters = { lastOrderId: 0, lastTradeId: 0, lastPriority: 0, lastTransferId: 0 };

/** A projector without tables: the last batches of the runs that it has written, and one more batch of so many words. */
function startProjector(hold?: Promise<void>) {
  const written: number[] = [];
  const write = async (run: { readonly toBatch: number }) => {
    await hold;
    written.push(run.toBatch);
  };
  const projector = new Projector({
    store: { write },
    parts: [],
    logger: createLogger('silent'),
    batch: 0,
    gatherMs: 500,
    runSize: 1_500,
    onFatal: (error) => {
      throw error;
    },
  });
  projector.start();
  let batch = 0;
  const add = (words: number) => {
    batch += 1;
    projector.add({ batch, time: 0, events: { end: words }, counters } as CommittedBatch, []);
  };
  return { projector, written, add };
}

describe('what the projector gathers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('tells how long a run is being written', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { projector, written, add } = startProjector(promise);
    add(10);
    expect(projector.writingForMs()).toBe(0);
    await vi.advanceTimersByTimeAsync(500 + 90_000);
    expect(projector.writingForMs()).toBe(90_000);
    resolve();
    await vi.advanceTimersByTimeAsync(1000);
    expect([written, projector.writingForMs()]).toEqual([[1], 0]);
  });

  it('is written in one run once it has waited, where little happens', async () => {
    const { written, add } = startProjector();
    add(100);
    await vi.advanceTimersByTimeAsync(300);
    add(100);
    await vi.advanceTimersByTimeAsync(199);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(written).toEqual([2]);
  });

  it('is written next once a run is full, however fast more comes, and not before its batches are answered', async () => {
    const { written, add } = startProjector();
    add(600);
    add(600);
    add(600);
    await Promise.resolve();
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(written).toEqual([3]);
    add(100);
    await vi.advanceTimersByTimeAsync(499);
    expect(written).toEqual([3]);
  });

  it('is written at once for who reads the tables', async () => {
    const { projector, written, add } = startProjector();
    add(100);
    await projector.caughtUp();
    expect(written).toEqual([1]);
  });
});
