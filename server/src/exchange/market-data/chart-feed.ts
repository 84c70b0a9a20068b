/** The UDF chart feed: symbols, bars, quotes and marks as numbers and seconds. */
import { type HistoryAnswer, type Mark, resolutions, type SymbolInfo } from '@cambist/contract/chart-feed.ts';
import type { Catalogue, MarketInfo } from '../instruments/service.ts';
import { decimalNumber } from './decimal.ts';
import type { Bar, Frame, MarketData } from './service.ts';

interface Deps {
  readonly catalogue: Catalogue;
  readonly marketData: MarketData;
  readonly clock: { now(): number };
}

export interface HistoryQuery {
  readonly symbol?: string | undefined;
  readonly resolution?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly countback?: number | undefined;
}

export const EXCHANGE = 'CAMBIST';
/** More bars than one answer carries are left out at the old end. */
const MAXIMUM_BARS = 5_000;
export const SEARCH_LIMIT = 30;
const QUOTE_LIMIT = 100;
const UNKNOWN_SYMBOL = { s: 'error' as const, errmsg: 'unknown_symbol' };

/** A map, so that no name of an object's own prototype is a resolution. */
const frameOf: ReadonlyMap<string, Frame> = new Map([
  ['1', '1m'],
  ['5', '5m'],
  ['15', '15m'],
  ['30', '30m'],
  ['60', '1H'],
  ['240', '4H'],
  ['D', '1D'],
  ['1D', '1D'],
  ['W', '1W'],
  ['1W', '1W'],
  ['M', '1M'],
  ['1M', '1M'],
]);

export function createChartFeed({ catalogue, marketData, clock }: Deps) {
  /** `BTCUSDT`, `BTC-USDT`, `BTC`, each also as `CAMBIST:…`. */
  const find = (symbol: string | undefined): MarketInfo | undefined =>
    symbol === undefined ? undefined : catalogue.resolvePair(symbol.replace(/^[A-Za-z]+:/, ''));

  function symbolOf({ spec, name, image }: MarketInfo): SymbolInfo {
    const symbol = spec.base.code + spec.quote.code;
    return {
      ticker: symbol,
      name: symbol,
      exchange: EXCHANGE,
      listed_exchange: EXCHANGE,
      currency_code: spec.quote.code,
      unit_id: '',
      description: `${name} / ${catalogue.assetName(spec.quote.code)}`,
      type: 'crypto',
      session: '24x7',
      timezone: 'Etc/UTC',
      minmov: 1,
      pricescale: 10 ** spec.tickScale,
      has_intraday: true,
      has_daily: true,
      has_weekly_and_monthly: true,
      supported_resolutions: [...resolutions],
      intraday_multipliers: ['1', '5', '15', '30', '60', '240'],
      volume_precision: spec.lotScale,
      format: 'price',
      logo_urls: [image],
    };
  }

  function answerOf({ spec }: MarketInfo, bars: readonly Bar[], nextTime: number | undefined): HistoryAnswer {
    const price = (ticks: number) => decimalNumber(ticks, spec.tickScale);
    return {
      s: 'ok',
      t: bars.map((bar) => bar.time / 1000),
      o: bars.map((bar) => price(bar.open)),
      h: bars.map((bar) => price(bar.high)),
      l: bars.map((bar) => price(bar.low)),
      c: bars.map((bar) => price(bar.close)),
      v: bars.map((bar) => decimalNumber(bar.volume, spec.lotScale)),
      ...(nextTime === undefined ? {} : { nextTime }),
    };
  }

  function history(query: HistoryQuery, resolution: string): HistoryAnswer {
    const market = find(query.symbol);
    if (market === undefined) return UNKNOWN_SYMBOL;
    const frame = frameOf.get(resolution);
    if (frame === undefined) return { s: 'error', errmsg: `unsupported resolution ${resolution.slice(0, 10)}` };
    const before = query.to === undefined ? Number.POSITIVE_INFINITY : query.to * 1000;
    const counted = query.countback === undefined ? undefined : Math.max(0, Math.floor(query.countback));
    const from = counted === undefined ? (query.from ?? 0) * 1000 : 0;
    const limit = Math.min(counted ?? MAXIMUM_BARS, MAXIMUM_BARS);
    // One bar more tells whether the answer left any out.
    const found = marketData.candles(market.spec.id, frame, { from, before, limit: limit + 1 });
    const bars = found.length > limit ? found.slice(1) : found;
    if (bars.length === 0) return noData(market, frame, before);
    const isCut = found.length > limit && (counted === undefined || counted > limit);
    return answerOf(market, bars, isCut ? bars[0]!.time / 1000 : undefined);
  }

  /** Nothing in the range: the newest bar before it is named, when there is one. */
  function noData(market: MarketInfo, frame: Frame, before: number): HistoryAnswer {
    const [older] = marketData.candles(market.spec.id, frame, { before, limit: 1 });
    return older === undefined ? { s: 'no_data' } : { s: 'no_data', nextTime: older.time / 1000 };
  }

  function quoteOf(name: string) {
    const market = find(name);
    if (market === undefined) return { s: 'error' as const, n: name, v: {}, errmsg: 'unknown_symbol' };
    const { spec } = market;
    const ticker = marketData.ticker(spec.id);
    const price = (ticks: number) => decimalNumber(ticks, spec.tickScale);
    return {
      s: 'ok' as const,
      n: name,
      v: {
        ch: price(ticker.last - ticker.open),
        chp: ticker.open === 0 ? 0 : Number((((ticker.last - ticker.open) / ticker.open) * 100).toFixed(4)),
        short_name: spec.base.code + spec.quote.code,
        exchange: EXCHANGE,
        description: market.name,
        lp: price(ticker.last),
        ask: price(ticker.ask?.[0] ?? 0),
        bid: price(ticker.bid?.[0] ?? 0),
        spread: price(ticker.ask && ticker.bid ? ticker.ask[0] - ticker.bid[0] : 0),
        open_price: price(ticker.open),
        high_price: price(ticker.high),
        low_price: price(ticker.low),
        prev_close_price: price(ticker.open),
        volume: decimalNumber(ticker.volume, spec.lotScale),
        // Ours: what was paid for that volume; widgets leave aside what they do not know.
        volume_quote: decimalNumber(ticker.turnover, spec.tickScale + spec.lotScale),
      },
    };
  }

  function rangeBars(query: HistoryQuery): { market: MarketInfo; bars: Bar[] } | undefined {
    const market = find(query.symbol);
    const frame = frameOf.get(query.resolution ?? '1D');
    if (market === undefined || frame === undefined) return undefined;
    const range = { from: (query.from ?? 0) * 1000, before: (query.to ?? clock.now() / 1000) * 1000 };
    return { market, bars: marketData.candles(market.spec.id, frame, { ...range, limit: MAXIMUM_BARS }) };
  }

  return {
    history,
    symbol: (name: string | undefined) => {
      const market = find(name);
      return market === undefined ? UNKNOWN_SYMBOL : symbolOf(market);
    },
    symbols: () => catalogue.markets.map(symbolOf),

    search(text: string, limit: number): MarketInfo[] {
      const wanted = text.replace(/^[A-Za-z]+:/, '').toUpperCase();
      return catalogue.markets
        .filter(({ spec, name }) => [spec.symbol, spec.base.code + spec.quote.code, name].some(includes(wanted)))
        .slice(0, Math.min(Math.max(1, limit), SEARCH_LIMIT));
    },

    quotes: (names: string) => names.split(',').filter(Boolean).slice(0, QUOTE_LIMIT).map(quoteOf),

    marks(query: HistoryQuery): Mark[] {
      const found = rangeBars(query);
      if (found === undefined || found.bars.length === 0) return [];
      const { bars, market } = found;
      const highest = bars.reduce((best, bar) => (bar.high > best.high ? bar : best));
      const lowest = bars.reduce((best, bar) => (bar.low < best.low ? bar : best));
      const price = (ticks: number) => decimalNumber(ticks, market.spec.tickScale);
      return [
        markAt('high', highest.time, 'red', 'H', `Highest price of the range: ${price(highest.high)}`),
        markAt('low', lowest.time, 'green', 'L', `Lowest price of the range: ${price(lowest.low)}`),
      ];
    },

    timescaleMarks(query: HistoryQuery): Mark[] {
      const market = find(query.symbol);
      if (market === undefined) return [];
      const { listedAt } = marketData.listing(market.spec.id);
      if (listedAt < (query.from ?? 0) * 1000 || listedAt > (query.to ?? Number.POSITIVE_INFINITY) * 1000) return [];
      return [markAt('listed', listedAt, 'blue', 'N', `${market.spec.symbol} began to trade here`)];
    },

    time: (): number => Math.floor(clock.now() / 1000),
  };
}

const includes = (wanted: string) => (name: string) => name.toUpperCase().includes(wanted);

function markAt(id: string, timeMs: number, color: string, label: string, text: string): Mark {
  return { id, time: Math.floor(timeMs / 1000), color, text, label, tooltip: [text], imageUrl: '' };
}

export type ChartFeed = ReturnType<typeof createChartFeed>;
