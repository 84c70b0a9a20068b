import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { until } from '../../../test/until.ts';
import { createMarketData } from '../market-data/service.ts';
import { createMarketDataStore } from '../market-data/store.ts';
import { startTestExchange, type TestExchange } from '../market-data/test-exchange.ts';
import { createLiquidity, createOkxHistory, createOkxReference } from './service.ts';
import { TestFeed } from './test-feed.ts';

let source: TestFeed;
let outside: TestExchange;

beforeAll(async () => {
  source = await TestFeed.start(912_000, 'simulated');
  outside = source.exchange;
});

/** Each test begins with a feed that works, whatever the one before left. */
beforeEach(async () => {
  source.goOn();
  await source.die();
  source.comeBack();
  await source.quote(912_000);
});

afterAll(() => source.stop());

const reference = (staleMs: number) =>
  createOkxReference({
    catalogue: outside.catalogue,
    ...source.urls,
    clock: outside.clock,
    logger: outside.logger,
    staleMs,
  });

it('reads prices by REST, follows them by websocket, and comes back after the feed was gone', async () => {
  const feed = reference(600);
  await feed.start();
  expect(feed.price(0)).toBe(912_000);
  expect(feed.price(1)).toBe(302_140);
  await source.quote(913_000);
  await until(() => feed.price(0) === 913_000, 'the new price');
  await source.die();
  await until(() => feed.price(0) === undefined, 'a stale feed is not believed');
  expect(feed.isFresh()).toBe(false);
  source.comeBack();
  await until(() => feed.price(0) === 913_000, 'the feed came back');
  await feed.close();
});

it('is not believed where the clock is set back, until it speaks again', async () => {
  let back = 0;
  const clock = { now: () => outside.clock.now() - back };
  const { catalogue, logger } = outside;
  const feed = createOkxReference({ catalogue, ...source.urls, clock, logger, staleMs: 60_000 });
  await feed.start();
  expect([feed.price(0), feed.isFresh()]).toEqual([912_000, true]);
  back = 3_600_000;
  expect([feed.price(0), feed.isFresh()]).toEqual([undefined, false]);
  await source.quote(913_000);
  await until(() => feed.price(0) === 913_000, 'the price by the new clock');
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
    lossLimit: undefined,
    onCapital: () => undefined,
    onBandLeft: () => undefined,
  });
  await liquidity.start();
  const best = () => inside.marketData.ticker(0);
  await until(() => liquidity.openQuotes(0) === 44, 'quotes');
  await source.quote(915_000);
  await until(() => (best().bid?.[0] ?? 0) > 914_000 && best().ask![0] > 915_000, 'quotes at the new price');
  await source.die();
  await until(() => liquidity.openQuotes(0) === 0 && best().bid === undefined, 'no quotes');
  source.comeBack();
  await until(() => liquidity.openQuotes(0) === 44, 'quotes again');
  await liquidity.close();
  await inside.stop();
  await inside.source.remove();
});

it('candles of the past come from the outside, and markets unknown there begin empty', async () => {
  const { catalogue, database, engine, clock, logger } = outside;
  const known = createOkxHistory({ catalogue, restUrl: source.urls.restUrl, clock });
  const marketData = createMarketData({
    catalogue,
    view: engine.exchange,
    feed: engine.sequencer,
    store: createMarketDataStore(database),
    clock,
    logger,
    seed: 99,
    past: (market) => (market < 2 ? known(market) : Promise.resolve(undefined)),
  });
  await marketData.start();
  await until(() => marketData.candles(1, '1D', { limit: 200 }).length === 200, 'the past of the second market');
  for (const frame of ['1m', '1H', '1D'] as const) {
    const bars = marketData.candles(1, frame, { limit: 200 });
    // The prices of elsewhere; what was traded at them was not traded here.
    const elsewhere = outside.marketData.candles(1, frame, { limit: 200 }).slice(0, -1);
    expect(bars.slice(0, -1)).toEqual(elsewhere.map((bar) => ({ ...bar, volume: 0, turnover: 0 })));
    expect(bars).toHaveLength(200);
  }
  expect(marketData.ticker(1)).toMatchObject({ volume: 0, turnover: 0 });
  expect(marketData.candles(2, '1D', { limit: 200 })).toHaveLength(1);
  await marketData.close();
});

it('a candle of the past is no candle of the future, and nonsense is none', async () => {
  const { catalogue, clock } = outside;
  const minute = Math.floor(clock.now() / 60_000) * 60_000;
  const row = (time: number, close = '5') => [String(time), '5', '5', '5', close, '1', '1', '5', '1'];
  let told: unknown = { code: '0', msg: '', data: [row(minute + 86_400_000_000), row(minute - 60_000)] };
  const feed = createServer((_, answer) => answer.end(JSON.stringify(told))).listen(0, '127.0.0.1');
  await new Promise((resolve) => feed.once('listening', resolve));
  const past = createOkxHistory({
    catalogue,
    restUrl: `http://127.0.0.1:${(feed.address() as AddressInfo).port}`,
    clock,
  });
  const { minutes } = (await past(0))!;
  expect([minutes.length, minutes.timeAt(0)]).toEqual([1, minute - 60_000]);
  told = { code: '51001', data: [], msg: 'Instrument ID does not exist' };
  expect(await past(0)).toBeUndefined();
  for (const close of ['NaN', '-5', '1e400', '', '214748364.8', '999999999999999', '99999999999999999999']) {
    told = { code: '0', msg: '', data: [row(minute, close)] };
    await expect(past(0), close).rejects.toThrow();
  }
  told = { code: '0', msg: '', data: Array(301).fill(row(minute)) };
  await expect(past(0)).rejects.toThrow();
  feed.close();
});

it('does not believe what a feed said before a silence', async () => {
  const feed = reference(600);
  await feed.start();
  await until(() => feed.price(1) === 302_140, 'a market that does not trade');
  source.hang();
  await until(() => feed.price(1) === undefined && !feed.isFresh(), 'a connection that is open and silent');
  expect(feed.last(1)).toMatchObject({ ticks: 302_140 });
  const { at } = feed.last(1)!;
  source.goOn();
  await until(() => feed.price(1) === 302_140, 'the feed speaks');
  expect(feed.last(1)!.at).toBeGreaterThan(at + 600);
  await feed.close();
});
