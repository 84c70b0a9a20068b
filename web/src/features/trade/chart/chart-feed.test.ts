import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { noteAnswered } from '../../../lib/away.ts';
import { noteTimeOf } from '../../../lib/exchange-time.ts';
import { POLLING_MS } from '../../../lib/polling-intervals.ts';
import { createChartFeed } from './chart-feed.ts';
import { barOf } from './live-candle.ts';
import { MORE_TIMEFRAMES, TIMEFRAMES, timeframeOf, timezoneOf } from './timeframes.ts';
import { barsOf, fetchBars, fetchQuotes } from './udf-client.ts';
import { CHUNK_TIMEOUT_MS, loadChunk, widgetOptions } from './widget-options.ts';

const fetched = vi.fn<(path: string) => Promise<Response>>();

beforeEach(() => void vi.stubGlobal('fetch', fetched));
afterEach(() => {
  // Whether the server answers is known to the whole process, which other files share.
  noteAnswered();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  fetched.mockReset();
  // What was learnt of the exchange's clock is kept by the page, and here by the files that share the process.
  noteTimeOf(new Response(null, { headers: { date: new Date().toUTCString() } }));
});

const answer = { s: 'ok', t: [60, 120], o: [1, 2], h: [3, 4], l: [0.5, 1], c: [2, 3], v: [10] } as const;

describe('bars', () => {
  test('feed columns become bars in milliseconds; an incomplete row is left out (T-udf-feed-48..53)', () => {
    expect(barsOf(answer)[0]).toEqual({ time: 60_000, open: 1, high: 3, low: 0.5, close: 2, volume: 10 });
    expect(barsOf({ ...answer, c: [2] })).toHaveLength(1);
    expect(barsOf({ s: 'no_data' })).toEqual([]);
  });

  test('a status other than ok and no_data throws the words of the server (T-udf-feed-64)', () => {
    expect(() => barsOf({ s: 'error', errmsg: 'unknown_symbol' })).toThrow('unknown_symbol');
  });

  test('a candle of the stream', () => {
    expect(barOf(['1700000000000', '1.5', '2', '1', '1.75', '12', '21', '21', '0'])).toEqual({
      time: 1_700_000_000_000,
      open: 1.5,
      high: 2,
      low: 1,
      close: 1.75,
      volume: 12,
    });
  });

  test.each([
    ['1min', '/api/v3/history', '1'],
    ['5min', '/api/v3/history/five-min', '5'],
    ['1hr', '/api/v3/history/one-hour', '60'],
    ['4hr', '/api/v3/history/four-hour', '240'],
    ['1D', '/api/v3/history/one-day', '1D'],
  ])('the history of %s is asked at %s (T-udf-feed-02, T-udf-feed-17)', async (id, path, resolution) => {
    fetched.mockResolvedValue(Response.json(answer));
    await fetchBars('BTC-USDT', timeframeOf(id), 180_000, 2);
    const url = new URL(String(fetched.mock.calls[0]?.[0]), 'http://test');
    expect([url.pathname, url.searchParams.get('resolution'), url.searchParams.get('countback')]).toEqual([
      path,
      resolution,
      '2',
    ]);
  });
});

test("the newest candles are those of the exchange's time, however wrong the clock of the device is", async () => {
  const now = Date.UTC(2026, 5, 4, 12);
  vi.useFakeTimers({ now: Date.UTC(2026, 5, 1, 12) });
  const headers = { date: new Date(now).toUTCString() };
  fetched.mockImplementation(async () => Response.json(answer, { headers }));
  await fetchQuotes(['BTC-USDT'], new AbortController().signal).catch(() => undefined);
  const timeframe = timeframeOf('1min');
  const feed = createChartFeed('BTC-USDT', timeframe, { onLoaded: vi.fn(), onError: vi.fn(), onLost: vi.fn() });
  const symbol = { ticker: 'BTC-USDT', pricePrecision: 1, volumePrecision: 4 };
  const { period } = timeframe;
  await feed.loader.getBars({ type: 'init', timestamp: null, symbol, period, callback: vi.fn() });
  const to = new URL(String(fetched.mock.lastCall?.[0]), 'http://test').searchParams.get('to');
  expect(Number(to) * 1_000).toBe(now + timeframe.lengthMs);
});

test('history that cannot be fetched is only logged; what is on screen stays and is asked for again (T-udf-feed-67)', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  const onError = vi.fn();
  const feed = createChartFeed('BTC-USDT', timeframeOf('1min'), { onLoaded: vi.fn(), onError, onLost: vi.fn() });
  const callback = vi.fn();
  const symbol = { ticker: 'BTC-USDT', pricePrecision: 1, volumePrecision: 4 };
  await feed.loader.getBars({
    type: 'forward',
    timestamp: 60_000,
    symbol,
    period: timeframeOf('1min').period,
    callback,
  });
  expect(logged).toHaveBeenCalledOnce();
  expect(onError).not.toHaveBeenCalled();
  expect(callback).toHaveBeenCalledWith([], { forward: true, backward: false });
  logged.mockRestore();
});

describe('quotes', () => {
  test('become what the stream would have said of the day', async () => {
    const v = { lp: 2, open_price: 1, high_price: 3, low_price: 1, volume: 10, volume_quote: 20 };
    fetched.mockResolvedValue(
      Response.json({
        s: 'ok',
        d: [
          { s: 'ok', n: 'BTC-USDT', v },
          { s: 'error', n: 'X', v: {} },
        ],
      }),
    );
    expect(await fetchQuotes(['BTC-USDT', 'X'], new AbortController().signal)).toEqual([
      { instId: 'BTC-USDT', last: '2', open24h: '1', high24h: '3', low24h: '1', vol24h: '10', volCcy24h: '20' },
    ]);
  });

  test('a lost network is told with its detail (T-udf-feed-66)', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    await expect(fetchQuotes(['BTC-USDT'], new AbortController().signal)).rejects.toThrow(
      'network error: The exchange cannot be reached. Check your connection and try again.',
    );
  });
});

test('there are five timeframes, and one minute is the default (T-chart-07)', () => {
  expect(TIMEFRAMES.map(({ id }) => id)).toEqual(['1min', '5min', '1hr', '4hr', '1D']);
  expect(timeframeOf(null).id).toBe('1min');
  expect(timeframeOf('4hr').resolution).toBe('240');
});

test('candles of a day and more are in the default time zone, shorter ones in that of the device (T-chart-18)', () => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  for (const id of ['1D', '1W', '1M']) expect(timezoneOf(timeframeOf(id))).toBe('Etc/UTC');
  for (const id of ['1min', '4hr', '12hr']) expect(timezoneOf(timeframeOf(id))).toBe('America/Los_Angeles');
  vi.unstubAllEnvs();
});

test('what stands in for a silent stream is asked for as often as documented (T-polling-05..07, T-polling-09, T-udf-feed-69..71)', () => {
  expect(POLLING_MS).toEqual({
    ...{ volume: 10_000, futuresVolume: 1_000, allQuotes: 60_000 },
    ...{ chart: 100, recentTrades: 1_000, orderBook: 10_000 },
  });
});

test('every other length that the exchange keeps candles of can be chosen as well', () => {
  const names = MORE_TIMEFRAMES.map(({ id, channel, resolution }) => [id, channel, resolution]);
  expect(names).toEqual([
    ['3min', 'candle3m', '3'],
    ['15min', 'candle15m', '15'],
    ['30min', 'candle30m', '30'],
    ['2hr', 'candle2H', '120'],
    ['6hr', 'candle6H', '360'],
    ['12hr', 'candle12H', '720'],
    ['1W', 'candle1W', '1W'],
    ['1M', 'candle1M', '1M'],
  ]);
  for (const timeframe of MORE_TIMEFRAMES) expect(timeframeOf(timeframe.id)).toBe(timeframe);
});

describe('the widget', () => {
  test('complains of what it cannot do without (T-chart-13, T-chart-14)', () => {
    expect(() => widgetOptions({ datafeed: undefined, symbol: 'BTC-USDT' })).toThrow('Datafeed is not defined');
    expect(() => widgetOptions({ datafeed: {} })).toThrow(
      'Symbol is not defined: either symbol or load_last_chart option must be set',
    );
    expect(() => widgetOptions({ datafeed: {}, load_last_chart: true })).not.toThrow();
  });

  test('has its default time zone, and English for languages that it does not speak (T-chart-18, T-chart-20)', () => {
    expect(widgetOptions({ datafeed: {}, symbol: 'BTC-USDT', locale: 'vi' })).toEqual({
      timezone: 'Etc/UTC',
      locale: 'en-US',
    });
    expect(widgetOptions({ datafeed: {}, symbol: 'BTC-USDT', locale: 'zh-Hans' }).locale).toBe('zh-CN');
  });

  test('a part that does not come is a ChunkLoadError, after 120 s at the latest (T-chart-15, T-chart-19)', async () => {
    await expect(loadChunk(() => Promise.reject(new TypeError('gone')))).rejects.toMatchObject({
      name: 'ChunkLoadError',
    });
    vi.useFakeTimers();
    const waiting = expect(loadChunk(() => new Promise(() => undefined))).rejects.toMatchObject({
      name: 'ChunkLoadError',
    });
    expect(CHUNK_TIMEOUT_MS).toBe(120_000);
    await vi.advanceTimersByTimeAsync(120_000);
    await waiting;
    expect(await loadChunk(() => Promise.resolve('part'))).toBe('part');
  });
});
