/** Pairs, prices, the book and coin profiles, in the documented shapes. Decimals are strings. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimalOut, pairName } from './fields.ts';

const tag = 'Markets';

export const pairType = z.enum(['MAIN', 'ETH', 'ALT']);

export const coinPair = z.object({
  coin_id: z.number().int(),
  /** `BTCUSDT` */
  coin_pair_name: z.string(),
  /** `BTC-USDT` */
  pair_name: z.string(),
  /** `BTC` */
  coin: z.string(),
  /** `Bitcoin` */
  name: z.string(),
  /** Path of the icon on this server. */
  image: z.string(),
  type: pairType,
  /** How the coin's own chain is kept; null for tokens of other chains and for what is kept otherwise. */
  consensus: z.enum(['pow', 'pos']).nullable(),
  /** Null, as the figures that follow from it, until the pair has a price. */
  close: decimalOut.nullable(),
  /** Change over 24 h in percent, signed, four decimals. */
  increase_in_value: decimalOut.nullable(),
  high: decimalOut.nullable(),
  low: decimalOut.nullable(),
  /** Base coin traded in 24 h. */
  volume: decimalOut,
  /** USDT traded in 24 h. */
  volume_quote: decimalOut,
  /** Empty string: not a favourite. */
  favorite: z.string(),
  /** Decimals of a price and of a quantity. */
  price_scale: z.number().int(),
  quantity_scale: z.number().int(),
  /** Hourly closes of the last 24 hours in which the pair had a price, oldest first. */
  sparkline: z.array(z.number()),
});

export type CoinPair = z.infer<typeof coinPair>;

const pairs = z.object({ coinpair: z.array(coinPair) });
const pairTypeQuery = z.object({ pair_type: pairType.optional() });

function pairsCall(path: string, summary: string) {
  return defineCall({
    methods: ['GET'],
    path,
    access: 'visitor',
    keys: 'any',
    tag,
    summary,
    query: pairTypeQuery,
    answer: pairs,
  });
}

export const homeCoins = pairsCall('/api/v1/home/coins', 'Coins of the home page, largest volume first');
export const marketAllPairs = pairsCall('/api/v2/market-all-pairs', 'Every pair with its 24-hour figures');
export const mainCoins = pairsCall('/api/v3/main-coins', 'Pairs of type MAIN');
export const innoCoins = pairsCall(
  '/api/v3/inno-coins',
  'Innovation pairs: those of no main coin, or of the pair_type that is named',
);
export const innCoins = pairsCall('/api/v3/inn-coins', 'Innovation pairs, second spelling');

export const powCoins = pairsCall('/api/v3/pow-coins', 'Pairs of coins whose chain is kept by proof of work');
export const posCoins = pairsCall('/api/v3/pos-coins', 'Pairs of coins whose chain is kept by proof of stake');

/** In the shape of the pairs; `pair_name` is `BTC-USDT-SWAP`. */
export const perpetualPairs = pairsCall('/api/v3/futures/pairs', 'Every perpetual with its 24-hour figures');

export const allPairs = defineCall({
  methods: ['GET'],
  path: '/api/v3/all-pairs',
  access: 'visitor',
  keys: 'any',
  tag,
  summary: 'Every pair, with the favourites of the client who asks',
  query: z.object({ client_id: z.coerce.number().int().optional(), pair_type: pairType.optional() }),
  answer: pairs,
});

export const favorites = defineCall({
  methods: ['GET'],
  path: '/api/v3/favorites',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Favourite pairs and perpetuals',
  answer: pairs,
});

export const addFavorite = defineCall({
  methods: ['POST', 'GET'],
  path: '/api/v3/add-favorite',
  access: 'client',
  keys: 'never',
  tag,
  summary: 'Toggle a favourite',
  query: z.object({ coin_id: z.coerce.number().int().min(0).max(65_535) }),
  answer: z.object({ message: z.literal('success'), favorite: z.string() }),
});

const bookLevel = z.object({ unit_price: decimalOut, number_of_order: decimalOut });

export const recentTrades = defineCall({
  methods: ['GET'],
  path: '/api/v2/recent-trades',
  access: 'public',
  anyOrigin: true,
  tag,
  summary:
    'The order book (the name is historical): five levels a side unless asked for more, and the last price; null before the first',
  query: z.object({ name: pairName, limit: z.coerce.number().int().min(1).max(400).default(5) }),
  answer: z.object({
    orders: z.object({ asks: z.array(bookLevel), bids: z.array(bookLevel), price: decimalOut.nullable() }),
  }),
});

export const timeframe = z.enum(['1min', '5min', '1hr', '4hr', '1D']);

export const currentPrice = defineCall({
  methods: ['GET'],
  path: '/api/v3/coin-pair/current-price',
  access: 'public',
  anyOrigin: true,
  tag,
  summary: 'Last price and 24-hour change; null until the pair has a price',
  query: z.object({ symbol: pairName, timeframe: timeframe.default('1min') }),
  answer: z.object({
    chart: z.object({
      close: decimalOut.nullable(),
      increase_in_value: decimalOut.nullable(),
      high: decimalOut.nullable(),
      low: decimalOut.nullable(),
      volume: decimalOut,
      volume_quote: decimalOut,
    }),
  }),
});

export const chartSeries = defineCall({
  methods: ['GET'],
  path: '/api/v2/chart/chart-series',
  access: 'public',
  anyOrigin: true,
  tag,
  summary: 'The latest 500 candles of a timeframe, oldest first, and the latest close; none before the first price',
  query: z.object({ symbol: pairName, timeframe: timeframe.default('1min') }),
  answer: z.object({
    latest_time: z.object({ time: z.number().int(), close: decimalOut }).nullable(),
    series: z.array(
      z.object({
        /** Start of the candle, ms. */
        time: z.number().int(),
        open: decimalOut,
        high: decimalOut,
        low: decimalOut,
        close: decimalOut,
        volume: decimalOut,
      }),
    ),
  }),
});

export const coinProfile = defineCall({
  methods: ['GET'],
  path: '/api/v3/coin-profile',
  access: 'public',
  anyOrigin: true,
  tag,
  summary: 'What the coin is; null where nothing is known',
  query: z.object({ name: pairName }),
  answer: z.object({
    coin_profile: z.object({
      name: z.string(),
      ranking: z.number().int().nullable(),
      market_cap: decimalOut.nullable(),
      market_dominance: decimalOut.nullable(),
      circulating_supply: decimalOut.nullable(),
      total_supply: decimalOut.nullable(),
      max_supply: decimalOut.nullable(),
      issue_date: z.string().nullable(),
      all_time_high: decimalOut.nullable(),
      all_time_low: decimalOut.nullable(),
      intro: z.string().nullable(),
    }),
  }),
});

export const coinAssets = defineCall({
  methods: ['GET'],
  path: '/api/v3/coin-assets',
  access: 'public',
  anyOrigin: true,
  tag,
  summary: 'The coin behind a pair and how finely it is counted',
  query: z.object({ name: pairName }),
  answer: z.object({
    coin: z.object({
      id: z.number().int(),
      /** Code of the base coin. */
      coin_base: z.string(),
      coin_quote: z.string(),
      name: z.string(),
      image: z.string(),
      price_scale: z.number().int(),
      quantity_scale: z.number().int(),
    }),
  }),
});
