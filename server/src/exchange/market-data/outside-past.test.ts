/** The past of markets that another exchange knows: it comes behind the start, beneath what was traded here. */
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { type Bar, BarSeries } from './bar-series.ts';
import { MINUTE_MS } from './frames.ts';
import { emptyHistory, type MarketBars } from './history.ts';
import { OutsideReader } from './outside-reader.ts';
import { createMarketData } from './service.ts';
import { createMarketDataStore } from './store.ts';
import { startTestExchange, type TestExchange } from './test-exchange.ts';

const NOW = 1_790_000_040_000;
const MINUTE = Math.floor(NOW / MINUTE_MS) * MINUTE_MS;

type Minutes = readonly { readonly price: number; readonly volume: number }[];

/** A series of minutes, each at a price; those without a volume are not traded, but may be told. */
function seriesOf(start: number, bars: Minutes): BarSeries {
  const series = new BarSeries(MINUTE_MS, start, 24_000);
  for (const { price, volume } of bars) series.append(price, price, price, price, volume, price * volume);
  return series;
}

const all = (series: BarSeries): Bar[] => Array.from({ length: series.length }, (_, index) => series.at(index));

describe('bars of elsewhere', () => {
  const bars = (volumes: fc.Arbitrary<number>) =>
    fc.array(fc.record({ price: fc.integer({ min: 1, max: 1_000 }), volume: volumes }), {
      minLength: 1,
      maxLength: 40,
    });
  const here = fc.tuple(fc.integer({ min: -30, max: 30 }), bars(fc.constantFrom(0, 0, 5)));
  const there = fc.tuple(fc.integer({ min: -30, max: 30 }), bars(fc.constantFrom(0, 7)));

  it('hold where no price came here, for every minute of both, and trades go on in the same series', () => {
    const agrees = ([ownAt, own]: [number, Minutes], [pastAt, past]: [number, Minutes]) => {
      const series = seriesOf(MINUTE + ownAt * MINUTE_MS, own);
      const before = all(series);
      const outside = seriesOf(MINUTE + pastAt * MINUTE_MS, past);
      series.underlay(outside);
      const hasPrice = ({ volume, close }: Bar, index: number) => volume > 0 || close !== before[index - 1]?.close;
      const isKnown = (bar: Bar, index: number) => (index === 0 ? bar.volume > 0 : hasPrice(bar, index));
      const traded = new Map(before.filter(isKnown).map((bar) => [bar.time, bar]));
      const known = new Map(all(outside).map((bar) => [bar.time, bar]));
      const first = Math.min(ownAt, pastAt);
      const last = Math.max(ownAt + own.length, pastAt + past.length) - 1;
      let close = before[0]!.close;
      const expected = Array.from({ length: last - first + 1 }, (_, index): Bar => {
        const time = MINUTE + (first + index) * MINUTE_MS;
        const flat = { time, open: close, high: close, low: close, close, volume: 0, turnover: 0 };
        const bar = traded.get(time) ?? known.get(time) ?? flat;
        close = bar.close;
        return bar;
      });
      expect(all(series)).toEqual(expected);
      expect(series.start).toBe(series.timeAt(0));
      series.trade(series.end, 42, 3);
      expect(series.at(series.length - 1)).toMatchObject({ close: 42, volume: 3 });
    };
    fc.assert(fc.property(here, there, agrees));
  });
});

describe('a series', () => {
  it('that nothing was added to for years is as long as it may be, whatever time comes', () => {
    const series = seriesOf(0, [{ price: 7, volume: 1 }]);
    series.put({ time: MINUTE, open: 9, high: 9, low: 9, close: 9, volume: 2, turnover: 18 });
    expect(series.length).toBe(24_000);
    expect(series.start).toBe(series.timeAt(0));
    expect(series.at(0)).toMatchObject({ close: 7, volume: 0 });
    expect(series.at(series.length - 1)).toMatchObject({ time: MINUTE, close: 9, volume: 2 });
    // From a feed that knows the market of long ago alone.
    series.underlay(seriesOf(MINUTE_MS, [{ price: 5, volume: 1 }]));
    expect(series.length).toBe(24_000);
    expect(series.at(series.length - 1)).toMatchObject({ time: MINUTE, close: 9, volume: 2 });
  });
});

describe('a start', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await startTestExchange(Date, 'simulated');
  });
  afterAll(async () => {
    await exchange.stop();
    await exchange.source.remove();
  });

  it('does not wait for the outside; what comes from there later lies beneath what was traded meanwhile', async () => {
    const { catalogue, database, engine, clock, logger } = exchange;
    const asked = Promise.withResolvers<MarketBars | undefined>();
    const marketData = createMarketData({
      ...{ catalogue, view: engine.exchange, feed: engine.sequencer, clock, logger, seed: 5 },
      store: createMarketDataStore(database),
      past: () => asked.promise,
    });
    await marketData.start();
    await exchange.fund(1_001, 'USDT', 10n ** 12n);
    await exchange.fund(1_002, 'BTC', 10n ** 12n);
    await exchange.place(1_002, 0, SELL, 912_345, 10);
    await exchange.place(1_001, 0, BUY, 912_345, 10);
    const traded = marketData.candles(0, '1m', { limit: 5 }).filter(({ volume }) => volume > 0);
    expect(traded).toMatchObject([{ close: 912_345, volume: 10 }]);
    expect(marketData.ticker(0)).toMatchObject({ high: 912_345, volume: 10 });

    const now = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
    const minutes = seriesOf(now - 9 * MINUTE_MS, Array(10).fill({ price: 950_000, volume: 1 }));
    asked.resolve({ ...emptyHistory(950_000, now), minutes });
    await expect.poll(() => marketData.candles(0, '1m', { limit: 20 }).length).toBeGreaterThanOrEqual(10);
    expect(marketData.candles(0, '1m', { limit: 20 }).filter(({ close }) => close === 912_345)).toMatchObject(traded);
    // The figures of the day know of it too.
    expect(marketData.ticker(0)).toMatchObject({ high: 950_000 });
    await exchange.place(1_002, 0, SELL, 912_346, 10);
    await exchange.place(1_001, 0, BUY, 912_346, 10);
    expect(marketData.lastPrice(0)).toBe(912_346);
    await marketData.close();
  });

  it('keeps the last price that there is here, of a market in which none has come for a while', async () => {
    const { catalogue, database, engine, clock, logger } = exchange;
    const { id } = catalogue.resolvePair('ETH-USDT')!.spec;
    const now = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
    const [last, elsewhere] = [300_000, 400_000];
    const minutes = seriesOf(now - 9 * MINUTE_MS, Array(10).fill({ price: elsewhere, volume: 1 }));
    await engine.sequencer.submit({ kind: 'set-reference-price', market: id, price: last });
    const marketData = createMarketData({
      ...{ catalogue, view: engine.exchange, feed: engine.sequencer, clock, logger, seed: 5 },
      store: createMarketDataStore(database),
      past: async () => ({ ...emptyHistory(elsewhere, now), minutes }),
    });
    await marketData.start();
    await expect.poll(() => marketData.ticker(id)).toMatchObject({ high: elsewhere });
    expect(marketData.ticker(id)).toMatchObject({ open: elsewhere, low: last, last });
    for (const frame of ['1m', '1H', '1D'] as const)
      expect(marketData.candles(id, frame, { limit: 1 })).toMatchObject([{ close: last }]);
    await marketData.close();
  });
});

describe('reading the past of markets', () => {
  const logger = createLogger('silent');

  it('asks again for those that could not be told of, and not for those that are unknown there', async () => {
    const asked: number[] = [];
    const found: number[] = [];
    const reader = new OutsideReader({
      async read(market) {
        asked.push(market);
        if (market === 1) return undefined;
        if (market === 2 && asked.length <= 3) throw new Error('The feed is away');
        return emptyHistory(5, NOW);
      },
      found: (market) => void found.push(market),
      logger,
      retryMs: 1,
    });
    reader.start([0, 1, 2]);
    await expect.poll(() => found).toEqual([0, 2]);
    expect(asked).toEqual([0, 1, 2, 2]);
    reader.stop();
  });

  it('finds nothing more once it is stopped, whatever is on its way', async () => {
    const asked = Promise.withResolvers<MarketBars>();
    const found = vi.fn();
    const read = vi.fn(() => asked.promise);
    const reader = new OutsideReader({ read, found, logger, retryMs: 1 });
    reader.start([0, 1]);
    reader.stop();
    asked.resolve(emptyHistory(5, NOW));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([read.mock.calls.length, found.mock.calls.length]).toEqual([1, 0]);
  });
});
