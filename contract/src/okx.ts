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

const BARS = '1m 3m 5m 15m 30m 1H 2H 4H 6H 12H 1D 1W 1M, by UTC, with or without `utc` behind it';

/** Each call has those that it reads; what else is sent is left alone. */
const query = z.object({
  instType: text.describe('SPOT or SWAP; of MARGIN, FUTURES and OPTION there are none'),
  instId: text.describe('BTC-USDT; of a perpetual BTC-USDT-SWAP'),
  uly: text.describe('Of perpetuals: the underlying, BTC-USDT'),
  instFamily: text.describe('Of perpetuals: the same as uly'),
  sz: text.describe('Levels a side, 1 unless it says more; above the most, the most'),
  limit: text.describe('Rows; above the most, the most'),
  bar: text.describe(BARS),
  before: text.describe('Rows that are newer than this ts, or fundingTime, or tradeId; the newest of them'),
  after: text.describe('Rows that are older than this ts, or fundingTime, or tradeId'),
  quoteCcy: text.describe('USDT'),
  type: text.describe('1: after and before are trade ids. Times (2) are not taken'),
});
type Field = keyof typeof query.shape;

/** The fields that are left out are absent, as they may be in the whole. */
function publicCall(path: string, summary: string, ...fields: Field[]) {
  const shape = Object.fromEntries(fields.map((field) => [field, query.shape[field]]));
  return defineCall({
    methods: ['GET'],
    path: `/api/v5/${path}`,
    access: 'public',
    anyOrigin: true,
    tag,
    summary,
    query: z.object(shape) as unknown as typeof query,
    answer: envelope,
  });
}

const family = ['instType', 'instId', 'uly', 'instFamily'] as const;
const span = ['instId', 'before', 'after', 'limit'] as const;

export const instruments = publicCall('public/instruments', 'What is traded', ...family);
export const time = publicCall('public/time', "The server's time");
export const status = publicCall('system/status', 'Planned maintenance; empty when none');
export const ticker = publicCall('market/ticker', 'The last 24 hours of one instrument', 'instId');
export const tickers = publicCall(
  'market/tickers',
  'The last 24 hours of every instrument',
  'instType',
  'uly',
  'instFamily',
);
export const books = publicCall('market/books', 'The order book, at most 400 levels a side', 'instId', 'sz');
export const booksFull = publicCall('market/books-full', 'The order book, at most 5000 levels a side', 'instId', 'sz');
export const trades = publicCall(
  'market/trades',
  'Latest trades, newest first, 100 unless limit says otherwise, at most 500',
  'instId',
  'limit',
);
export const historyTrades = publicCall(
  'market/history-trades',
  'All trades, newest first, at most 100 a page: after the tradeId that the last page ended with',
  'type',
  ...span,
);
export const candles = publicCall(
  'market/candles',
  'Candles, newest first, the one in progress (confirm 0) included; at most 300',
  'bar',
  ...span,
);
export const historyCandles = publicCall('market/history-candles', 'The same as candles', 'bar', ...span);
export const markPriceCandles = publicCall(
  'market/mark-price-candles',
  'Candles of a mark price, newest first',
  'bar',
  ...span,
);
export const historyMarkPriceCandles = publicCall(
  'market/history-mark-price-candles',
  'Older candles of a mark price, newest first',
  'bar',
  ...span,
);
export const indexCandles = publicCall('market/index-candles', 'Candles of an index, newest first', 'bar', ...span);
export const historyIndexCandles = publicCall(
  'market/history-index-candles',
  'Older candles of an index, newest first',
  'bar',
  ...span,
);
export const markPrice = publicCall('public/mark-price', 'Mark prices of perpetuals', ...family);
export const indexTickers = publicCall('market/index-tickers', 'Indexes that perpetuals follow', 'instId', 'quoteCcy');
export const fundingRate = publicCall(
  'public/funding-rate',
  'The funding rate as it would be settled now, and when',
  'instId',
);
export const fundingRateHistory = publicCall(
  'public/funding-rate-history',
  'Settled funding rates, newest first',
  ...span,
);
export const openInterest = publicCall('public/open-interest', 'What is open in perpetuals, in coins', ...family);
export const priceLimit = publicCall(
  'public/price-limit',
  'The prices between which orders of a perpetual are taken',
  'instId',
);
export const positionTiers = publicCall(
  'public/position-tiers',
  'Risk tiers of a perpetual; sizes are values in USDT',
  ...family,
);
