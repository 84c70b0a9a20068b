import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { decimalMark, formatDecimal, formatPercent } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { overviewQuery } from '../../lib/queries/account.ts';
import { privateStream, useStale } from '../../lib/streams.ts';
import { directionOf } from '../../ui/figures.tsx';
import { ErrorState, StaleBadge } from '../../ui/states.tsx';
import classes from './wallet-page.module.css';

const TOTAL_DIGITS = 4;

interface TotalCardProps {
  /** Only where development funds exist. */
  readonly onFund: (() => void) | undefined;
}

/** All wallets in USDT, and what today has done to them. */
export function TotalCard({ onFund }: TotalCardProps) {
  const overview = useQuery(overviewQuery);
  const stale = useStale(privateStream);
  if (overview.isError && !overview.data) {
    return <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />;
  }
  const total = overview.data?.overviewTotal;
  return (
    <section className={classes.total} aria-label={t('Total balance')}>
      <div>
        <h1 className={classes.caption}>
          {t('Total balance')} {stale && <StaleBadge />}
        </h1>
        <p className={classes.sum}>
          {total === undefined ? <span className={classes.bone} /> : <Total value={total} />}
          <span className={classes.unit}> USDT</span>
        </p>
        <Today pnl={overview.data?.pnl} />
      </div>
      <div className={classes.actions}>
        {onFund && <Button onClick={onFund}>{t('Get development funds')}</Button>}
        <Button component={Link} to="/wallet/transfer" variant="default">
          {t('Transfer')}
        </Button>
        <Button component={Link} to="/wallet/convert" variant="default">
          {t('Convert')}
        </Button>
        <Button component={Link} to="/trades/spot" variant="default">
          {t('Trade')}
        </Button>
      </div>
    </section>
  );
}

function Total({ value }: { readonly value: string }) {
  const text = formatDecimal(value, TOTAL_DIGITS);
  const mark = text.lastIndexOf(decimalMark());
  return (
    <>
      {text.slice(0, mark)}
      <span className={classes.cents}>{text.slice(mark)}</span>
    </>
  );
}

function Today({ pnl }: { readonly pnl: { readonly value: string; readonly percentage: string } | undefined }) {
  if (!pnl) return <p className={classes.today}>{t('Today –')}</p>;
  const direction = directionOf(pnl.value);
  const sign = direction === 'up' ? '+' : direction === 'down' ? '−' : '';
  return (
    <p className={classes.today} title={t('Since midnight UTC, excluding deposits and withdrawals')}>
      {t('Today')}{' '}
      <span className={classes[direction]}>
        {sign}
        {formatDecimal(pnl.value.replace('-', ''), 2)} USDT ({formatPercent(pnl.percentage)})
      </span>
    </p>
  );
}
