/** All wallets together: in a currency of the person's choice, with the ways in and out, and once more in USDT. */
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { toText } from '../../../lib/decimal.ts';
import { decimalMark, formatDecimal, formatPercent } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { overviewQuery } from '../../../lib/queries/account.ts';
import { privateStream, useStale } from '../../../lib/streams.ts';
import { directionOf } from '../../../ui/figures.tsx';
import { ErrorState, StaleBadge } from '../../../ui/states.tsx';
import { HideButton, Private } from '../hide-button.tsx';
import walletClasses from '../wallet-page.module.css';
import { CURRENCIES, type Currency, TOTAL_DIGITS, useCurrency, useTotalIn } from './currency.ts';
import classes from './overview.module.css';

interface TotalCardProps {
  /** Only where development funds exist. */
  readonly onFund: (() => void) | undefined;
}

export function TotalCard({ onFund }: TotalCardProps) {
  const overview = useQuery(overviewQuery);
  const stale = useStale(privateStream);
  if (overview.isError && !overview.data) {
    return <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />;
  }
  return (
    <section className={walletClasses.total} aria-label={t('Total balance')}>
      <div>
        <div className={walletClasses.caption}>
          <h1>{t('Total balance')}</h1>
          <HideButton />
          {stale && <StaleBadge />}
        </div>
        <Sum total={overview.data?.overviewTotal} />
        <Today pnl={overview.data?.pnl} />
      </div>
      <div className={walletClasses.actions}>
        <Button component={Link} to="/wallet/deposit">
          {t('Deposit')}
        </Button>
        <Button component={Link} to="/wallet/withdraw" variant="default">
          {t('Withdraw')}
        </Button>
        <Button component={Link} to="/wallet/transfer" variant="default">
          {t('Transfer')}
        </Button>
        <Button component={Link} to="/history" variant="default">
          {t('History')}
        </Button>
        {onFund && (
          <Button variant="subtle" onClick={onFund}>
            {t('Get development funds')}
          </Button>
        )}
      </div>
    </section>
  );
}

function Sum({ total }: { readonly total: string | undefined }) {
  const { currency, choose } = useCurrency();
  const shown = useTotalIn(currency, total);
  return (
    <div className={`${walletClasses.sum} ${classes.sum}`}>
      {shown === undefined ? (
        <span className={walletClasses.bone} />
      ) : (
        <Private>
          <Total value={toText(shown)} />
        </Private>
      )}
      <NativeSelect
        size="sm"
        className={classes.currency}
        aria-label={t('Currency of the total')}
        data={CURRENCIES}
        value={currency}
        onChange={(event) => choose(event.currentTarget.value as Currency)}
      />
    </div>
  );
}

function Total({ value }: { readonly value: string }) {
  const text = formatDecimal(value, TOTAL_DIGITS);
  const mark = text.lastIndexOf(decimalMark());
  return (
    <span>
      {text.slice(0, mark)}
      <span className={walletClasses.cents}>{text.slice(mark)}</span>
    </span>
  );
}

function Today({ pnl }: { readonly pnl: { readonly value: string; readonly percentage: string } | undefined }) {
  if (!pnl) return <p className={walletClasses.today}>{t('Today –')}</p>;
  const direction = directionOf(pnl.value);
  const sign = direction === 'up' ? '+' : direction === 'down' ? '−' : '';
  return (
    <p
      className={walletClasses.today}
      title={t('Since midnight UTC, excluding deposits, withdrawals and unrealized futures P/L')}
    >
      {t('Today')}{' '}
      <span className={walletClasses[direction]}>
        <Private>
          {sign}
          {formatDecimal(pnl.value.replace('-', ''), 2)} USDT
        </Private>{' '}
        ({formatPercent(pnl.percentage)})
      </span>
    </p>
  );
}

/** The total in USDT whatever currency is chosen above, and the ways in and out beside it. */
export function UsdtCard() {
  const overview = useQuery(overviewQuery).data;
  const title = t('Total Balance (USDT)');
  return (
    <section className={classes.card} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.figure}>
        {overview === undefined ? (
          <span className={walletClasses.bone} />
        ) : (
          <Private>{formatDecimal(overview.overviewTotal, TOTAL_DIGITS)}</Private>
        )}
      </p>
      <Today pnl={overview?.pnl} />
      <div className={classes.ways}>
        <Button component={Link} to="/wallet/deposit" size="compact-md">
          {t('Deposit')}
        </Button>
        <Button component={Link} to="/wallet/withdraw" size="compact-md" variant="default">
          {t('Withdraw')}
        </Button>
        <Button component={Link} to="/wallet/transfer" size="compact-md" variant="default">
          {t('Transfer')}
        </Button>
      </div>
    </section>
  );
}
