/** Book, price and candles in the documented shapes. */
import * as calls from '@cambist/contract/markets.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import type { Catalogue, MarketInfo } from '../instruments/service.ts';
import { decimalText } from './decimal.ts';
import type { Frame, Level, MarketData } from './service.ts';

export interface MarketDataRouteDeps {
  readonly calls: CallServer;
  readonly catalogue: Catalogue;
  readonly marketData: MarketData;
}

const frameOf: Readonly<Record<'1min' | '5min' | '1hr' | '4hr' | '1D', Frame>> = {
  '1min': '1m',
  '5min': '5m',
  '1hr': '1H',
  '4hr': '4H',
  '1D': '1D',
};
const SERIES_LENGTH = 500;

export function registerMarketDataRoutes({ calls: server, catalogue, marketData }: MarketDataRouteDeps): void {
  const withPair = <Answer>(name: string, answer: (market: MarketInfo) => Answer): Answer | Refusal => {
    const market = catalogue.resolvePair(name);
    if (market !== undefined) return answer(market);
    return new Refusal(
      404,
      'UNKNOWN_PAIR',
      say('There is no pair {{name}}. Name one of the list, such as BTC-USDT.', { name }),
    );
  };

  server.serve(calls.recentTrades, ({ query }) =>
    withPair(query.name, ({ spec }) => {
      const book = marketData.book(spec.id, query.limit);
      const entry = ([price, lots]: Level) => ({
        unit_price: decimalText(price, spec.tickScale),
        number_of_order: decimalText(lots, spec.lotScale),
      });
      const last = marketData.lastPrice(spec.id);
      const price = last === 0 ? null : decimalText(last, spec.tickScale);
      return { orders: { asks: book.asks.map(entry), bids: book.bids.map(entry), price } };
    }),
  );

  server.serve(calls.currentPrice, ({ query }) =>
    withPair(query.symbol, ({ spec }) => {
      const day = marketData.day(spec.id);
      return {
        chart: {
          close: day.last,
          increase_in_value: day.changePercent,
          high: day.high,
          low: day.low,
          volume: day.volume,
          volume_quote: day.turnover,
        },
      };
    }),
  );

  server.serve(calls.chartSeries, ({ query }) =>
    withPair(query.symbol, ({ spec }) => {
      const bars = marketData.candles(spec.id, frameOf[query.timeframe], { limit: SERIES_LENGTH });
      const series = bars.map((bar) => ({
        time: bar.time,
        open: decimalText(bar.open, spec.tickScale),
        high: decimalText(bar.high, spec.tickScale),
        low: decimalText(bar.low, spec.tickScale),
        close: decimalText(bar.close, spec.tickScale),
        volume: decimalText(bar.volume, spec.lotScale),
      }));
      const latest = series.at(-1);
      return { latest_time: latest ? { time: latest.time, close: latest.close } : null, series };
    }),
  );
}
