/** Popular coins with their day, beside the whole market five at a time. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { useDeferredValue } from 'react';
import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { dollarScale, usePairFigures, usePairList } from '../../lib/market/pairs.ts';
import { useAsDrawn } from '../../lib/queries/as-drawn.ts';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { Change, Dollars, directionOf } from '../../ui/figures.tsx';
import { Pager, usePages } from '../../ui/pager.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './market-section.module.css';

const POPULAR = 5;
const TILE_ROWS = 5;

export function MarketSection() {
  const pairs = useAsDrawn(usePairList('home'));
  // Two tables at once are a long task on a phone; put off, they are drawn in small steps.
  const data = useDeferredValue(pairs.data);
  const popular = data?.filter(({ type }) => type === 'MAIN').slice(0, POPULAR) ?? [];
  const tile = usePages(data ?? [], TILE_ROWS);
  const waiting = (
    <>
      {!data && !pairs.error && <SkeletonRows rows={TILE_ROWS} />}
      {pairs.error && <ErrorState error={pairs.error} onRetry={() => void pairs.refetch()} />}
    </>
  );
  return (
    <div className={classes.columns}>
      <section aria-labelledby="popular-coins">
        <h2 id="popular-coins" className={classes.title}>
          {t('Popular coins')}
        </h2>
        <div className={classes.rows}>
          {waiting}
          {popular.map((pair) => (
            <PopularRow key={pair.pair_name} pair={pair} />
          ))}
        </div>
      </section>
      <section aria-labelledby="market-tile">
        <header className={classes.head}>
          <h2 id="market-tile" className={classes.title}>
            {t('The whole market')}
          </h2>
          <Pager page={tile.page} count={tile.count} onChange={tile.setPage} />
        </header>
        <div className={classes.rows}>
          {waiting}
          {tile.rows.map((pair) => (
            <TileRow key={pair.pair_name} pair={pair} />
          ))}
        </div>
      </section>
    </div>
  );
}

function PopularRow({ pair }: { readonly pair: CoinPair }) {
  const figures = usePairFigures(pair);
  return (
    <Link to={`/trades/spot/${pair.coin}`} className={classes.row}>
      <CoinIcon code={pair.coin} size={24} />
      <span className={classes.coin}>
        {pair.coin} <span className={classes.full}>{pair.name}</span>
      </span>
      <Sparkline points={pair.sparkline} up={directionOf(figures.change) !== 'down'} width={84} />
      <Dollars value={figures.close} digits={dollarScale(pair)} />
      <Change value={figures.change} />
    </Link>
  );
}

function TileRow({ pair }: { readonly pair: CoinPair }) {
  const figures = usePairFigures(pair);
  return (
    <Link to={`/trades/spot/${pair.coin}`} className={`${classes.row} ${classes.short}`}>
      <CoinIcon code={pair.coin} size={24} />
      <span className={classes.coin}>{pair.pair_name}</span>
      <Dollars value={figures.close} digits={dollarScale(pair)} />
      <Change value={figures.change} />
    </Link>
  );
}
