/** A short, honest landing: what it is, how to begin, and what the market does right now. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { dollarScale, usePairFigures, usePairs } from '../../lib/market/pairs.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useTitle } from '../../lib/use-title.ts';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { Change, directionOf, Price } from '../../ui/figures.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './home-page.module.css';

const TOP = 6;

const POINTS = [
  {
    title: 'Nothing hidden',
    text: 'Before you confirm, every order shows its price, its fee and what you will receive, in amounts.',
  },
  {
    title: 'Exact to the last digit',
    text: 'Balances are whole numbers in a double-entry ledger. Nothing is rounded in anyone’s favour unseen.',
  },
  {
    title: 'Open source',
    text: 'Read how orders are matched, run your own exchange, and connect with the programs you already have.',
  },
] as const;

export function HomePage() {
  useTitle('');
  const signedIn = useSignedIn();
  return (
    <div className={classes.page}>
      <section className={classes.hero}>
        <div className={classes.words}>
          <h1 className={classes.headline}>{t('Trade crypto on an exchange you can read.')}</h1>
          <p className={classes.lead}>
            {t('Cambist is a complete, open exchange: a fast order book, live charts and a wallet, without noise.')}
          </p>
          <div className={classes.actions}>
            <Button component={Link} to={signedIn ? '/wallet' : '/signup'} size="md">
              {signedIn ? 'Go to wallet' : 'Get started'}
            </Button>
            <Button component={Link} to="/trades/spot" size="md" variant="default">
              {t('See the market')}
            </Button>
          </div>
        </div>
        <TopPairs />
      </section>
      <section className={classes.points} aria-label={t('Why Cambist')}>
        {POINTS.map((point) => (
          <div key={point.title}>
            <h2 className={classes.pointTitle}>{point.title}</h2>
            <p className={classes.pointText}>{point.text}</p>
          </div>
        ))}
      </section>
    </div>
  );
}

function TopPairs() {
  const pairs = usePairs();
  const top = [...(pairs.data ?? [])].sort((a, b) => Number(b.volume_quote) - Number(a.volume_quote)).slice(0, TOP);
  return (
    <section className={classes.card} aria-label={t('Popular coins')}>
      <header className={classes.cardHead}>
        <h2 className={classes.cardTitle}>{t('Popular coins')}</h2>
        <Link to="/markets" className={classes.all}>
          {t('View all')}
        </Link>
      </header>
      <div className={classes.rows}>
        {pairs.isPending && <SkeletonRows rows={TOP} />}
        {pairs.isError && <ErrorState error={pairs.error} onRetry={() => void pairs.refetch()} />}
        {pairs.data?.length === 0 && <Empty title={t('No coins found')} />}
        {top.map((pair) => (
          <TopRow key={pair.pair_name} pair={pair} />
        ))}
      </div>
    </section>
  );
}

function TopRow({ pair }: { readonly pair: CoinPair }) {
  const figures = usePairFigures(pair);
  return (
    <Link to={`/trades/spot/${pair.coin}`} className={classes.row}>
      <CoinIcon code={pair.coin} size={28} />
      <span className={classes.names}>
        <span className={classes.coin}>{pair.coin}</span>
        <span className={classes.full}>{pair.name}</span>
      </span>
      <Sparkline points={pair.sparkline} up={directionOf(figures.change) !== 'down'} width={76} />
      <span className={classes.figures}>
        <span>
          $<Price value={figures.close} scale={dollarScale(pair)} />
        </span>
        <span className={classes.change}>
          <Change value={figures.change} />
        </span>
      </span>
    </Link>
  );
}
