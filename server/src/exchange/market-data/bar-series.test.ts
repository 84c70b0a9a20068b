import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Bar, BarSeries } from './bar-series.ts';
import { MINUTE_MS } from './frames.ts';

const START = Date.UTC(2026, 5, 3, 12);
const FIRST = 100;

/** A price at a time; of a trade, or told where the quantity is 0. */
interface Point {
  readonly time: number;
  readonly price: number;
  readonly quantity: number;
}

/** The bars of all minutes, each made from all of its points. */
function naively(points: readonly Point[]): Bar[] {
  const last = Math.max(...points.map(({ time }) => time));
  const bars: Bar[] = [];
  let close = FIRST;
  for (let time = START; time <= last; time += MINUTE_MS) {
    const own = points.filter((point) => point.time >= time && point.time < time + MINUTE_MS);
    const isNews = own.findIndex(({ price, quantity }) => quantity > 0 || price !== close);
    const said = isNews < 0 ? [] : own.slice(isNews);
    const prices = said.length === 0 ? [close] : said.map(({ price }) => price);
    close = prices.at(-1)!;
    const sum = (value: (point: Point) => number) => said.reduce((total, point) => total + value(point), 0);
    const [high, low] = [Math.max(...prices), Math.min(...prices)];
    const volume = sum(({ quantity }) => quantity);
    const turnover = sum(({ price, quantity }) => price * quantity);
    bars.push({ time, open: prices[0]!, high, low, close, volume, turnover });
  }
  return bars;
}

const steps = fc.array(
  fc.record({
    pause: fc.integer({ min: 0, max: 150_000 }),
    price: fc.integer({ min: 98, max: 103 }),
    quantity: fc.constantFrom(0, 0, 1, 7),
  }),
  { minLength: 1, maxLength: 30 },
);

it('has the bars that all prices make, traded or told, also read back from what was written', () => {
  fc.assert(
    fc.property(steps, fc.nat(30), (taken, cut) => {
      let time = START;
      const points = taken.map(({ pause, price, quantity }): Point => {
        time += pause;
        return { time, price, quantity };
      });
      const begun = () => {
        const series = new BarSeries(MINUTE_MS, START - MINUTE_MS, 24_000);
        series.append(FIRST, FIRST, FIRST, FIRST, 0, 0);
        return series;
      };
      const all = (series: BarSeries) => Array.from({ length: series.length - 1 }, (_, index) => series.at(index + 1));
      const series = begun();
      let stored: Bar[] = [];
      for (const [index, point] of points.entries()) {
        if (index === cut) stored = all(series);
        series.trade(point.time, point.price, point.quantity);
      }
      expect(all(series)).toEqual(naively(points));

      const restored = begun();
      for (const bar of stored) restored.put(bar);
      for (const point of stored.length === 0 ? points : points.slice(cut))
        restored.trade(point.time, point.price, point.quantity);
      expect(all(restored)).toEqual(naively(points));
    }),
  );
});

it('carries a trade that comes late over the minutes after it, up to the next price, which may be told', () => {
  const series = new BarSeries(MINUTE_MS, START, 24_000);
  const at = (minute: number) => START + minute * MINUTE_MS;
  series.append(FIRST, FIRST, FIRST, FIRST, 0, 0);
  series.trade(at(3), 105, 0);
  series.extendTo(at(4));
  series.trade(at(1), 90, 2);
  const closes = Array.from({ length: series.length }, (_, index) => series.closeAt(index));
  expect(closes).toEqual([100, 90, 90, 105, 105]);
});
