import { afterEach, expect, test, vi } from 'vitest';
import { exchangeTime, noteTimeOf } from './exchange-time.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const HOUR_MS = 3_600_000;
const madeAt = (timeMs: number, age?: string) =>
  new Response(null, { headers: { date: new Date(timeMs).toUTCString(), ...(age ? { age } : {}) } });

afterEach(() => {
  noteTimeOf(madeAt(Date.now()));
  vi.useRealTimers();
});

test.each([-72, -2, 2, 72])("a device's clock that is %i hours off does not change the exchange's time", (hours) => {
  vi.useFakeTimers({ now: NOON + hours * HOUR_MS });
  noteTimeOf(madeAt(NOON));
  expect(exchangeTime()).toBe(NOON);
  vi.advanceTimersByTime(HOUR_MS);
  expect(exchangeTime()).toBe(NOON + HOUR_MS);
  // Put right meanwhile.
  vi.setSystemTime(NOON + HOUR_MS);
  noteTimeOf(madeAt(NOON + HOUR_MS));
  expect(exchangeTime()).toBe(NOON + HOUR_MS);
});

test("the device's clock goes on where an answer says nothing, was on its way, or was kept by what stands before the exchange or by the browser", () => {
  vi.useFakeTimers({ now: NOON });
  const fromYesterday = madeAt(NOON - 20 * HOUR_MS);
  fromYesterday.headers.set('cache-control', 'public, max-age=86400');
  for (const answer of [new Response(), madeAt(NOON - 14_000), madeAt(NOON - HOUR_MS, '3600'), fromYesterday]) {
    noteTimeOf(answer);
    expect(exchangeTime()).toBe(NOON);
  }
});
