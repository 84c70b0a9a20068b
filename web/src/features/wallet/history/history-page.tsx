/** What came in, went out, was bought and was sold: four lists of ten rows a page. */
import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { msg, t } from '../../../lib/i18n.ts';
import { privateStream, useStale } from '../../../lib/streams.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { Page } from '../../../ui/page.tsx';
import { Tabs } from '../../../ui/panel.tsx';
import { StaleBadge } from '../../../ui/states.tsx';
import { DepositList } from '../deposit/deposit-list.tsx';
import { WithdrawalList } from '../withdraw/withdrawal-list.tsx';
import classes from './history.module.css';
import { SideList } from './side-list.tsx';

const TABS = [
  { value: 'deposit', label: msg('Deposit') },
  { value: 'withdrawal', label: msg('Withdrawal') },
  { value: 'buy', label: msg('Buy') },
  { value: 'sell', label: msg('Sell') },
] as const;
type Tab = (typeof TABS)[number]['value'];

export function HistoryPage() {
  useTitle(t('History'));
  const isStale = useStale(privateStream);
  const [search, setSearch] = useSearchParams();
  const tab = TABS.find(({ value }) => value === search.get('tab'))?.value ?? 'deposit';
  return (
    <Page title={t('History')} actions={isStale && <StaleBadge />}>
      <div className={classes.tabs}>
        <Tabs<Tab>
          label={t('History')}
          value={tab}
          options={TABS.map(({ value, label }) => ({ value, label: t(label, { context: 'history' }) }))}
          onChange={(next) => setSearch(next === 'deposit' ? {} : { tab: next }, { replace: true })}
        />
      </div>
      {tab === 'deposit' && <Deposits />}
      {tab === 'withdrawal' && <Withdrawals />}
      {tab === 'buy' && (
        <SideList
          key="buy"
          side="BUY"
          label={t('Buy', { context: 'history' })}
          empty={t('No buy orders yet. Your orders are listed here.')}
        />
      )}
      {tab === 'sell' && (
        <SideList
          key="sell"
          side="SELL"
          label={t('Sell', { context: 'history' })}
          empty={t('No sell orders yet. Your orders are listed here.')}
        />
      )}
    </Page>
  );
}

function Deposits() {
  return (
    <DepositList
      label={t('Deposit', { context: 'history' })}
      emptyAction={
        <Button component={Link} to="/wallet/deposit" variant="default">
          {t('Deposit')}
        </Button>
      }
    />
  );
}

function Withdrawals() {
  return (
    <WithdrawalList
      label={t('Withdrawal', { context: 'history' })}
      emptyAction={
        <Button component={Link} to="/wallet/withdraw" variant="default">
          {t('Withdraw')}
        </Button>
      }
    />
  );
}
