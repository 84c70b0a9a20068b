import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cancelPublish, PUBLISH_EVERY_MS, publishSoon } from './publish-clock.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_050 }));
afterEach(() => void vi.useRealTimers());

test('everything that waits is published in one beat, each once', () => {
  const [book, trades, gone] = [vi.fn(), vi.fn(), vi.fn()];
  for (const publish of [book, trades, book, gone]) publishSoon(publish);
  cancelPublish(gone);
  vi.advanceTimersByTime(149);
  expect(book).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect([book, trades, gone].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
  publishSoon(book);
  vi.advanceTimersByTime(PUBLISH_EVERY_MS);
  expect(book).toHaveBeenCalledTimes(2);
});
