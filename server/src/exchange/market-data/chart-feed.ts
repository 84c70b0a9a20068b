/** The UDF chart feed: symbols, bars, quotes and marks as numbers and seconds. */
import type { HistoryAnswer, Mark } from '@cambist/contract/chart-feed.ts';
import { type Catalogue, coinPairName, type MarketInfo } from '../instruments/service.ts';
import { barsAnswer, markAt, quoteAnswer, symbolAnswer, UNKNOWN_SYMBOL } from './chart-feed-format.ts';
import { decimalNumber } from './decimal.ts';
import { type Bar, type BarRange, type Frame, type MarketData, priceKinds } from './service.ts';

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
  readonly price?: string | undefined;
}

/** More bars than one answer carries are left out at the old end. */
const MAXIMUM_BARS = 5_000;
const UNKNOWN_PRICE = 'price is last, and for a perpetual mark or index';
export const SEARCH_LIMIT = 30;
const QUOTE_LIMIT = 100;

/** A map, so that no name of an object's own prototype is a resolution. */
const frameOf: ReadonlyMap<string, Frame> = new Map([
  ['1', '1m'],
  ['3', '3m'],
  ['5', '5m'],
  ['15', '15m'],
  ['30', '30m'],
  ['60', '1H'],
  ['120', '2H'],
  ['240', '4H'],
  ['360', '6H'],
  ['720', '12H'],
  ['D', '1D'],
  ['1D', '1D'],
  ['W', '1W'],
  ['1W', '1W'],
  ['M', '1M'],
  ['1M', '1M'],
]);

const withoutExchange = (symbol: string) => symbol.replace(/^[A-Za-z]+:/, '');
const includes = (wanted: string) => (name: string) => name.toUpperCase().includes(wanted);

type BarReader = (range: BarRange) => Bar[];

/** Nothing in the range: the newest bar before it is named, when there is one. */
function noData(read: BarReader, before: number): HistoryAnswer {
  const [older] = read({ before, limit: 1 });
  return older === undefined ? { s: 'no_data' } : { s: 'no_data', nextTime: older.time / 1000 };
}

export class ChartFeed {
  readonly #catalogue: Catalogue;
  readonly #marketData: MarketData;
  readonly #clock: { now(): number };

  constructor({ catalogue, marketData, clock }: Deps) {
    this.#catalogue = catalogue;
    this.#marketData = marketData;
    this.#clock = clock;
  }

  history(query: HistoryQuery, resolution: string): HistoryAnswer {
    const market = this.#find(query.symbol);
    if (market === undefined) return UNKNOWN_SYMBOL;
    const frame = frameOf.get(resolution);
    if (frame === undefined) return { s: 'error', errmsg: `unsupported resolution ${resolution.slice(0, 10)}` };
    const before = query.to === undefined ? Number.POSITIVE_INFINITY : query.to * 1000;
    const counted = query.countback === undefined ? undefined : Math.max(0, Math.floor(query.countback));
    const from = counted === undefined ? (query.from ?? 0) * 1000 : 0;
    const limit = Math.min(counted ?? MAXIMUM_BARS, MAXIMUM_BARS);
    // One bar more tells whether the answer left any out.
    const read = this.#reader(market, frame, query.price);
    if (read === undefined) return { s: 'error', errmsg: UNKNOWN_PRICE };
    const found = read({ from, before, limit: limit + 1 });
    const bars = found.length > limit ? found.slice(1) : found;
    if (bars.length === 0) return noData(read, before);
    const isCut = found.length > limit && (counted === undefined || counted > limit);
    return barsAnswer(market, bars, isCut ? bars[0]!.time / 1000 : undefined);
  }

  symbol(name: string | undefined) {
    const market = this.#find(name);
    return market === undefined ? UNKNOWN_SYMBOL : symbolAnswer(market, this.#catalogue);
  }

  symbols() {
    return this.#catalogue.listed.map((market) => symbolAnswer(market, this.#catalogue));
  }

  search(text: string, limit: number): MarketInfo[] {
    const wanted = withoutExchange(text).toUpperCase();
    return this.#catalogue.listed
      .filter(({ spec, name }) => [spec.symbol, coinPairName(spec), name].some(includes(wanted)))
      .slice(0, Math.min(Math.max(1, limit), SEARCH_LIMIT));
  }

  quotes(names: string) {
    return names
      .split(',')
      .filter(Boolean)
      .slice(0, QUOTE_LIMIT)
      .map((name) => {
        const market = this.#find(name);
        if (market === undefined) return { s: 'error' as const, n: name, v: {}, errmsg: 'unknown_symbol' };
        return quoteAnswer(name, market, this.#marketData.ticker(market.spec.id));
      });
  }

  marks(query: HistoryQuery): Mark[] {
    const found = this.#rangeBars(query);
    if (found === undefined || found.bars.length === 0) return [];
    const { bars, market } = found;
    const highest = bars.reduce((best, bar) => (bar.high > best.high ? bar : best));
    const lowest = bars.reduce((best, bar) => (bar.low < best.low ? bar : best));
    const price = (ticks: number) => decimalNumber(ticks, market.spec.tickScale);
    return [
      markAt('high', highest.time, 'red', 'H', `Highest price of the range: ${price(highest.high)}`),
      markAt('low', lowest.time, 'green', 'L', `Lowest price of the range: ${price(lowest.low)}`),
    ];
  }

  timescaleMarks(query: HistoryQuery): Mark[] {
    const market = this.#find(query.symbol);
    if (market === undefined) return [];
    const { listedAt } = this.#marketData.listing(market.spec.id);
    if (listedAt < (query.from ?? 0) * 1000 || listedAt > (query.to ?? Number.POSITIVE_INFINITY) * 1000) return [];
    return [markAt('listed', listedAt, 'blue', 'N', `${market.spec.symbol} began to trade here`)];
  }

  time(): number {
    return Math.floor(this.#clock.now() / 1000);
  }

  /** `BTCUSDT`, `BTC-USDT`, `BTC`, `BTCUSDTSWAP`, each also as `CAMBIST:…`. */
  #find(symbol: string | undefined): MarketInfo | undefined {
    return symbol === undefined ? undefined : this.#catalogue.resolvePair(withoutExchange(symbol));
  }

  /** Bars of the trades, or of the mark or index of a perpetual; undefined for another price. */
  #reader({ spec }: MarketInfo, frame: Frame, price = 'last'): BarReader | undefined {
    if (price === 'last') return (range) => this.#marketData.candles(spec.id, frame, range);
    const kind = priceKinds.find((name) => name === price);
    if (kind === undefined || spec.perpetual === undefined) return undefined;
    return (range) => this.#marketData.priceCandles(spec.id, kind, frame, range);
  }

  #rangeBars(query: HistoryQuery): { market: MarketInfo; bars: Bar[] } | undefined {
    const market = this.#find(query.symbol);
    const frame = frameOf.get(query.resolution ?? '1D');
    if (market === undefined || frame === undefined) return undefined;
    const range = { from: (query.from ?? 0) * 1000, before: (query.to ?? this.#clock.now() / 1000) * 1000 };
    return { market, bars: this.#marketData.candles(market.spec.id, frame, { ...range, limit: MAXIMUM_BARS }) };
  }
}
