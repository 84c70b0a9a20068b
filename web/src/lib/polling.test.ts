import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPolling } from './polling.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the next turn waits for the last one: slow answers never overlap', async () => {
  let running = 0;
  let most = 0;
  let turns = 0;
  const stop = startPolling(100, async () => {
    turns += 1;
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 350));
    running -= 1;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([turns, most]).toEqual([3, 1]);
  stop();
});

test('nothing runs after the screen was left, and what is under way is told (T-polling-08)', async () => {
  let turns = 0;
  let told = false;
  const stop = startPolling(1_000, async (signal) => {
    turns += 1;
    signal.onabort = () => {
      told = true;
    };
  });
  await vi.advanceTimersByTimeAsync(2_500);
  expect(turns).toBe(3);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([turns, told]).toEqual([3, true]);
});

test('a failing turn is logged and the next one comes', async () => {
  const warned = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let turns = 0;
  const stop = startPolling(1_000, async () => {
    turns += 1;
    throw new Error('away');
  });
  await vi.advanceTimersByTimeAsync(1_500);
  expect(turns).toBe(2);
  expect(warned).toHaveBeenCalledTimes(2);
  stop();
  warned.mockRestore();
});
