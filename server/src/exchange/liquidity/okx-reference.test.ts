import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../../test/until.ts';
import { createMarketData } from '../market-data/service.ts';
import { createMarketDataStore } from '../market-data/store.ts';
import { noOrders, openAuthority, startTestExchange, type TestExchange } from '../market-data/test-exchange.ts';
import { Streams } from '../streams/service.ts';
import { createLiquidity, createOkxHistory, createOkxReference } from './service.ts';

/** The exchange that plays the outside feed: our own endpoints speak the same protocol. */
let outside: TestExchange;
let streams: Streams;
let host: string;

function openStreams(): Streams {
  const opened = new Streams({
    catalogue: outside.catalogue,
    marketData: outside.marketData,
    feed: outside.engine.sequencer,
    view: outside.engine.exchange,
    views: outside.engine.views,
    authority: openAuthority,
    orders: noOrders,
    clock: outside.clock,
    logger: outside.logger,
  });
  outside.http.server.removeAllListeners('upgrade');
  opened.attach(outside.http.server);
  return opened;
}

beforeEach(async () => {
  outside = await startTestExchange();
  streams = openStreams();
  await outside.fund(1000, 'USDT', 10n ** 17n);
  await outside.fund(1000, 'BTC', 10n ** 13n);
  await quoteOutside(912_000);
  host = await outside.listen();
});

afterEach(async () => {
  await streams.close();
  await outside.stop();
  await outside.source.remove();
});

/** Moves the outside price: one bid and one ask, ten ticks around. */
async function quoteOutside(price: number): Promise<void> {
  for (const { orderId } of outside.engine.exchange.openOrdersOf(1000)) {
    await outside.engine.sequencer.submit({ kind: 'cancel-order', owner: 1000, orderId });
  }
  await outside.place(1000, 0, BUY, price - 10, 100_000);
  await outside.place(1000, 0, SELL, price + 10, 100_000);
}

const reference = (staleMs: number) =>
  createOkxReference({
    catalogue: outside.catalogue,
    restUrl: `http://${host}`,
    webSocketUrl: `ws://${host}/ws/v5`,
    clock: outside.clock,
    logger: outside.logger,
    staleMs,
  });

it('reads prices by REST, follows them by websocket, and comes back after the feed was gone', async () => {
  const feed = reference(600);
  await feed.start();
  expect(feed.price(0)).toBe(912_000);
  expect(feed.price(1)).toBe(302_140);
  await quoteOutside(913_000);
  await until(() => feed.price(0) === 913_000, 'the new price');
  await streams.close();
  outside.http.server.removeAllListeners('upgrade');
  await until(() => feed.price(0) === undefined, 'a stale feed is not believed');
  expect(feed.isStale()).toBe(true);
  streams = openStreams();
  await until(() => feed.price(0) === 913_000, 'the feed came back');
  await feed.close();
});

it('the market maker follows the outside price, and pulls its quotes while the feed is stale', async () => {
  const inside = await startTestExchange();
  const feed = reference(600);
  const liquidity = createLiquidity({
    sequencer: inside.engine.sequencer,
    feed: inside.engine.sequencer,
    view: inside.engine.exchange,
    catalogue: inside.catalogue,
    marketData: inside.marketData,
    reference: feed,
    clock: inside.clock,
    logger: inside.logger,
    seed: 3,
    takes: false,
    insured: 0n,
  });
  await liquidity.start();
  const best = () => inside.marketData.ticker(0);
  await until(() => liquidity.openQuotes(0) === 44, 'quotes');
  await quoteOutside(915_000);
  await until(() => (best().bid?.[0] ?? 0) > 914_000 && best().ask![0] > 915_000, 'quotes at the new price');
  await streams.close();
  outside.http.server.removeAllListeners('upgrade');
  await until(() => liquidity.openQuotes(0) === 0 && best().bid === undefined, 'no quotes');
  streams = openStreams();
  await until(() => liquidity.openQuotes(0) === 44, 'quotes again');
  await liquidity.close();
  await inside.stop();
  await inside.source.remove();
});

it('candles of the past come from the outside, and markets unknown there begin empty', async () => {
  const { catalogue, database, engine, clock, logger } = outside;
  const known = createOkxHistory({ catalogue, restUrl: `http://${host}`, logger });
  const marketData = createMarketData({
    catalogue,
    view: engine.exchange,
    feed: engine.sequencer,
    store: createMarketDataStore(database),
    clock,
    logger,
    seed: 99,
    externalHistory: (market) => (market < 2 ? known(market) : Promise.resolve(undefined)),
  });
  await marketData.start();
  for (const frame of ['1m', '1H', '1D'] as const) {
    const bars = marketData.candles(1, frame, { limit: 200 });
    expect(bars.slice(0, -1)).toEqual(outside.marketData.candles(1, frame, { limit: 200 }).slice(0, -1));
    expect(bars).toHaveLength(200);
  }
  expect(marketData.candles(2, '1D', { limit: 200 })).toHaveLength(1);
  await marketData.close();
});
