/** Perpetuals as an unmodified ccxt client reads them, and the channels of the public websocket. */
import ccxt from 'ccxt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { anyKind, makeTestDatabase } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';

const SYMBOL = 'BTC/USDT:USDT';
const HOUR_MS = 3_600_000;

describe('perpetuals in the OKX shape', () => {
  let stage: FuturesStage;
  let client: InstanceType<typeof ccxt.okx>;
  let host: string;

  beforeAll(async () => {
    stage = await FuturesStage.start(anyKind, await makeTestDatabase(anyKind, 'migrated'));
    for (const name of ['alice', 'bob']) await stage.trader(name, 10_000);
    await stage.index(90_000);
    await stage.trade('alice', 'bob', '0.1', '90000');
    await stage.order('bob', 'SELL', '0.2', '90100');
    await stage.order('alice', 'BUY', '0.3', '89900');
    await stage.index(90_000);
    const { http } = stage.server.app;
    await http.listen({ port: 0, host: '127.0.0.1' });
    host = http.listeningOrigin.replace('http://', '');
    client = new ccxt.okx({ enableRateLimit: false });
    client.urls.api = { rest: `http://${host}`, ws: `ws://${host}/ws/v5` };
  });
  afterAll(async () => {
    await stage.server.remove();
  });

  it('are markets of their own, beside those of spot', async () => {
    const markets = await client.fetchMarkets();
    const swaps = markets.filter((market) => market?.swap);
    expect(swaps.length).toBeGreaterThanOrEqual(10);
    const market = swaps.find((one) => one?.symbol === SYMBOL);
    expect(market).toMatchObject({ id: BTC_SWAP, linear: true, contractSize: 1, settle: 'USDT', active: true });
    expect(market).toMatchObject({ precision: { price: 0.1, amount: 0.00001 } });
  });

  it('have tickers, books, trades and candles in coins', async () => {
    const ticker = await client.fetchTicker(SYMBOL);
    expect(ticker).toMatchObject({ last: 90_000, bid: 89_900, ask: 90_100, bidVolume: 0.3 });
    const book = await client.fetchOrderBook(SYMBOL, 5);
    expect(book.asks[0]!.slice(0, 2)).toEqual([90_100, 0.2]);
    expect(await client.fetchTrades(SYMBOL)).toMatchObject([{ price: 90_000, amount: 0.1, side: 'buy' }]);
    expect((await client.fetchOHLCV(SYMBOL, '1m', undefined, 1))[0]![4]).toBe(90_000);
    expect(Object.keys(await client.fetchTickers(undefined, { instType: 'SWAP' }))).toContain(SYMBOL);
  });

  it('have mark, index, open interest and price limits', async () => {
    expect(await client.fetchMarkPrice(SYMBOL)).toMatchObject({ markPrice: 90_000 });
    const index = await client.publicGetMarketIndexTickers({ instId: 'BTC-USDT' });
    expect(index).toMatchObject({ code: '0', data: [{ instId: 'BTC-USDT', idxPx: '90000.0' }] });
    const open = await client.fetchOpenInterest(SYMBOL);
    expect(open).toMatchObject({ openInterestAmount: 0.1, openInterestValue: 9_000 });
    const limit = await client.publicGetPublicPriceLimit({ instId: BTC_SWAP });
    expect(limit.data).toMatchObject([{ buyLmt: '99000.0', sellLmt: '81000.0' }]);
  });

  it('have risk tiers, ascending by value', async () => {
    const tiers = await client.fetchMarketLeverageTiers(SYMBOL);
    expect(tiers.length).toBeGreaterThan(1);
    expect(tiers[0]).toMatchObject({ tier: 1, minNotional: 0 });
    expect(tiers[1]!.minNotional).toBe(tiers[0]!.maxNotional);
    expect(tiers[1]!.maxLeverage).toBeLessThanOrEqual(tiers[0]!.maxLeverage!);
  });

  it('have a funding rate, and a history once an interval has ended', async () => {
    const rate = await client.fetchFundingRate(SYMBOL);
    expect(rate).toMatchObject({ symbol: SYMBOL, interval: '8h' });
    expect(rate.fundingTimestamp! % (8 * HOUR_MS)).toBe(0);
    expect(await client.fetchFundingRateHistory(SYMBOL)).toEqual([]);
    stage.server.advance(rate.fundingTimestamp! - stage.server.now() + 1_000);
    await stage.index(90_000);
    const history = await client.fetchFundingRateHistory(SYMBOL);
    expect(history).toMatchObject([{ symbol: SYMBOL, fundingRate: 0.0001 }]);
    expect(history[0]!.timestamp).toBeGreaterThanOrEqual(rate.fundingTimestamp!);
    expect((await client.fetchFundingRate(SYMBOL)).fundingTimestamp).toBe(rate.fundingTimestamp! + 8 * HOUR_MS);
  });

  it('say mark, index, funding and open interest at once and at each new index', async () => {
    const socket = new WebSocket(`ws://${host}/ws/v5/public`);
    const heard: { arg: { channel: string }; data?: Record<string, string>[]; event?: string }[] = [];
    socket.on('message', (data) => heard.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('open', resolve));
    const args = [
      ...['mark-price', 'funding-rate', 'open-interest'].map((channel) => ({ channel, instId: BTC_SWAP })),
      { channel: 'index-tickers', instId: 'BTC-USDT' },
    ];
    socket.send(JSON.stringify({ op: 'subscribe', args }));
    const rowsOf = (channel: string) => heard.filter(({ arg, data }) => data && arg.channel === channel);
    await expect.poll(() => args.every(({ channel }) => rowsOf(channel).length === 1)).toBe(true);
    expect(rowsOf('open-interest')[0]!.data).toMatchObject([{ oi: '0.10000', oiUsd: '9000.00000000' }]);
    await stage.index(89_950);
    await expect.poll(() => rowsOf('index-tickers').at(-1)?.data?.[0]?.idxPx).toBe('89950.0');
    await expect.poll(() => rowsOf('mark-price').length).toBe(2);
    socket.send(JSON.stringify({ op: 'subscribe', args: [{ channel: 'mark-price', instId: 'BTC-USDT' }] }));
    await expect.poll(() => heard.at(-1)).toMatchObject({ event: 'error', code: '60018' });
    socket.close();
  });

  it('have candles of mark and index, without bars while the index is lost, and push them', async () => {
    const socket = new WebSocket(`ws://${host}/ws/v5/business`);
    const heard: { arg: { channel: string }; data?: string[][] }[] = [];
    socket.on('message', (data) => heard.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('open', resolve));
    const rowOf = (channel: string) => heard.filter(({ arg, data }) => data && arg.channel === channel).at(-1)?.data;
    const args = [
      { channel: 'mark-price-candle1m', instId: BTC_SWAP },
      { channel: 'index-candle1H', instId: 'BTC-USDT' },
    ];
    stage.server.advance(60_000 - (stage.server.now() % 60_000));
    const first = stage.server.now();
    for (const price of [90_000, 90_050, 89_970]) await stage.index(price);
    socket.send(JSON.stringify({ op: 'subscribe', args }));
    await expect.poll(() => rowOf('index-candle1H')?.at(-1)?.[4]).toBe('89970.0');
    await stage.submit({ kind: 'set-index-price', market: stage.market, price: 0 });
    stage.server.advance(3 * 60_000);
    await stage.submit({ kind: 'set-index-price', market: stage.market, price: 0 });
    stage.server.advance(60_000);
    await stage.index(90_020);
    const index = await client.fetchIndexOHLCV(SYMBOL, '1m', undefined, 2);
    expect(index.map((bar) => bar.slice(0, 5))).toEqual([
      [first, 90_000, 90_050, 89_970, 89_970],
      [first + 4 * 60_000, 90_020, 90_020, 90_020, 90_020],
    ]);
    const mark = await client.fetchMarkOHLCV(SYMBOL, '1m', undefined, 2);
    expect(mark.map(([time]) => time)).toEqual([first, first + 4 * 60_000]);
    expect(mark[1]![4]).toBe((await client.fetchMarkPrice(SYMBOL)).markPrice);
    await expect
      .poll(() => rowOf('mark-price-candle1m')?.map((row) => [row[0], row[5]]))
      .toEqual([
        [String(first), '1'],
        [String(first + 4 * 60_000), '0'],
      ]);
    socket.close();
    const unknown = await client.publicGetMarketIndexCandles({ instId: BTC_SWAP }).catch((error: Error) => error);
    expect(unknown).toMatchObject({ name: 'BadSymbol' });
  });

  it('are watched by an unmodified ccxt client: marks, funding rates, books and trades', async () => {
    const watcher = new ccxt.pro.okx({ enableRateLimit: false });
    watcher.urls.api = { rest: `http://${host}`, ws: `ws://${host}/ws/v5` };
    await watcher.loadHttpProxyAgent();
    await watcher.loadMarkets();
    const [mark, rate, book] = await Promise.all([
      watcher.watchMarkPrice(SYMBOL),
      watcher.watchFundingRate(SYMBOL),
      watcher.watchOrderBook(SYMBOL),
    ]);
    expect(mark.markPrice).toBeGreaterThan(89_000);
    expect(rate).toMatchObject({ symbol: SYMBOL, fundingRate: 0.0001 });
    expect(book.bids[0]!.slice(0, 2)).toEqual([89_900, 0.3]);
    const trades = watcher.watchTrades(SYMBOL);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await stage.order('alice', 'BUY', '0.05', '90100');
    expect(await trades).toMatchObject([{ price: 90_100, amount: 0.05, side: 'buy' }]);
    await watcher.close();
  });
});
