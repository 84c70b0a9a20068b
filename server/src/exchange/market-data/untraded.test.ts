/** A market that has never had a price, in every shape: no price is written as zero, and its book has a time. */
import { BTC_USDT } from '@cambist/core/simulation/markets.ts';
import { expect, it } from 'vitest';
import type { MarketInfo } from '../instruments/service.ts';
import { Book } from './book.ts';
import { quoteAnswer } from './chart-feed-format.ts';
import { barsOf, HOUR_MS, MINUTE_MS } from './frames.ts';
import { emptyHistory } from './history.ts';
import { createMarket } from './market.ts';
import { candleRow, tickerRow } from './okx-format.ts';

const NOW = Date.UTC(2026, 0, 5, 10, 30);
const now = {
  bid: undefined,
  ask: undefined,
  reference: 0,
  pausedUntil: 0,
  time: NOW,
  isDelisted: false,
  closeOnlyAt: 0,
  endsAt: 0,
};
const INFO = { spec: BTC_USDT, coin: 'BTC', name: 'Bitcoin' } as MarketInfo;

const untraded = () => createMarket(emptyHistory(0, NOW - 3 * HOUR_MS));
const later = (market: ReturnType<typeof untraded>) => market.day(NOW + 5 * MINUTE_MS);

it('a market without a price has none in its ticker and quote, no candles, and a book with a time', () => {
  const market = untraded();
  const ticker = { ...market.day(NOW), ...now };
  expect(tickerRow(BTC_USDT, ticker)).toMatchObject({
    ...{ last: '', lastSz: '', open24h: '', high24h: '', low24h: '', askPx: '', bidPx: '', refPx: '' },
    ...{ vol24h: '0.00000', ts: String(NOW) },
  });
  const { v } = quoteAnswer('BTCUSDT', INFO, ticker);
  expect(Object.values(v).filter((value) => value === 0)).toEqual([v.volume, v.volume_quote]);
  expect(Object.keys(v)).toEqual(expect.not.arrayContaining(['lp', 'ask', 'bid', 'spread', 'ch', 'open_price']));
  for (const frame of ['1m', '5m', '1H', '1D'] as const)
    expect(
      barsOf(market.bars[frame === '1D' ? 'days' : frame === '1H' ? 'hours' : 'minutes'], frame, { limit: 9 }),
    ).toEqual([]);
  expect(new Book(NOW).snapshot(5)).toMatchObject({ time: NOW, asks: [], bids: [] });
});

it('nothing of before the first price is in a day or a candle', () => {
  const market = untraded();
  market.extendTo(NOW);
  market.count({ time: NOW, price: 640_000, quantity: 3 });
  expect(later(market)).toMatchObject({ last: 640_000, open: 640_000, high: 640_000, low: 640_000, volume: 3 });
  // The half hour began with minutes that had no price.
  const [bar, ...others] = barsOf(market.bars.minutes, '30m', { limit: 9, before: NOW + MINUTE_MS });
  expect([bar?.open, bar?.low, others.length]).toEqual([640_000, 640_000, 0]);
  expect(candleRow(BTC_USDT, bar!, false).slice(1, 5)).toEqual(Array(4).fill('64000.0'));
});
