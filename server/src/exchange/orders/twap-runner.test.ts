import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { type CommittedBatch, NotAccepted, type Submission } from '../engine/feed.ts';
import { TwapRunner } from './twap-runner.ts';

describe('the runner of TWAPs', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 100_000 }));
  afterEach(() => void vi.useRealTimers());

  /** A core that has slices due at some times, and a sequencer that may refuse. */
  function staged(times: number[]) {
    const commands: { time: number; command: Submission }[] = [];
    const listeners = new Set<(batch: CommittedBatch) => void>();
    let refuses = 0;
    const commit = () => {
      for (const listener of listeners) listener({} as CommittedBatch);
    };
    const runner = new TwapRunner({
      exchange: { nextDueAt: () => times[0] },
      clock: { now: () => Date.now() },
      logger: createLogger('silent'),
      sequencer: {
        subscribe(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        async submit(command) {
          commands.push({ time: Date.now() - 100_000, command });
          if (refuses > 0) {
            refuses -= 1;
            throw new NotAccepted('The database is away');
          }
          while (times[0] !== undefined && times[0] <= Date.now()) times.shift();
          commit();
          return { outcome: { ok: true }, id: 0, batch: 1, time: 0, order: undefined, ended: 0 };
        },
      },
    });
    return { runner, commands, commit, refuse: (count: number) => (refuses = count) };
  }
  const ran = (time: number) => ({ time, command: { kind: 'run-twaps', maximum: 50 } });

  it('submits nothing while no TWAP is open, and one command when the next slice is due', async () => {
    const times: number[] = [];
    const { runner, commands, commit } = staged(times);
    runner.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([commands, vi.getTimerCount()]).toEqual([[], 0]);
    times.push(163_500, 165_000);
    commit();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(commands).toEqual([ran(63_500), ran(65_000)]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('begins with what is due at its start, and follows a slice that comes before the one it waits for', async () => {
    const times = [90_000, 105_000];
    const { runner, commands, commit } = staged(times);
    runner.start();
    await vi.advanceTimersByTimeAsync(1);
    times.unshift(100_200);
    commit();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(commands).toEqual([ran(0), ran(200)]);
  });

  it('tries again what was not accepted, and stops when it is closed', async () => {
    const { runner, commands, refuse } = staged([100_000, 104_000]);
    refuse(2);
    runner.start();
    await vi.advanceTimersByTimeAsync(2_500);
    expect(commands).toEqual([ran(0), ran(1_000), ran(2_000)]);
    await runner.close();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([commands.length, vi.getTimerCount()]).toEqual([3, 0]);
  });
});
