/** The four most traded coins, and the day of the first of them as a line. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { useDeferredValue } from 'react';
import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { dollarScale, usePairFigures, usePairList } from '../../lib/market/pairs.ts';
import { useAsDrawn } from '../../lib/queries/as-drawn.ts';
import { publicStream, useStale } from '../../lib/streams.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { Change, Dollars, directionOf } from '../../ui/figures.tsx';
import { Empty, ErrorState, SkeletonRows, StaleBadge } from '../../ui/states.tsx';
import classes from './coin-box.module.css';
import { DayLine } from './day-line.tsx';

const TOP = 4;

export function CoinBox() {
  const pairs = useAsDrawn(usePairList('home'));
  const stale = useStale(publicStream);
  // Put off, the figures are drawn in small steps.
  const data = useDeferredValue(pairs.data);
  const top = data?.slice(0, TOP) ?? [];
  const first = top[0];
  return (
    <section className={classes.box} aria-label={t('Most traded')}>
      {stale && pairs.data && (
        <span className={classes.stale}>
          <StaleBadge />
        </span>
      )}
      <div className={classes.lead}>{first && <Lead pair={first} />}</div>
      <div className={classes.rows}>
        {!data && !pairs.error && <SkeletonRows rows={TOP} />}
        {pairs.error && <ErrorState error={pairs.error} onRetry={() => void pairs.refetch()} />}
        {data?.length === 0 && <Empty title={t('No coins found')} />}
        {top.map((pair) => (
          <Row key={pair.pair_name} pair={pair} />
        ))}
      </div>
      <ButtonLink to="/markets/trading_data" variant="default" className={classes.all ?? ''}>
        {t('View All Coins')}
      </ButtonLink>
    </section>
  );
}

function Lead({ pair }: { readonly pair: CoinPair }) {
  const figures = usePairFigures(pair);
  return (
    <>
      <div className={classes.leadWords}>
        <span className={classes.leadName}>{t('{{coin}}, the last 24 hours', { coin: pair.name })}</span>
        <span className={classes.leadPrice}>
          <Dollars value={figures.close} digits={dollarScale(pair)} />
        </span>
        <Change value={figures.change} arrow />
      </div>
      <DayLine points={pair.sparkline} up={directionOf(figures.change) !== 'down'} />
    </>
  );
}

function Row({ pair }: { readonly pair: CoinPair }) {
  const figures = usePairFigures(pair);
  return (
    <Link to={`/trades/spot/${pair.coin}`} className={classes.row}>
      <CoinIcon code={pair.coin} size={28} />
      <span className={classes.names}>
        <span className={classes.coin}>{pair.coin}</span>
        <span className={classes.full}>{pair.name}</span>
      </span>
      <Dollars value={figures.close} digits={dollarScale(pair)} />
      <span className={classes.change}>
        <Change value={figures.change} />
      </span>
    </Link>
  );
}
