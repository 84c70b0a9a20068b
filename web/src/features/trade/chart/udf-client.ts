/**
 * Our side of the UDF feed (`/api/v3`), the one that TradingView's widgets speak as well: bars, quotes and what the
 * feed can do. Numbers here are for drawing; money never comes this way.
 */
import { queryText, send } from '../../../lib/api-client.ts';
import type { Ticker } from '../../../lib/market/tickers.ts';
import type { ChartPrice } from './chart-store.ts';
import type { Timeframe } from './timeframes.ts';

export const FEED_PATH = '/api/v3';

/** A candle as charting widgets want it. */
export interface Bar {
  /** Start, ms. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface HistoryAnswer {
  readonly s: 'ok' | 'no_data' | 'error';
  readonly t?: readonly number[];
  readonly o?: readonly number[];
  readonly h?: readonly number[];
  readonly l?: readonly number[];
  readonly c?: readonly number[];
  readonly v?: readonly number[];
  readonly errmsg?: string;
  /** There is more before the first bar than one answer holds. Seconds. */
  readonly nextTime?: number;
}

/** Seconds and columns become milliseconds and rows; an incomplete row is left out. Throws the feed's own words. */
export function barsOf(answer: HistoryAnswer): Bar[] {
  if (answer.s !== 'ok' && answer.s !== 'no_data') throw new Error(answer.errmsg ?? 'The chart has no history');
  return (answer.t ?? []).flatMap((seconds, index) => {
    const [open, high, low, close] = [answer.o, answer.h, answer.l, answer.c].map((column) => column?.[index]);
    if (open === undefined || high === undefined || low === undefined || close === undefined) return [];
    return [{ time: seconds * 1_000, open, high, low, close, volume: answer.v?.[index] ?? 0 }];
  });
}

/** `count` bars before a time, oldest first. The path follows the timeframe. */
export async function fetchBars(
  symbol: string,
  timeframe: Timeframe,
  beforeMs: number,
  count: number,
  signal?: AbortSignal,
  price: ChartPrice = 'last',
): Promise<Bar[]> {
  const to = Math.ceil(beforeMs / 1_000);
  const from = to - Math.floor((count * timeframe.lengthMs) / 1_000);
  const query = {
    ...{ symbol, resolution: timeframe.resolution, from, to, countback: count },
    ...(price === 'last' ? {} : { price }),
  };
  const response = await send(timeframe.path + queryText(query), signal ? { signal } : {});
  return barsOf((await response.json()) as HistoryAnswer).filter((bar) => bar.time < beforeMs);
}

interface Quote {
  readonly s: 'ok' | 'error';
  readonly n: string;
  readonly v: Readonly<Record<string, number | string>>;
}

interface QuotesAnswer {
  readonly s: 'ok' | 'error';
  readonly d?: readonly Quote[];
  readonly errmsg?: string;
}

function tickerOf({ n, v }: Quote): Ticker {
  const text = (name: string) => String(v[name] ?? '');
  return {
    instId: n,
    last: text('lp'),
    open24h: text('open_price'),
    high24h: text('high_price'),
    low24h: text('low_price'),
    vol24h: text('volume'),
    volCcy24h: text('volume_quote'),
  };
}

/** At most this many symbols in one question. */
const QUOTES_AT_ONCE = 100;

/** Quotes of pairs named as `BTC-USDT`; those that the feed does not know are left out. */
export async function fetchQuotes(symbols: readonly string[], signal: AbortSignal): Promise<Ticker[]> {
  const asked = symbols.slice(0, QUOTES_AT_ONCE).join(',');
  if (asked === '') return [];
  const response = await send(`${FEED_PATH}/quotes${queryText({ symbols: asked })}`, { signal }).catch(
    (error: unknown) => {
      throw new Error(`network error: ${error instanceof Error ? error.message : String(error)}`);
    },
  );
  const answer = (await response.json()) as QuotesAnswer;
  if (answer.s !== 'ok') throw new Error(answer.errmsg ?? 'The feed has no quotes');
  return (answer.d ?? []).filter((quote) => quote.s === 'ok').map(tickerOf);
}
