import { expect, it } from 'vitest';
import { barsOf, DAY_MS } from './frames.ts';
import { type HistorySeed, makeHistory } from './history.ts';

const seed: HistorySeed = {
  seed: 7,
  anchor: Date.UTC(2026, 10, 21, 14, 23),
  price: 912_500,
  dailyVolatility: 0.022,
  dailyTurnover: 1.4e15,
};

it('is a pure function of its seed and ends at the price at which trading starts', () => {
  const first = makeHistory(seed);
  const second = makeHistory(seed);
  expect(first.minutes.lastClose).toBe(912_500);
  expect(first.hours.lastClose).toBe(912_500);
  expect(first.days.lastClose).toBe(912_500);
  expect(first.minutes.end).toBe(seed.anchor);
  expect(barsOf(first.minutes, '5m', { limit: 3000 })).toEqual(barsOf(second.minutes, '5m', { limit: 3000 }));
  expect(makeHistory({ ...seed, seed: 8 }).minutes.closeAt(5)).not.toBe(first.minutes.closeAt(5));
});

it('leaves no gap, and every bar contains its open and close', () => {
  const { minutes, hours, days } = makeHistory(seed);
  for (const series of [minutes, hours, days]) {
    for (let index = 1; index < series.length; index += 1) {
      const bar = series.at(index);
      expect(bar.open).toBe(series.closeAt(index - 1));
      expect(bar.high).toBeGreaterThanOrEqual(Math.max(bar.open, bar.close));
      expect(bar.low).toBeLessThanOrEqual(Math.min(bar.open, bar.close));
      expect(bar.low).toBeGreaterThan(0);
      expect(bar.volume).toBeGreaterThan(0);
    }
  }
});

it('has volatility in clusters, volume that follows range, and a believable daily range', () => {
  const { days, hours } = makeHistory(seed);
  const bars = barsOf(days, '1D', { limit: 900 });
  const ranges = bars.map((bar) => (bar.high - bar.low) / bar.open);
  const meanRange = ranges.reduce((sum, range) => sum + range, 0) / ranges.length;
  expect(meanRange).toBeGreaterThan(0.01);
  expect(meanRange).toBeLessThan(0.12);
  const hourly = barsOf(hours, '1H', { limit: 4000 });
  const size = hourly.map((bar) => Math.abs(bar.close / bar.open - 1));
  expect(correlation(size.slice(1), size.slice(0, -1))).toBeGreaterThan(0.1);
  expect(
    correlation(
      hourly.map((bar) => bar.high - bar.low),
      hourly.map((bar) => bar.volume),
    ),
  ).toBeGreaterThan(0.4);
});

it('adds weeks from Monday and months from the first', () => {
  const { days } = makeHistory(seed);
  const weeks = barsOf(days, '1W', { limit: 3 });
  expect(weeks.map((bar) => new Date(bar.time).getUTCDay())).toEqual([1, 1, 1]);
  const months = barsOf(days, '1M', { limit: 3 });
  expect(months.map((bar) => new Date(bar.time).getUTCDate())).toEqual([1, 1, 1]);
  expect(months.at(-1)?.close).toBe(912_500);
  expect(weeks[1]!.time - weeks[0]!.time).toBe(7 * DAY_MS);
});

function correlation(xs: number[], ys: number[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(xs), mean(ys)];
  const cov = mean(xs.map((x, index) => (x - mx) * (ys[index]! - my)));
  const deviation = (values: number[], m: number) => Math.sqrt(mean(values.map((value) => (value - m) ** 2)));
  return cov / (deviation(xs, mx) * deviation(ys, my));
}
