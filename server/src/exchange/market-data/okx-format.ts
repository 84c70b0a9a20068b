/** Rows in the OKX v5 shape; the REST calls and the websocket share them. */
import type { MarketSpec } from '@cambist/core/money/market.ts';
import type { MarketInfo } from '../instruments/service.ts';
import { decimalText } from './decimal.ts';
import type { Bar, Level, Ticker, Trade } from './service.ts';

interface Listing {
  readonly listedAt: number;
  readonly isHalted: boolean;
}

export function instrumentRow({ spec }: MarketInfo, { listedAt, isHalted }: Listing): Record<string, string> {
  return {
    instType: 'SPOT',
    instId: spec.symbol,
    uly: '',
    instFamily: '',
    baseCcy: spec.base.code,
    quoteCcy: spec.quote.code,
    settleCcy: '',
    ctVal: '',
    ctMult: '',
    ctValCcy: '',
    optType: '',
    stk: '',
    listTime: String(listedAt),
    expTime: '',
    lever: '',
    tickSz: decimalText(1, spec.tickScale),
    lotSz: decimalText(1, spec.lotScale),
    minSz: decimalText(spec.minimumLots, spec.lotScale),
    ctType: '',
    alias: '',
    state: isHalted ? 'suspend' : 'live',
    maxLmtSz: decimalText(spec.maximumLots, spec.lotScale),
    maxMktSz: decimalText(spec.maximumLots, spec.lotScale),
  };
}

export function tickerRow(spec: MarketSpec, ticker: Ticker): Record<string, string> {
  const price = (ticks: number) => decimalText(ticks, spec.tickScale);
  const size = (lots: number) => decimalText(lots, spec.lotScale);
  return {
    instType: 'SPOT',
    instId: spec.symbol,
    last: price(ticker.last),
    lastSz: ticker.lastQuantity === 0 ? '' : size(ticker.lastQuantity),
    askPx: ticker.ask ? price(ticker.ask[0]) : '',
    askSz: ticker.ask ? size(ticker.ask[1]) : '',
    bidPx: ticker.bid ? price(ticker.bid[0]) : '',
    bidSz: ticker.bid ? size(ticker.bid[1]) : '',
    open24h: price(ticker.open),
    high24h: price(ticker.high),
    low24h: price(ticker.low),
    volCcy24h: decimalText(ticker.turnover, spec.tickScale + spec.lotScale),
    vol24h: size(ticker.volume),
    ts: String(ticker.time),
    sodUtc0: '',
    sodUtc8: '',
  };
}

export const levelRow = (spec: MarketSpec, [price, lots, orders]: Level): string[] => [
  decimalText(price, spec.tickScale),
  decimalText(lots, spec.lotScale),
  '0',
  String(orders),
];

export const tradeRow = (spec: MarketSpec, trade: Trade): Record<string, string> => ({
  instId: spec.symbol,
  tradeId: String(trade.id),
  px: decimalText(trade.price, spec.tickScale),
  sz: decimalText(trade.quantity, spec.lotScale),
  side: trade.takerSide === 0 ? 'buy' : 'sell',
  ts: String(trade.time),
});

/** `[ts, o, h, l, c, vol, volCcy, volCcyQuote, confirm]`; on spot volCcy is in the quote coin, as OKX has it. */
export function candleRow(spec: MarketSpec, bar: Bar, isClosed: boolean): string[] {
  const price = (ticks: number) => decimalText(ticks, spec.tickScale);
  const turnover = decimalText(bar.turnover, spec.tickScale + spec.lotScale);
  return [
    String(bar.time),
    price(bar.open),
    price(bar.high),
    price(bar.low),
    price(bar.close),
    decimalText(bar.volume, spec.lotScale),
    turnover,
    turnover,
    isClosed ? '1' : '0',
  ];
}
