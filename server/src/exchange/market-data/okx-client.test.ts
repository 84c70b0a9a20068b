import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import ccxt from 'ccxt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestExchange, type TestExchange } from './test-exchange.ts';

let exchange: TestExchange;
let client: InstanceType<typeof ccxt.okx>;

beforeAll(async () => {
  exchange = await startTestExchange(Date, 'simulated');
  await exchange.fund(1000, 'USDT', 10n ** 17n);
  await exchange.fund(1001, 'BTC', 10n ** 12n);
  await exchange.place(1000, 0, BUY, 912_000, 50_000);
  await exchange.place(1000, 0, BUY, 911_990, 10_000);
  await exchange.place(1001, 0, SELL, 912_010, 70_000);
  await exchange.place(1001, 0, SELL, 912_000, 20_000);
  const host = await exchange.listen();
  client = new ccxt.okx({ enableRateLimit: false });
  client.urls.api = { rest: `http://${host}`, ws: `ws://${host}/ws/v5` };
});

afterAll(async () => {
  await exchange.stop();
  await exchange.source.remove();
});

it('an unmodified ccxt client reads markets, tickers and status', async () => {
  const markets = await client.fetchMarkets();
  expect(markets.filter((market) => market?.spot)).toHaveLength(35);
  const btc = markets.find((market) => market?.symbol === 'BTC/USDT');
  expect(btc).toMatchObject({ spot: true, active: true, precision: { price: 0.1, amount: 0.00001 } });
  const ticker = await client.fetchTicker('BTC/USDT');
  expect(ticker).toMatchObject({ last: 91_200, bid: 91_200, ask: 91_201, bidVolume: 0.3 });
  expect(ticker.quoteVolume).toBeGreaterThan(1e6);
  expect(Object.keys(await client.fetchTickers())).toHaveLength(35);
  expect(Math.abs((await client.fetchTime())! - Date.now())).toBeLessThan(5_000);
  expect((await client.fetchStatus()).status).toBe('ok');
});

it('a coin in dollars, as wallets ask for it, has the figures of its spot market (T-external-feed-01)', async () => {
  const spot = (await exchange.get('/api/v5/market/ticker?instId=BTC-USDT')).data as Record<string, string>[];
  const asked = await exchange.get('/api/v5/market/ticker?instId=BTC-USD-SWAP');
  expect(asked).toMatchObject({ code: '0', data: [{ instId: 'BTC-USD-SWAP', instType: 'SWAP', last: '91200.0' }] });
  const { vol24h, volCcy24h } = spot[0]!;
  expect(asked.data).toMatchObject([{ vol24h, volCcy24h }]);
  expect(Number(vol24h)).toBeGreaterThan(0);
  expect(await exchange.get('/api/v5/market/ticker?instId=NO-USD-SWAP')).toMatchObject({ code: '51001', data: [] });
});

it('ccxt reads the book and the latest trades with side, size and time (T-external-feed-03)', async () => {
  const book = await client.fetchOrderBook('BTC/USDT', 10);
  const sizes = (levels: unknown[][]) => levels.map((level) => level.slice(0, 2));
  expect(sizes(book.bids as unknown[][])).toEqual([
    [91_200, 0.3],
    [91_199, 0.1],
  ]);
  expect(sizes(book.asks as unknown[][])).toEqual([[91_201, 0.7]]);
  expect((await client.fetchOrderBook('BTC/USDT', 1000)).asks).toHaveLength(1);
  const trades = await client.fetchTrades('BTC/USDT');
  expect(trades).toHaveLength(1);
  expect(trades[0]).toMatchObject({ side: 'sell', price: 91_200, amount: 0.2 });
  expect(Math.abs(trades[0]!.timestamp! - Date.now())).toBeLessThan(60_000);
});

it('ccxt reads candles of every length, and older pages of them', async () => {
  for (const timeframe of ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d', '1w', '1M']) {
    const bars = await client.fetchOHLCV('BTC/USDT', timeframe, undefined, 30);
    expect(bars, timeframe).toHaveLength(30);
    expect(bars.at(-1)![4]).toBe(91_200);
    const starts = bars.map(([time]) => time!);
    const lengths = new Set(starts.slice(1).map((time, index) => time - starts[index]!));
    // Months differ; all other candles of a length follow each other without a gap.
    if (timeframe !== '1M') expect([...lengths]).toEqual([client.parseTimeframe(timeframe) * 1_000]);
  }
  const since = Date.now() - 3 * 3_600_000;
  const bars = await client.fetchOHLCV('BTC/USDT', '1m', since, 20);
  expect(bars[0]![0]).toBeGreaterThanOrEqual(since);
  expect(bars.length).toBeLessThanOrEqual(20);
});

it('refuses in the OKX way', async () => {
  expect(await exchange.get('/api/v5/market/ticker?instId=NO-USDT')).toMatchObject({ code: '51001', data: [] });
  expect(await exchange.get('/api/v5/market/books')).toMatchObject({ code: '50014' });
  expect(await exchange.get('/api/v5/market/books?instId=BTC-USDT&sz=-1')).toMatchObject({ code: '51000' });
  expect(await exchange.get('/api/v5/market/trades?instId=A&instId=B')).toMatchObject({ code: '50014' });
  expect(await exchange.get('/api/v5/public/instruments?instType=OPTION')).toEqual({ code: '0', msg: '', data: [] });
});

it('refuses a place in a list that it cannot read, instead of beginning anew', async () => {
  const refused = (name: string) => ({ code: '51000', msg: `Parameter ${name} error`, data: [] });
  for (const path of ['candles', 'history-candles', 'history-trades']) {
    for (const name of ['after', 'before']) {
      const url = `/api/v5/market/${path}?instId=BTC-USDT&${name}=`;
      expect(await exchange.get(`${url}yesterday`)).toEqual(refused(name));
      expect(await exchange.get(url)).toMatchObject({ code: '0' });
    }
  }
});

it('has every trade by pages back to the first, also while others trade', async () => {
  const page = async (query: string) =>
    (await exchange.get(`/api/v5/market/history-trades?instId=BTC-USDT&${query}`)) as {
      code: string;
      data: { tradeId: string; ts: string; sz: string }[];
    };
  for (let at = 0; at < 24; at += 1) await exchange.place(1001, 0, SELL, 912_000, 100 + at);
  const found: { tradeId: string; sz: string }[] = [];
  for (let after = ''; ; ) {
    const { data } = await page(`limit=7${after && `&after=${after}`}`);
    found.push(...data);
    if (data.length === 0) break;
    after = data.at(-1)!.tradeId;
    await exchange.place(1001, 0, SELL, 912_000, 50);
  }
  const ids = found.map(({ tradeId }) => Number(tradeId));
  expect(ids).toEqual([...new Set(ids)].sort((one, other) => other - one));
  expect(found).toHaveLength(25);
  expect(found.at(-1)).toMatchObject({ sz: '0.20000' });
  const newer = await page(`before=${ids[0]}`);
  expect(newer.data.every(({ tradeId, sz }) => Number(tradeId) > ids[0]! && sz === '0.00050')).toBe(true);
  expect(newer.data).toHaveLength(4);
  const latest = (await exchange.get('/api/v5/market/trades?instId=BTC-USDT')) as { data: unknown[] };
  expect((await page('limit=100')).data).toEqual(latest.data);
  expect(await page('type=2')).toMatchObject({ code: '51000', msg: 'Parameter type error' });
  expect(await page('limit=0')).toMatchObject({ code: '51000' });
});

it('lists only the family that is asked for', async () => {
  const rows = async (url: string) => ((await exchange.get(url)) as { data: { instId: string }[] }).data;
  for (const name of ['instFamily', 'uly']) {
    for (const path of ['public/instruments', 'market/tickers']) {
      const found = await rows(`/api/v5/${path}?instType=SWAP&${name}=ETH-USDT`);
      expect(found.map(({ instId }) => instId)).toEqual(['ETH-USDT-SWAP']);
      expect(await rows(`/api/v5/${path}?instType=SWAP&${name}=NO-USDT`)).toEqual([]);
    }
  }
});
