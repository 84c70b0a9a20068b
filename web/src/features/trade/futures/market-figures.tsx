/** What the header says of a perpetual beside its price. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { useEffect, useState } from 'react';
import { decimal, multiply, toText } from '../../../lib/decimal.ts';
import { formatCompact, formatDecimal, formatPercent } from '../../../lib/format.ts';
import { useFundingRate, useIndexPrice, useMark, useOpenInterest } from '../../../lib/futures/prices.ts';
import { t } from '../../../lib/i18n.ts';
import { usePairFigures } from '../../../lib/market/pairs.ts';
import { Figure, FigureRow } from '../pair-header.tsx';

const SECOND_MS = 1_000;
/** Funding rates are shown with four decimals of a percent. */
const RATE_DIGITS = 4;

const two = (value: number) => String(value).padStart(2, '0');

/** `07:59:30`. */
export function countdown(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / SECOND_MS));
  return [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function Countdown({ to }: { readonly to: number }) {
  return <span>{countdown(to - useNow())}</span>;
}

const price = (value: string | undefined, pair: CoinPair) => (value ? formatDecimal(value, pair.price_scale) : '–');

export function MarketFigures({ pair }: { readonly pair: CoinPair }) {
  const figures = usePairFigures(pair);
  const { pair_name: symbol, coin } = pair;
  const mark = useMark(symbol);
  const index = useIndexPrice(symbol);
  const funding = useFundingRate(symbol);
  const interest = useOpenInterest(symbol);
  const rate = funding && multiply(decimal(funding.fundingRate), { units: 100n, scale: 0 });
  return (
    <FigureRow>
      <Figure title={t('Mark price')} hint={t('Positions are valued and liquidated by it')}>
        {price(mark, pair)}
      </Figure>
      <Figure title={t('Index price')}>{price(index, pair)}</Figure>
      <Figure title={t('Funding / Countdown')} hint={t('Above zero longs pay shorts, below zero shorts pay longs')}>
        {rate ? formatPercent(rate, RATE_DIGITS) : '–'}
        {funding && ' / '}
        {funding && <Countdown to={Number(funding.fundingTime)} />}
      </Figure>
      <Figure title={t('Open interest ({{coin}})', { coin })}>{interest ? formatCompact(interest) : '–'}</Figure>
      <Figure title={t('24h high')}>{price(figures.high, pair)}</Figure>
      <Figure title={t('24h low')}>{price(figures.low, pair)}</Figure>
      <Figure title={t('24h volume ({{coin}})', { coin })}>{formatCompact(toText(decimal(figures.volume)))}</Figure>
    </FigureRow>
  );
}
