import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { persist, restMs, TRY_NOW } from './persist.ts';

/** What the module uses of a window. */
const target = new EventTarget();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a part that does not come', () => {
  it('is asked for again with longer rests, thirty seconds at the most', async () => {
    let asked = 0;
    const failures: number[] = [];
    const load = async () => {
      asked += 1;
      if (asked < 4) throw new TypeError('gone');
      return 'part';
    };
    const part = persist(load, { onFailure: (count) => failures.push(count) });
    for (const [ms, times] of [
      [999, 1],
      [1, 2],
      [1_999, 2],
      [1, 3],
      [4_000, 4],
    ] as const) {
      await vi.advanceTimersByTimeAsync(ms);
      expect(asked).toBe(times);
    }
    expect(await part).toBe('part');
    expect(failures).toEqual([1, 2, 3]);
    expect([1, 2, 5, 6, 60].map(restMs)).toEqual([1_000, 2_000, 16_000, 30_000, 30_000]);
  });

  it.each(['online', TRY_NOW])('is asked for at once on %s, and once only', async (event) => {
    const load = vi.fn().mockRejectedValueOnce(new TypeError('gone')).mockResolvedValueOnce('part');
    const part = persist(load);
    await vi.advanceTimersByTimeAsync(1);
    target.dispatchEvent(new Event(event));
    expect(await part).toBe('part');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('is not asked for any more when nothing waits for it', async () => {
    const leaving = new AbortController();
    const load = vi.fn().mockRejectedValue(new TypeError('gone'));
    void persist(load, { signal: leaving.signal });
    await vi.advanceTimersByTimeAsync(1);
    leaving.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(load).toHaveBeenCalledTimes(1);
  });
});
