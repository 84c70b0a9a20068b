/** Prices that the market maker tells where nothing is traded, and what it does not do: trade with itself. */
import { accountKey, Bucket, HOUSE_MAKER, HOUSE_TAKER, Wallet } from '@cambist/core/ledger/account.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import { afterEach, expect, it } from 'vitest';
import type { TestExchange } from '../market-data/test-exchange.ts';
import { BAND_PAUSE_MS } from './teller.ts';
import { closeAll, fixedReference, house, open, outside } from './test-house.ts';

afterEach(closeAll);

const CLIENT = 1_000;

/** Sells so many lots of BTC at market once its last price is no more than this. */
async function stopAt({ engine, fund }: TestExchange, trigger: number, quantity: number): Promise<void> {
  await fund(CLIENT, 'BTC', 10n ** 10n);
  const { outcome } = await engine.sequencer.submit({
    ...{ kind: 'place-conditional-order', owner: CLIENT, market: 0, side: SELL, source: 'last', timeInForce: 'GTC' },
    ...{ takeProfit: undefined, stop: { trigger, price: 0 }, trailing: undefined, quantity, quoteTotal: 0n },
    selfTrade: 'CANCEL_NEWEST',
  });
  expect(outcome).toEqual({ ok: true });
}

it('moves the last price, its candle and what waits for it, and trades nothing with itself', async () => {
  const exchange = await open();
  const { engine, marketData, catalogue, clock } = exchange;
  const begun = clock.now() - (clock.now() % 60_000);
  const prices = new Map([[0, 912_500]]);
  const liquidity = await house(exchange, fixedReference(prices), false);
  await liquidity.until(() => liquidity.openQuotes(0) === 44, 'the ladder');
  await liquidity.until(() => marketData.lastPrice(0) === 912_500, 'the price of now');
  await stopAt(exchange, 910_000, 100);
  prices.set(0, 905_000);
  await liquidity.until(() => engine.exchange.untriggeredOrderCount() === 0, 'the stop');
  await liquidity.until(() => marketData.trades(0, 5).length > 0, 'its trades');
  const trades = marketData.trades(0, 50);
  expect(trades.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(100);
  expect(Math.max(...trades.map(({ price }) => price))).toBeLessThan(905_000);
  prices.set(0, 920_000);
  await liquidity.until(() => marketData.lastPrice(0) === 920_000, 'a price that was not traded');
  const minutes = marketData.candles(0, '1m', { limit: 3 }).filter(({ time }) => time >= begun);
  expect(minutes.at(-1)).toMatchObject({ high: 920_000, close: 920_000 });
  expect(minutes.reduce((sum, { volume }) => sum + volume, 0)).toBe(100);
  expect(marketData.trades(0, 50)).toHaveLength(trades.length);
  // It has one account.
  const usdt = catalogue.assetByCode('USDT')!.id;
  const capital = (owner: number) => engine.exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, usdt));
  expect([capital(HOUSE_MAKER) > 0n, capital(HOUSE_TAKER)]).toEqual([true, 0n]);
});

it('says nothing while the price stays where it would be traded', async () => {
  const exchange = await open();
  const prices = new Map([[0, 912_500]]);
  const liquidity = await house(exchange, fixedReference(prices), false);
  await liquidity.until(
    () => liquidity.openQuotes(0) === 44 && exchange.marketData.lastPrice(0) === 912_500,
    'the price',
  );
  await liquidity.rounds(3);
  const sent = liquidity.commandsSent();
  prices.set(0, 912_503);
  await liquidity.rounds(3);
  // A quote may move; nothing else does.
  expect(exchange.marketData.lastPrice(0)).toBe(912_500);
  expect(liquidity.commandsSent() - sent).toBeLessThan(4);
});

it('goes on beyond the band after a pause, in which it says so once, and what is triggered finds quotes', async () => {
  const exchange = await open();
  const { engine, marketData, clock } = exchange;
  const prices = new Map([[0, 912_500]]);
  const liquidity = await house(exchange, fixedReference(prices), false);
  await liquidity.until(() => liquidity.openQuotes(0) === 44 && marketData.lastPrice(0) === 912_500, 'the ladder');
  await stopAt(exchange, 900_000, 100);
  prices.set(0, 780_000);
  await liquidity.until(() => marketData.book(0, 5).bids.length === 0, 'no bids');
  await liquidity.rounds(1);
  clock.advance(BAND_PAUSE_MS - 10_000);
  await liquidity.rounds(3);
  expect([outside, marketData.lastPrice(0), engine.exchange.untriggeredOrderCount()]).toEqual([
    ['BTC-USDT'],
    912_500,
    1,
  ]);
  clock.advance(10_000);
  await liquidity.until(() => engine.exchange.untriggeredOrderCount() === 0, 'the stop');
  await liquidity.until(() => marketData.trades(0, 5).length > 0, 'its trades');
  const sold = marketData.trades(0, 50);
  expect(sold.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(100);
  expect(Math.min(...sold.map(({ price }) => price))).toBeGreaterThan(775_000);
  expect(outside).toEqual(['BTC-USDT']);
});

it('goes on at once where its quotes meet orders of before the pause, which take the last price back', async () => {
  const exchange = await open();
  const { marketData, clock, fund, place } = exchange;
  const prices = new Map([[0, 912_500]]);
  const liquidity = await house(exchange, fixedReference(prices), false);
  await liquidity.until(() => liquidity.openQuotes(0) === 44 && marketData.lastPrice(0) === 912_500, 'the ladder');
  await fund(CLIENT, 'USDT', 10n ** 15n);
  await place(CLIENT, 0, BUY, 880_000, 50_000);
  prices.set(0, 780_000);
  await liquidity.until(() => outside.length === 1, 'a price beyond the band');
  clock.advance(BAND_PAUSE_MS);
  await liquidity.until(() => (marketData.ticker(0).bid?.[0] ?? 880_000) < 800_000, 'quotes beneath what is filled');
  await liquidity.until(() => marketData.lastPrice(0) === 780_000, 'the price of now');
  // More than one quote, each of which was traded at the bid.
  expect(marketData.trades(0, 50).length).toBeGreaterThan(1);
  expect(outside).toEqual(['BTC-USDT']);
}, 60_000);

it('goes on where the clock is set back', async () => {
  const exchange = await open();
  const { marketData, clock } = exchange;
  const prices = new Map([[0, 912_500]]);
  const liquidity = await house(exchange, fixedReference(prices), false);
  await liquidity.until(() => liquidity.openQuotes(0) === 44 && marketData.lastPrice(0) === 912_500, 'the ladder');
  clock.advance(-3_600_000);
  prices.set(0, 900_000);
  await liquidity.until(() => (marketData.ticker(0).ask?.[0] ?? 0) < 901_000, 'quotes that follow');
  await liquidity.until(() => marketData.lastPrice(0) === 900_000, 'the price of now');
});

it('does not go on beyond a band to which the price comes back, nor before a whole pause after that', async () => {
  const exchange = await open();
  const { marketData, clock } = exchange;
  const prices = new Map([[0, 912_500]]);
  const liquidity = await house(exchange, fixedReference(prices), false);
  await liquidity.until(() => liquidity.openQuotes(0) === 44 && marketData.lastPrice(0) === 912_500, 'the ladder');
  prices.set(0, 91_250);
  await liquidity.until(() => outside.length === 1, 'a feed that lies');
  prices.set(0, 912_600);
  await liquidity.rounds(2);
  await liquidity.until(() => liquidity.openQuotes(0) === 44, 'quotes again');
  clock.advance(BAND_PAUSE_MS);
  prices.set(0, 91_250);
  await liquidity.until(() => outside.length === 2, 'that it lies again');
  await liquidity.rounds(3);
  expect(marketData.lastPrice(0)).toBeGreaterThan(900_000);
});

it('closes what it has against itself from a simulated market, and then has nothing there', async () => {
  const exchange = await open();
  const { engine, catalogue } = exchange;
  const { id } = catalogue.resolvePair('BTC-USDT-SWAP')!.spec;
  const prices = new Map([[id, engine.exchange.marketState(id).markPrice]]);
  const positionOf = (owner: number) =>
    engine.exchange.positionsOf(owner).find(({ market, position }) => market === id && position)?.position;
  const before = await house(exchange, fixedReference(prices), true);
  await before.until(() => positionOf(HOUSE_TAKER) !== undefined, 'trades with itself');
  await before.close();
  const after = await house(exchange, fixedReference(prices), false);
  await after.until(() => positionOf(HOUSE_TAKER) === undefined, 'a position that is closed');
  expect(positionOf(HOUSE_MAKER)).toBeUndefined();
  expect(after.openQuotes(id)).toBeGreaterThan(0);
});
