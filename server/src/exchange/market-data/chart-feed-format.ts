/** Symbols, bars, quotes and marks as UDF writes them: numbers and seconds. */
import { type HistoryAnswer, type Mark, resolutions, type SymbolInfo } from '@cambist/contract/chart-feed.ts';
import { type Catalogue, coinPairName, type MarketInfo } from '../instruments/service.ts';
import { decimalNumber } from './decimal.ts';
import type { Bar, Ticker } from './service.ts';

export const EXCHANGE = 'CAMBIST';
export const UNKNOWN_SYMBOL = { s: 'error' as const, errmsg: 'unknown_symbol' };

export function symbolAnswer({ spec, name, image }: MarketInfo, catalogue: Pick<Catalogue, 'assetName'>): SymbolInfo {
  const symbol = coinPairName(spec);
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
    intraday_multipliers: resolutions.filter((resolution) => /^\d+$/.test(resolution)),
    volume_precision: spec.lotScale,
    format: 'price',
    logo_urls: [image],
  };
}

/** @param nextTime of the bars that the answer leaves out, seconds */
export function barsAnswer({ spec }: MarketInfo, bars: readonly Bar[], nextTime: number | undefined): HistoryAnswer {
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

export function quoteAnswer(name: string, market: MarketInfo, ticker: Ticker) {
  const { spec } = market;
  const { ask, bid, last, open, high, low } = ticker;
  const price = (ticks: number) => decimalNumber(ticks, spec.tickScale);
  // A figure that is not known is left out: the format has no word for it.
  const traded = last !== 0 && {
    ch: price(last - open),
    chp: open === 0 ? 0 : Number((((last - open) / open) * 100).toFixed(4)),
    lp: price(last),
    open_price: price(open),
    high_price: price(high),
    low_price: price(low),
    prev_close_price: price(open),
  };
  return {
    s: 'ok' as const,
    n: name,
    v: {
      short_name: coinPairName(spec),
      exchange: EXCHANGE,
      description: market.name,
      ...traded,
      ...(ask && { ask: price(ask[0]) }),
      ...(bid && { bid: price(bid[0]) }),
      ...(ask && bid && { spread: price(ask[0] - bid[0]) }),
      volume: decimalNumber(ticker.volume, spec.lotScale),
      // Ours: what was paid for that volume; widgets leave aside what they do not know.
      volume_quote: decimalNumber(ticker.turnover, spec.tickScale + spec.lotScale),
    },
  };
}

export function markAt(id: string, timeMs: number, color: string, label: string, text: string): Mark {
  return { id, time: Math.floor(timeMs / 1000), color, text, label, tooltip: [text], imageUrl: '' };
}
