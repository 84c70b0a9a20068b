import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exchangeTime } from './exchange-time.ts';
import { Heard } from './heard.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a channel that is heard at once has missed nothing', () => {
  const heard = new Heard();
  vi.advanceTimersByTime(1_000);
  expect(heard.begin()).toBeUndefined();
});

test('one whose network was lost before its beginning may have missed all since the page was opened', () => {
  const opened = exchangeTime();
  const heard = new Heard();
  vi.advanceTimersByTime(120_000);
  expect(heard.begin()).toBe(opened);
});

test('one that begins again may have missed what came after its last word', () => {
  const heard = new Heard();
  heard.begin();
  vi.advanceTimersByTime(60_000);
  heard.push();
  const last = exchangeTime();
  vi.advanceTimersByTime(1_000);
  expect(heard.begin()).toBe(last);
});
