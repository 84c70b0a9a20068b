import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { every, isAway, noteAnswered, noteUnanswered, pacedMs, whenBack } from './away.ts';
import { startPolling } from './polling.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  noteAnswered();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a server that does not answer', () => {
  test('is asked at the usual pace until then, and again as soon as it answers', () => {
    expect([pacedMs(5_000), isAway()]).toEqual([5_000, false]);
    noteUnanswered();
    expect(isAway()).toBe(true);
    noteAnswered();
    expect([every(5_000)(), isAway()]).toEqual([5_000, false]);
  });

  test('is asked less often the longer it is away, and not below what is usual', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    noteUnanswered();
    expect(pacedMs(5_000)).toBe(10_000);
    vi.advanceTimersByTime(30_000);
    expect(pacedMs(5_000)).toBe(30_000);
    vi.advanceTimersByTime(3_600_000);
    expect(pacedMs(5_000)).toBe(60_000);
    expect(pacedMs(300_000)).toBe(300_000);
  });

  test('is asked by each tab at other times', () => {
    noteUnanswered();
    const waits = Array.from({ length: 50 }, () => pacedMs(5_000));
    expect(new Set(waits).size).toBeGreaterThan(40);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(7_500);
    expect(Math.max(...waits)).toBeLessThanOrEqual(12_500);
  });

  test('hears few polls: at most four of one list in the first 20 s, where there were 20', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let asked = 0;
    const end = startPolling(1_000, async () => {
      asked += 1;
      noteUnanswered();
      throw new Error('away');
    });
    await vi.advanceTimersByTimeAsync(20_000);
    end();
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThanOrEqual(4);
  });

  test('is noticed once when it is back', () => {
    const back = vi.fn();
    const end = whenBack(back);
    noteAnswered();
    expect(back).not.toHaveBeenCalled();
    noteUnanswered();
    noteAnswered();
    noteAnswered();
    end();
    expect(back).toHaveBeenCalledTimes(1);
  });
});
