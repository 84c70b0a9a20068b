/** What the header says of a perpetual beside its price. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { Link } from 'react-router';
import { formatCompact, formatPercent, formatPrice } from '../../../lib/format.ts';
import { countdown } from '../../../lib/futures/countdown.ts';
import { inPercent } from '../../../lib/futures/figures.ts';
import { useMarketPrices, useOpenInterest } from '../../../lib/futures/prices.ts';
import { t } from '../../../lib/i18n.ts';
import { usePairFigures } from '../../../lib/market/pairs.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Figure, ScrolledFigures } from '../pair-header.tsx';
import type { MarketProps } from '../terminal.ts';

const SECOND_MS = 1_000;
/** Funding rates are shown with four decimals of a percent. */
const RATE_DIGITS = 4;

function Countdown({ to }: { readonly to: number }) {
  return <span>{countdown(to - useNow(SECOND_MS))}</span>;
}

const price = (value: string | undefined, pair: CoinPair) => formatPrice(value, pair.price_scale);

export function MarketFigures({ pair }: MarketProps) {
  const figures = usePairFigures(pair);
  const { pair_name: symbol, coin } = pair;
  const { mark, index, rate, nextAt } = useMarketPrices(symbol);
  const interest = useOpenInterest(symbol);
  return (
    <ScrolledFigures>
      <Figure title={t('Mark price')} hint={t('Positions are valued and liquidated by it')}>
        {price(mark, pair)}
      </Figure>
      <Figure title={t('Index price')}>{price(index, pair)}</Figure>
      <Figure title={t('Funding / Countdown')} hint={t('Above zero longs pay shorts, below zero shorts pay longs')}>
        <Link to={`/futures/funding?pair=${symbol}`}>{rate ? formatPercent(inPercent(rate), RATE_DIGITS) : '–'}</Link>
        {nextAt > 0 && ' / '}
        {nextAt > 0 && <Countdown to={nextAt} />}
      </Figure>
      <Figure title={t('Open interest ({{coin}})', { coin })}>{interest ? formatCompact(interest) : '–'}</Figure>
      <Figure title={t('24h high')}>{price(figures.high, pair)}</Figure>
      <Figure title={t('24h low')}>{price(figures.low, pair)}</Figure>
      <Figure title={t('24h volume ({{coin}})', { coin })}>{formatCompact(figures.volume)}</Figure>
    </ScrolledFigures>
  );
}
