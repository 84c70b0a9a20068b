/** Rows in the OKX v5 shape; the REST calls and the websocket share them. */
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { notional } from '@cambist/core/money/notional.ts';
import type { MarketInfo } from '../instruments/service.ts';
import { decimalText } from './decimal.ts';
import type { LiquidatedLots, PerpetualFigures } from './market.ts';
import type { Bar, Level, Ticker, Trade } from './service.ts';

interface Listing {
  readonly listedAt: number;
  /** Ms; 0 of a market whose end is not announced. */
  readonly endsAt: number;
  readonly isHalted: boolean;
  /** Ms; 0 of a market that does not pause. */
  readonly pausedUntil: number;
}

/** Empty for none, as times are in these rows. */
const timeText = (time: number): string => (time === 0 ? '' : String(time));

export const typeOf = ({ perpetual }: MarketSpec): 'SPOT' | 'SWAP' => (perpetual === undefined ? 'SPOT' : 'SWAP');

/** The index that a perpetual follows, by the name of its coin's spot market. */
export const underlyingOf = ({ base, quote }: MarketSpec): string => `${base.code}-${quote.code}`;

/** A contract of a perpetual is one coin, of which parts are traded: sizes are in coins everywhere. */
function contractOf(spec: MarketSpec): Record<string, string> {
  const { base, quote, perpetual } = spec;
  const contract = {
    ctVal: '',
    ctMult: '',
    ctValCcy: '',
    ctType: '',
    lever: '',
    uly: '',
    instFamily: '',
    settleCcy: '',
  };
  if (perpetual === undefined) return { ...contract, baseCcy: base.code, quoteCcy: quote.code };
  const underlying = underlyingOf(spec);
  return {
    ...{ ctVal: '1', ctMult: '1', ctValCcy: base.code, ctType: 'linear', settleCcy: quote.code },
    ...{ uly: underlying, instFamily: underlying, baseCcy: '', quoteCcy: '' },
    lever: String(perpetual.tiers[0]?.maximumLeverage ?? 1),
  };
}

export function instrumentRow(
  { spec }: MarketInfo,
  { listedAt, endsAt, isHalted, pausedUntil }: Listing,
): Record<string, string> {
  return {
    instType: typeOf(spec),
    instId: spec.symbol,
    ...contractOf(spec),
    optType: '',
    stk: '',
    listTime: String(listedAt),
    expTime: timeText(endsAt),
    tickSz: decimalText(1, spec.tickScale),
    lotSz: decimalText(1, spec.lotScale),
    minSz: decimalText(spec.minimumLots, spec.lotScale),
    alias: '',
    state: isHalted || pausedUntil > 0 ? 'suspend' : 'live',
    pauseEnd: timeText(pausedUntil),
    maxLmtSz: decimalText(spec.maximumLots, spec.lotScale),
    maxMktSz: decimalText(spec.maximumLots, spec.lotScale),
  };
}

/** `''` for a price that is not known, as OKX has it. */
const priceOf = (spec: MarketSpec, ticks: number): string => (ticks === 0 ? '' : decimalText(ticks, spec.tickScale));

export function tickerRow(spec: MarketSpec, ticker: Ticker): Record<string, string> {
  const price = (ticks: number) => priceOf(spec, ticks);
  const size = (lots: number) => decimalText(lots, spec.lotScale);
  const turnover = decimalText(ticker.turnover, spec.tickScale + spec.lotScale);
  return {
    instType: typeOf(spec),
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
    volCcy24h: spec.perpetual === undefined ? turnover : size(ticker.volume),
    vol24h: size(ticker.volume),
    ts: String(ticker.time),
    sodUtc0: '',
    sodUtc8: '',
    refPx: spec.perpetual === undefined ? price(ticker.reference) : '',
    pauseEnd: timeText(ticker.pausedUntil),
    // Ours, as the pause: an open page closes its order form by them.
    state: ticker.isDelisted ? 'expired' : 'live',
    closeOnlyTime: timeText(ticker.closeOnlyAt),
    expTime: timeText(ticker.endsAt),
  };
}

/** A level that is gone has the size `0`, without decimals: clients compare the text. */
export const levelRow = (spec: MarketSpec, [price, lots, orders]: Level): string[] => [
  decimalText(price, spec.tickScale),
  lots === 0 ? '0' : decimalText(lots, spec.lotScale),
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

/** `[ts, o, h, l, c, vol, volCcy, volCcyQuote, confirm]`; on spot volCcy is in the quote coin, on swaps in the base coin. */
export function candleRow(spec: MarketSpec, bar: Bar, isClosed: boolean): string[] {
  const price = (ticks: number) => decimalText(ticks, spec.tickScale);
  const volume = decimalText(bar.volume, spec.lotScale);
  const turnover = decimalText(bar.turnover, spec.tickScale + spec.lotScale);
  return [
    String(bar.time),
    price(bar.open),
    price(bar.high),
    price(bar.low),
    price(bar.close),
    volume,
    spec.perpetual === undefined ? turnover : volume,
    turnover,
    isClosed ? '1' : '0',
  ];
}

/** `[ts, o, h, l, c, confirm]`, of a mark or an index. */
export function priceCandleRow({ tickScale }: MarketSpec, bar: Bar, isClosed: boolean): string[] {
  const prices = [bar.open, bar.high, bar.low, bar.close].map((ticks) => decimalText(ticks, tickScale));
  return [String(bar.time), ...prices, isClosed ? '1' : '0'];
}

/** Of a funding rate in parts per billion. */
const RATE_DECIMALS = 9;
export const rateOf = (ppb: number): string => decimalText(ppb, RATE_DECIMALS);

export const markPriceRow = (spec: MarketSpec, { mark, time }: PerpetualFigures): Record<string, string> => ({
  ...{ instType: 'SWAP', instId: spec.symbol, markPx: priceOf(spec, mark), ts: String(time) },
});

/** Of its day nothing is kept. */
export const indexRow = (spec: MarketSpec, { index, time }: PerpetualFigures): Record<string, string> => ({
  ...{ instId: underlyingOf(spec), idxPx: priceOf(spec, index), ts: String(time) },
  ...{ high24h: '', low24h: '', open24h: '', sodUtc0: '', sodUtc8: '' },
});

/** The rate is that of the interval at whose end it is settled: the one after it is not known yet. */
export function fundingRateRow(spec: MarketSpec, figures: PerpetualFigures): Record<string, string> {
  const { intervalMs, capPpb, interestPpb, impactValue } = spec.perpetual!.funding;
  const { nextFundingAt, ratePpb, time } = figures;
  const isKnown = nextFundingAt > 0;
  return {
    ...{ instType: 'SWAP', instId: spec.symbol, method: 'current_period', formulaType: 'noRate' },
    fundingRate: isKnown ? rateOf(ratePpb) : '',
    fundingTime: isKnown ? String(nextFundingAt) : '',
    nextFundingRate: '',
    nextFundingTime: isKnown ? String(nextFundingAt + intervalMs) : '',
    ...{ minFundingRate: rateOf(-capPpb), maxFundingRate: rateOf(capPpb), interestRate: rateOf(interestPpb) },
    ...{
      impactValue: formatAmount(impactValue, spec.quote.scale),
      settState: 'settled',
      settFundingRate: '',
      premium: '',
    },
    ts: String(time),
  };
}

export function openInterestRow(spec: MarketSpec, { openLots, mark, time }: PerpetualFigures): Record<string, string> {
  const coins = decimalText(openLots, spec.lotScale);
  const value = formatAmount(notional(spec, mark, openLots), spec.quote.scale);
  return { instType: 'SWAP', instId: spec.symbol, oi: coins, oiCcy: coins, oiUsd: value, ts: String(time) };
}

/** At which price the order may trade at worst is its owner's: the mark at which it was made stands for it. */
export function liquidationRow(spec: MarketSpec, liquidated: readonly LiquidatedLots[]) {
  const underlying = underlyingOf(spec);
  return {
    ...{ instType: 'SWAP', instId: spec.symbol, instFamily: underlying, uly: underlying },
    details: liquidated.map(({ direction, lots, mark, time }) => ({
      side: direction > 0 ? 'sell' : 'buy',
      posSide: 'net',
      ...{ bkPx: priceOf(spec, mark), sz: decimalText(lots, spec.lotScale), bkLoss: '0', ccy: '', ts: String(time) },
    })),
  };
}
