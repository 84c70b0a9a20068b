/**
 * Public market data in the OKX v5 shape: always `{code, msg, data}`, amounts as text. What can't be read counts as
 * absent, because refusals too have this shape.
 */
import { z } from 'zod';
import { defineCall } from './call.ts';

const tag = 'Market data (OKX v5)';
const text = z.string().optional().catch(undefined);

export const envelope = z.object({ code: z.string(), msg: z.string(), data: z.array(z.unknown()) });
export type Envelope = z.infer<typeof envelope>;

const query = z.object({
  instType: text,
  instId: text,
  uly: text,
  instFamily: text,
  sz: text,
  limit: text,
  bar: text,
  before: text,
  after: text,
  quoteCcy: text,
  tdMode: text,
});

function publicCall(path: string, summary: string) {
  return defineCall({
    methods: ['GET'],
    path: `/api/v5/${path}`,
    access: 'public',
    tag,
    summary,
    query,
    answer: envelope,
  });
}

export const instruments = publicCall('public/instruments', 'What is traded');
export const time = publicCall('public/time', "The server's time");
export const status = publicCall('system/status', 'Planned maintenance; empty when none');
export const ticker = publicCall('market/ticker', 'The last 24 hours of one instrument');
export const tickers = publicCall('market/tickers', 'The last 24 hours of every instrument');
export const books = publicCall('market/books', 'The order book, at most 400 levels a side');
export const booksFull = publicCall('market/books-full', 'The order book, at most 5000 levels a side');
export const trades = publicCall('market/trades', 'Latest trades, newest first');
export const candles = publicCall('market/candles', 'Candles, newest first');
export const historyCandles = publicCall('market/history-candles', 'Older candles, newest first');
export const markPriceCandles = publicCall('market/mark-price-candles', 'Candles of a mark price, newest first');
export const historyMarkPriceCandles = publicCall(
  'market/history-mark-price-candles',
  'Older candles of a mark price, newest first',
);
export const indexCandles = publicCall('market/index-candles', 'Candles of an index, newest first');
export const historyIndexCandles = publicCall(
  'market/history-index-candles',
  'Older candles of an index, newest first',
);
export const markPrice = publicCall('public/mark-price', 'Mark prices of perpetuals');
export const indexTickers = publicCall('market/index-tickers', 'Indexes that perpetuals follow');
export const fundingRate = publicCall('public/funding-rate', 'The funding rate as it would be settled now, and when');
export const fundingRateHistory = publicCall('public/funding-rate-history', 'Settled funding rates, newest first');
export const openInterest = publicCall('public/open-interest', 'What is open in perpetuals, in coins');
export const priceLimit = publicCall('public/price-limit', 'The prices between which orders of a perpetual are taken');
export const positionTiers = publicCall('public/position-tiers', 'Risk tiers of a perpetual; sizes are values in USDT');
