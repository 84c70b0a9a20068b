/** What the header says of a perpetual beside its price. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { formatCompact, formatDecimal, formatPercent } from '../../../lib/format.ts';
import { countdown } from '../../../lib/futures/countdown.ts';
import { inPercent } from '../../../lib/futures/figures.ts';
import { fundingQuery, useFundingRate, useIndexPrice, useMark, useOpenInterest } from '../../../lib/futures/prices.ts';
import { t } from '../../../lib/i18n.ts';
import { usePairFigures } from '../../../lib/market/pairs.ts';
import { publicStream, useStale } from '../../../lib/streams.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Figure, ScrolledFigures } from '../pair-header.tsx';
import type { MarketProps } from '../terminal.ts';

const SECOND_MS = 1_000;
/** Funding rates are shown with four decimals of a percent. */
const RATE_DIGITS = 4;

function Countdown({ to }: { readonly to: number }) {
  return <span>{countdown(to - useNow(SECOND_MS))}</span>;
}

const price = (value: string | undefined, pair: CoinPair) => (value ? formatDecimal(value, pair.price_scale) : '–');

/** As the specification polls the price of a perpetual, while the stream is away. */
const POLL_MS = 1_000;
const QUIET_MS = 60_000;

/** What the stream says, and before it has spoken, or while it is away, what the call does. */
function useMarketPrices(symbol: string) {
  const stale = useStale(publicStream);
  const asked = useQuery({ ...fundingQuery(symbol), refetchInterval: stale ? POLL_MS : QUIET_MS }).data;
  const [mark, index, funding] = [useMark(symbol), useIndexPrice(symbol), useFundingRate(symbol)];
  const pushed = stale ? undefined : { mark, index, rate: funding?.fundingRate, at: funding?.fundingTime };
  return {
    mark: pushed?.mark ?? asked?.mark_price ?? undefined,
    index: pushed?.index ?? asked?.index_price ?? undefined,
    rate: pushed?.rate ?? asked?.rate ?? undefined,
    nextAt: Number(pushed?.at ?? asked?.next_funding_at ?? 0),
  };
}

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
