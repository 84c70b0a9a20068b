import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import { afterEach, expect, it } from 'vitest';
import type { Bar } from './bar-series.ts';
import { startOn, startTestExchange, type TestExchange } from './test-exchange.ts';

let cleanup: (() => Promise<void>) | undefined;

afterEach(async () => {
  await cleanup?.();
  cleanup = undefined;
});

const START = Date.UTC(2026, 5, 3, 11, 58, 30);

async function trade(exchange: TestExchange, price: number, quantity: number): Promise<void> {
  await exchange.place(1001, 0, SELL, price, quantity);
  await exchange.place(1000, 0, BUY, price, quantity);
}

async function funded(clock: { now(): number }, past?: 'simulated'): Promise<TestExchange> {
  const exchange = await startTestExchange(clock, past);
  await exchange.fund(1000, 'USDT', 10n ** 17n);
  await exchange.fund(1001, 'BTC', 10n ** 13n);
  return exchange;
}

/** The next start after a kill: neither the last bars nor the checkpoint are written. */
async function kill(exchange: TestExchange, clock: { now(): number }, past?: 'simulated'): Promise<TestExchange> {
  await exchange.engine.projector.caughtUp();
  await exchange.http.close();
  await exchange.engine.close();
  await exchange.database.close();
  return startOn(await exchange.source.open(), exchange.source, clock, past);
}

/** What a chart shows of the minutes since the start. */
function shown({ marketData }: TestExchange): Bar[][] {
  return (['1m', '5m', '1H', '1D'] as const).map((frame) => marketData.candles(0, frame, { limit: 8 }));
}

it('after a kill the candles are the same: nothing lost, nothing counted twice', async () => {
  let now = START;
  const clock = { now: () => now };
  const first = await funded(clock, 'simulated');
  await trade(first, 912_500, 100);
  now += 40_000;
  await trade(first, 912_900, 50);
  await first.marketData.flush();
  await trade(first, 911_800, 25);
  now += 60_000;
  await trade(first, 912_000, 10);
  const before = shown(first);
  const trades = first.marketData.trades(0, 10);
  const second = await kill(first, clock, 'simulated');
  cleanup = async () => {
    await second.stop();
    await first.source.remove();
  };
  expect(shown(second)).toEqual(before);
  expect(second.marketData.trades(0, 10)).toEqual(trades);
  expect(second.marketData.day(0)).toMatchObject({ last: '91200.0' });
  const live = second.marketData.candles(0, '1m', { limit: 3 });
  expect(live.map((bar) => bar.volume).slice(1)).toEqual([75, 10]);
});

it('trades that a start had to count again are in the bars that are written after it, and so survive the next kill', async () => {
  let now = START;
  const clock = { now: () => now };
  const first = await funded(clock);
  await trade(first, 912_500, 100);
  await first.marketData.flush();
  // What is traded from here on is in no bar that was written.
  await trade(first, 911_800, 25);
  now += 60_000;
  const second = await kill(first, clock);
  await trade(second, 912_000, 10);
  await second.marketData.flush();
  const before = shown(second);
  const third = await kill(second, clock);
  cleanup = async () => {
    await third.stop();
    await first.source.remove();
  };
  expect(before[0]?.map(({ volume }) => volume).slice(-2)).toEqual([125, 10]);
  expect(shown(third)).toEqual(before);
});

it('a told price is in the bars that were written, and the last one comes back from the state where none were', async () => {
  let now = START;
  const clock = { now: () => now };
  const tell = async ({ engine }: TestExchange, price: number) => {
    const { outcome } = await engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price });
    expect(outcome).toEqual({ ok: true });
  };
  const first = await funded(clock);
  await trade(first, 912_500, 100);
  now += 60_000;
  await tell(first, 913_700);
  await tell(first, 911_100);
  await first.marketData.flush();
  now += 60_000;
  await tell(first, 914_200);
  const before = shown(first);
  expect(before[0]!.slice(-2)).toMatchObject([
    { open: 913_700, high: 913_700, low: 911_100, close: 911_100, volume: 0 },
    { open: 914_200, close: 914_200, volume: 0 },
  ]);
  expect(first.marketData.trades(0, 10)).toHaveLength(1);
  const second = await kill(first, clock);
  cleanup = async () => {
    await second.stop();
    await first.source.remove();
  };
  expect(shown(second)).toEqual(before);
  expect(second.engine.exchange.marketState(0)).toMatchObject({ lastPrice: 914_200, traded: true });
  const rows = await second.database.query('SELECT last_price, traded FROM market_states WHERE market = 0');
  expect(rows).toEqual([{ last_price: 914_200, traded: true }]);
});

it('hours without a trade are flat at the last close, also across a restart', async () => {
  let now = START;
  const clock = { now: () => now };
  const first = await funded(clock);
  await trade(first, 912_900, 50);
  await first.stop();
  now += 3 * 3_600_000;
  const second = await startOn(await first.source.open(), first.source, clock);
  cleanup = async () => {
    await second.stop();
    await first.source.remove();
  };
  const bars = second.marketData.candles(0, '1H', { limit: 3 });
  expect(bars.map((bar) => [bar.open, bar.close, bar.volume])).toEqual([
    [912_900, 912_900, 0],
    [912_900, 912_900, 0],
    [912_900, 912_900, 0],
  ]);
});

it('bars are kept also where the clock leaps over more than a series holds before they are written', async () => {
  let now = START;
  const clock = { now: () => now };
  const first = await funded(clock);
  await trade(first, 912_900, 50);
  now += 20 * 86_400_000;
  await trade(first, 913_000, 7);
  await first.stop();
  const second = await startOn(await first.source.open(), first.source, clock);
  cleanup = async () => {
    await second.stop();
    await first.source.remove();
  };
  const [kept] = await second.database.query<{ last_trade: number }>('SELECT last_trade FROM bar_checkpoint');
  expect(kept).toEqual({ last_trade: 2 });
  expect(second.marketData.candles(0, '1m', { limit: 1 })).toMatchObject([{ close: 913_000, volume: 7 }]);
});

it('the 24-hour figures forget what is older than a day', async () => {
  let now = START;
  const clock = { now: () => now };
  const exchange = await funded(clock);
  cleanup = async () => {
    await exchange.stop();
    await exchange.source.remove();
  };
  await trade(exchange, 990_000, 100);
  expect(exchange.marketData.day(0).high).toBe('99000.0');
  now += 12 * 3_600_000;
  await trade(exchange, 950_000, 7);
  now += 13 * 3_600_000;
  const day = exchange.marketData.ticker(0);
  expect(day).toMatchObject({ open: 990_000, volume: 7, turnover: 7 * 950_000, last: 950_000 });
  expect(day.high).toBe(990_000);
  now += 12 * 3_600_000;
  expect(exchange.marketData.ticker(0)).toMatchObject({ open: 950_000, high: 950_000, low: 950_000, volume: 0 });
});

it('an amended order leaves no trace at its old price, even when it is from before the restart', async () => {
  const clock = { now: () => START };
  const first = await funded(clock);
  const orderId = await first.place(1000, 0, BUY, 900_000, 30);
  await first.stop();
  const second = await startOn(await first.source.open(), first.source, clock);
  cleanup = async () => {
    await second.stop();
    await first.source.remove();
  };
  expect(second.marketData.book(0, 5).bids).toEqual([[900_000, 30, 1]]);
  const amend = (price: number) =>
    second.engine.sequencer.submit({ kind: 'amend-order', owner: 1000, orderId, price, quantity: 30 });
  await amend(901_000);
  expect(second.marketData.book(0, 5).bids).toEqual([[901_000, 30, 1]]);
  await amend(902_000);
  expect(second.marketData.book(0, 5).bids).toEqual([[902_000, 30, 1]]);
});
