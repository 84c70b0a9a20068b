import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';
import { barsOf, MINUTE_MS } from './frames.ts';
import { PriceSeries } from './price-series.ts';
import { type Frame, frames } from './service.ts';

describe.each(databaseKinds)('candles of mark and index (%s)', (kind) => {
  let stage: FuturesStage;
  beforeEach(async () => {
    stage = await FuturesStage.start(kind, await makeTestDatabase(kind, 'migrated'));
  });
  afterEach(() => stage.server.remove());

  async function candles(call: string, instId: string, bar: Frame): Promise<string[][]> {
    const url = `/api/v5/market/${call}-candles?instId=${instId}&bar=${bar}`;
    const rows: string[][] = (await stage.server.call({ method: 'GET', url })).body.data!;
    // Without whether it is closed: after a restart the clock of the test begins anew.
    return rows.map((row) => row.slice(0, 5));
  }
  const shown = () =>
    Promise.all(
      frames.flatMap((frame) => [candles('mark-price', BTC_SWAP, frame), candles('index', 'BTC-USDT', frame)]),
    );

  it('are the same after a restart, and go on in the minute that was begun', async () => {
    stage.server.advance(86_400_000 - (stage.server.now() % 86_400_000) - 2 * MINUTE_MS);
    for (const price of [90_000, 90_100, 89_900]) {
      await stage.index(price);
      await stage.index(price + 20);
      stage.server.advance(MINUTE_MS);
    }
    const now = stage.server.now();
    const before = await shown();
    expect((await candles('index', 'BTC-USDT', '1m')).map(([, open, , , close]) => [open, close])).toEqual([
      ['89900.0', '89920.0'],
      ['90100.0', '90120.0'],
      ['90000.0', '90020.0'],
    ]);
    stage = await stage.restart(kind);
    expect(await shown()).toEqual(before);
    stage.server.advance(now - MINUTE_MS / 2 - stage.server.now());
    await stage.index(89_950);
    const minutes = await candles('index', 'BTC-USDT', '1m');
    expect(minutes).toHaveLength(3);
    expect(minutes[0]!.slice(1, 5)).toEqual(['89900.0', '89950.0', '89900.0', '89950.0']);
  });

  it('are bars of the chart feed, which have no volume', async () => {
    // In the middle of a minute, whenever the test runs.
    stage.server.advance(2 * MINUTE_MS - (stage.server.now() % MINUTE_MS) + MINUTE_MS / 2);
    await stage.index(90_000);
    await stage.index(90_020);
    const to = Math.ceil(stage.server.now() / 1_000) + 60;
    const feed = async (symbol: string, price: string) => {
      const query = new URLSearchParams({ symbol, resolution: '1', from: '0', to: String(to), countback: '1', price });
      return (await stage.server.call({ method: 'GET', url: `/api/v3/history/ticker?${query}` })).body;
    };
    const minute = (stage.server.now() - (stage.server.now() % MINUTE_MS)) / 1_000;
    const index = { s: 'ok', t: [minute], o: [90_000], h: [90_020], l: [90_000], c: [90_020], v: [0] };
    expect(await feed(BTC_SWAP, 'index')).toMatchObject(index);
    const [open, high, low, close] = (await candles('mark-price', BTC_SWAP, '1m'))[0]!.slice(1).map(Number);
    expect(await feed(BTC_SWAP, 'mark')).toMatchObject({
      t: [minute],
      o: [open],
      h: [high],
      l: [low],
      c: [close],
      v: [0],
    });
    const refused = { s: 'error', errmsg: 'price is last, and for a perpetual mark or index' };
    expect(await feed('BTC-USDT', 'index')).toMatchObject(refused);
    expect(await feed(BTC_SWAP, 'fair')).toMatchObject(refused);
  });
});

it('a series forgets its oldest bars and shows no candle of which a part is forgotten', () => {
  const series = new PriceSeries(MINUTE_MS, 100);
  for (let minute = 0; minute < 108; minute += 1) series.observe(minute * MINUTE_MS, minute + 1);
  expect(series.length).toBe(83);
  expect(series.timeAt(0)).toBe(25 * MINUTE_MS);
  const bars = barsOf(series, '15m', { limit: 10 });
  expect(bars.map(({ time, open, close }) => [time / MINUTE_MS, open, close])).toEqual([
    [30, 31, 45],
    [45, 46, 60],
    [60, 61, 75],
    [75, 76, 90],
    [90, 91, 105],
    [105, 106, 108],
  ]);
});
