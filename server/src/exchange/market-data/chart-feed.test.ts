import type { SymbolInfo } from '@cambist/contract/chart-feed.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestExchange, type TestExchange } from './test-exchange.ts';

const NOW = Date.UTC(2026, 5, 3, 11, 58, 30);
const SECONDS = NOW / 1000;

let exchange: TestExchange;
let ask: <Answer>(path: string) => Promise<Answer>;

interface Bars {
  readonly s: string;
  readonly t: number[];
  readonly o: number[];
  readonly h: number[];
  readonly l: number[];
  readonly c: number[];
  readonly v: number[];
  readonly errmsg?: string;
  readonly nextTime?: number;
}

beforeAll(async () => {
  exchange = await startTestExchange({ now: () => NOW }, 'simulated');
  ask = (path) => exchange.get(`/api/v3/${path}`);
});

afterAll(async () => {
  await exchange.stop();
  await exchange.source.remove();
});

const steps = ({ t }: Bars) => new Set(t.slice(1).map((time, index) => time - t[index]!));

describe('symbols', () => {
  it('config names resolutions and what is supported (T-udf-feed-03, T-udf-feed-73)', async () => {
    const config = await ask<Record<string, unknown>>('config');
    expect(config).toMatchObject({ supports_search: true, supports_marks: true, supports_time: true });
    for (const resolution of ['1', '5', '15', '30', '60', '1D', '1W', '1M']) {
      expect(config.supported_resolutions).toContain(resolution);
    }
  });

  it('symbols gives every documented field, by any spelling of the pair (T-udf-feed-05, T-udf-feed-30..47)', async () => {
    const info = await ask<SymbolInfo>('symbols?symbol=btc-usdt');
    expect(info).toMatchObject({
      ticker: 'BTCUSDT',
      name: 'BTCUSDT',
      exchange: 'CAMBIST',
      listed_exchange: 'CAMBIST',
      currency_code: 'USDT',
      unit_id: '',
      type: 'crypto',
      session: '24x7',
      timezone: 'Etc/UTC',
      minmov: 1,
      pricescale: 10,
      has_intraday: true,
      has_daily: true,
      volume_precision: 5,
      format: 'price',
    });
    expect(info.description).toContain('Bitcoin');
    expect(info.intraday_multipliers).toContain('5');
    expect(info.supported_resolutions).toEqual(expect.arrayContaining(['1', '5', '60', '1D']));
    for (const symbol of ['BTC', 'BTCUSDT', 'CAMBIST:BTCUSDT']) {
      expect(await ask(`symbols?symbol=${symbol}`)).toEqual(info);
    }
  });

  it('an unknown symbol is unknown_symbol everywhere (T-udf-feed-65)', async () => {
    const error = { s: 'error', errmsg: 'unknown_symbol' };
    expect(await ask('symbols?symbol=NOPE')).toEqual(error);
    expect(await ask('symbols')).toEqual(error);
    expect(await ask(`history?symbol=NOPE&resolution=1&from=0&to=${SECONDS}`)).toEqual(error);
  });

  it('charts a perpetual by a name of its own, with the past of its coin', async () => {
    const range = `resolution=60&from=${SECONDS - 86_400}&to=${SECONDS}`;
    const [spot, swap] = await Promise.all(
      ['BTCUSDT', 'BTC-USDT-SWAP'].map((symbol) =>
        ask<{ s: string; c: number[] }>(`history?symbol=${symbol}&${range}`),
      ),
    );
    expect(swap?.s).toBe('ok');
    expect(swap?.c.slice(0, 12)).toEqual(spot?.c.slice(0, 12));
  });

  it('symbol_info gives one array for each field, all of one length (T-udf-feed-04)', async () => {
    const group = await ask<Record<string, unknown[]>>('symbol_info?group=crypto');
    // A field of any symbol is a column of all: each is one of the call for one symbol.
    const info = await ask<SymbolInfo>('symbols?symbol=BTCUSDT');
    const at = group.symbol?.indexOf('BTCUSDT') ?? -1;
    expect(Object.keys(info)).toHaveLength(20);
    for (const [field, value] of Object.entries(info)) {
      expect(group[field], field).toHaveLength(47);
      expect(group[field]?.[at], field).toEqual(value);
    }
    expect(group.symbol).toContain('BTCUSDTSWAP');
    expect(await ask('symbol_info?group=bonds')).toMatchObject({ s: 'error' });
  });

  it('search finds parts of names, at most 30 (T-udf-feed-06, T-udf-feed-68)', async () => {
    const found = await ask<{ symbol: string }[]>('search?query=coin&limit=50');
    expect(found.map((entry) => entry.symbol)).toContain('BTCUSDT');
    expect(await ask('search?query=&limit=500')).toHaveLength(30);
    expect(await ask('search?query=btc&limit=1')).toMatchObject([{ symbol: 'BTCUSDT', exchange: 'CAMBIST' }]);
    const whole = 'exchange=CAMBIST&type=crypto';
    expect(await ask(`search?query=btc&limit=1&${whole}`)).toMatchObject([{ symbol: 'BTCUSDT', type: 'crypto' }]);
    expect(await ask('search?query=btc&exchange=NYSE')).toEqual([]);
    expect(await ask('search?query=btc&type=stock')).toEqual([]);
  });
});

describe('history', () => {
  it('bars of a range: seconds, numbers, from inclusive, to exclusive (T-udf-feed-01, T-udf-feed-02, T-udf-feed-07, T-udf-feed-18..24, T-udf-feed-27)', async () => {
    const to = Math.floor(SECONDS / 60) * 60;
    const bars = await ask<Bars>(`history?symbol=BTCUSDT&resolution=1&from=${to - 600}&to=${to}`);
    expect(bars.s).toBe('ok');
    expect(bars.t).toHaveLength(10);
    expect([bars.t[0], bars.t.at(-1)]).toEqual([to - 600, to - 60]);
    for (const column of [bars.o, bars.h, bars.l, bars.c, bars.v]) {
      expect(column).toHaveLength(10);
      expect(column.every((value) => typeof value === 'number' && value > 0)).toBe(true);
    }
    expect(steps(bars)).toEqual(new Set([60]));
    for (const index of bars.t.keys()) {
      const ends = [bars.o[index]!, bars.c[index]!];
      expect(bars.h[index]).toBeGreaterThanOrEqual(Math.max(...ends));
      expect(bars.l[index]).toBeLessThanOrEqual(Math.min(...ends));
    }
    // A bar opens where the one before it has closed.
    expect(bars.o.slice(1)).toEqual(bars.c.slice(0, -1));
    expect(bars.o).not.toEqual(bars.c);
  });

  describe.each([
    ['history/five-min', 300, '5', '(T-udf-feed-08)'],
    ['history/one-hour', 3_600, '60', '(T-udf-feed-09)'],
    ['history/four-hour', 14_400, '240', '(T-udf-feed-10)'],
    ['history/one-day', 86_400, '1D', '(T-udf-feed-11)'],
    ['history', 60, '1', '(T-udf-feed-07)'],
  ])('%s', (path, seconds, resolution, ids) => {
    const to = Math.floor(SECONDS / seconds) * seconds;
    const unused = `currencyCode=USDT&unitId=piece`;

    it(`has bars of ${seconds} s, by range or by count, whether or not the resolution is named ${ids}`, async () => {
      const bars = await ask<Bars>(`${path}?symbol=ETHUSDT&from=${to - 20 * seconds}&to=${to}`);
      expect([bars.t.length, bars.t[0], bars.t.at(-1)]).toEqual([20, to - 20 * seconds, to - seconds]);
      expect(steps(bars)).toEqual(new Set([seconds]));
      expect(await ask(`${path}?symbol=ETHUSDT&resolution=${resolution}&to=${to}&countback=20&${unused}`)).toEqual(
        bars,
      );
    });

    it(`says where an older bar is, and what it does not know ${ids}`, async () => {
      const future = SECONDS + 10 * 86_400;
      const empty = await ask<Bars>(`${path}?symbol=ETHUSDT&from=${future}&to=${future + 600}`);
      expect(empty).toEqual({ s: 'no_data', nextTime: to });
      expect(await ask(`${path}?symbol=NOPE&to=${to}`)).toEqual({ s: 'error', errmsg: 'unknown_symbol' });
    });
  });

  it.each([
    ['history/five-min', 300, 'history', 60, '(T-udf-feed-08)'],
    ['history/four-hour', 14_400, 'history/one-hour', 3_600, '(T-udf-feed-10)'],
  ])('%s adds up the shorter bars inside each of its own: %i s of %s %s', async (path, seconds, shorter, step) => {
    const to = Math.floor(SECONDS / seconds) * seconds;
    const bars = await ask<Bars>(`${path}?symbol=BTCUSDT&to=${to}&countback=6`);
    const parts = await ask<Bars>(`${shorter}?symbol=BTCUSDT&to=${to}&countback=${(6 * seconds) / step}`);
    const inside = (column: number[], index: number) =>
      column.slice((index * seconds) / step, ((index + 1) * seconds) / step);
    for (const [index, time] of bars.t.entries()) {
      expect(inside(parts.t, index)[0]).toBe(time);
      expect([bars.o[index], bars.c[index]]).toEqual([inside(parts.o, index)[0], inside(parts.c, index).at(-1)]);
      expect(bars.h[index]).toBe(Math.max(...inside(parts.h, index)));
      expect(bars.l[index]).toBe(Math.min(...inside(parts.l, index)));
      expect(bars.v[index]).toBeCloseTo(
        inside(parts.v, index).reduce((sum, volume) => sum + volume, 0),
        4,
      );
    }
  });

  it.each(['constructor', '__proto__', 'toString', '7'])('%s is no resolution', async (resolution) => {
    const answer = await ask(`history?symbol=BTCUSDT&resolution=${resolution}&from=0&to=${SECONDS}`);
    expect(answer).toMatchObject({ s: 'error', errmsg: `unsupported resolution ${resolution.slice(0, 10)}` });
    expect(await ask(`marks?symbol=BTCUSDT&resolution=${resolution}&from=0&to=${SECONDS}`)).toBeDefined();
  });

  it('countback wins over from', async () => {
    const bars = await ask<Bars>(
      `history?symbol=BTCUSDT&resolution=60&from=${SECONDS - 7_200}&to=${SECONDS}&countback=100`,
    );
    expect(bars.t).toHaveLength(100);
  });

  it('a truncated answer keeps the newest bars, and history/ticker gives the rest (T-udf-feed-12)', async () => {
    const from = SECONDS - 6 * 86_400;
    const first = await ask<Bars>(`history?symbol=BTCUSDT&resolution=1&from=${from}&to=${SECONDS}`);
    expect(first.t).toHaveLength(5_000);
    expect(first.t.at(-1)).toBe(Math.floor(SECONDS / 60) * 60);
    expect(first.nextTime).toBe(first.t[0]);
    const rest = await ask<Bars>(`history/ticker?symbol=BTCUSDT&resolution=1&from=${from}&to=${first.nextTime}`);
    expect(rest.t.at(-1)).toBe(first.t[0]! - 60);
    expect(rest.t.length + first.t.length).toBe(6 * 1440);
    expect(rest.nextTime).toBeUndefined();
  });

  it('an empty range says no_data and where the next older bar is (T-udf-feed-26, T-udf-feed-28)', async () => {
    const future = SECONDS + 86_400;
    const empty = await ask<Bars>(`history?symbol=BTCUSDT&resolution=1&from=${future}&to=${future + 600}`);
    expect(empty).toEqual({ s: 'no_data', nextTime: Math.floor(SECONDS / 60) * 60 });
    expect(await ask('history?symbol=BTCUSDT&resolution=1D&from=1&to=1000')).toEqual({ s: 'no_data' });
  });

  it('a resolution that is not there is an error with a message (T-udf-feed-25, T-udf-feed-29, T-udf-feed-64)', async () => {
    const answer = await ask<Bars>(`history?symbol=BTCUSDT&resolution=7&from=0&to=${SECONDS}`);
    expect(answer.s).toBe('error');
    expect(answer.errmsg).toContain('7');
  });
});

describe('quotes, marks and time', () => {
  it('quotes answers each symbol on its own (T-udf-feed-13, T-udf-feed-54, T-udf-feed-55)', async () => {
    const answer = await ask<{ s: string; d: { s: string; n: string; v: Record<string, number> }[] }>(
      'quotes?symbols=BTCUSDT,NOPE,ETH',
    );
    expect(answer.s).toBe('ok');
    expect(answer.d.map((entry) => [entry.n, entry.s])).toEqual([
      ['BTCUSDT', 'ok'],
      ['NOPE', 'error'],
      ['ETH', 'ok'],
    ]);
    expect(answer.d[0]!.v).toMatchObject({ lp: 91_250, volume_quote: expect.any(Number) });
    expect(answer.d[0]!.v.high_price).toBeGreaterThanOrEqual(91_250);
  });

  it('marks show the highest and the lowest bar (T-udf-feed-14, T-udf-feed-56..62)', async () => {
    const range = `symbol=BTCUSDT&resolution=60&from=${SECONDS - 86_400}&to=${SECONDS}`;
    const marks = await ask<Record<string, unknown>[]>(`marks?${range}`);
    expect(marks).toHaveLength(2);
    for (const mark of marks) {
      expect(Object.keys(mark).sort()).toEqual(['color', 'id', 'imageUrl', 'label', 'text', 'time', 'tooltip']);
    }
    const bars = await ask<Bars>(`history?${range}`);
    expect(marks[0]!.time).toBe(bars.t[bars.h.indexOf(Math.max(...bars.h))]);
  });

  it('timescale_marks show when the pair began to trade here (T-udf-feed-15)', async () => {
    const marks = await ask<{ time: number }[]>(
      `timescale_marks?symbol=BTCUSDT&resolution=1D&from=${SECONDS - 86_400}&to=${SECONDS}`,
    );
    const text = 'BTC-USDT began to trade here';
    const time = Math.floor(SECONDS / 60) * 60;
    expect(marks).toEqual([{ id: 'listed', time, color: 'blue', text, label: 'N', tooltip: [text], imageUrl: '' }]);
  });

  it('time is the server time in seconds (T-udf-feed-16)', async () => {
    expect(await ask<number>('time')).toBe(Math.floor(SECONDS));
  });
});
