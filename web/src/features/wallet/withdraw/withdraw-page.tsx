/** Sends coins out: which coin, by which network, to which address, and what has become of earlier ones. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../../lib/i18n.ts';
import { privateStream, useStale } from '../../../lib/streams.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { Page } from '../../../ui/page.tsx';
import { Empty, ErrorState, SkeletonRows, StaleBadge } from '../../../ui/states.tsx';
import { BackButton } from '../back-button.tsx';
import { HeldAlert } from './held-alert.tsx';
import { LimitsCard } from './limits-card.tsx';
import { useWithdrawForm, type WithdrawCoin } from './use-withdraw-form.ts';
import classes from './withdraw.module.css';
import { WithdrawFields } from './withdraw-fields.tsx';
import { networksQuery } from './withdraw-queries.ts';
import { WithdrawalList } from './withdrawal-list.tsx';

export function WithdrawPage() {
  useTitle(t('Withdraw'));
  const isStale = useStale(privateStream);
  const networks = useQuery(networksQuery);
  const navigate = useNavigate();
  /** Each withdrawal begins with a form of its own. */
  const [round, setRound] = useState(0);
  const coins = networks.data?.coins.filter((coin) => coin.networks.length > 0);
  return (
    <Page title={t('Withdraw')} actions={<BackButton />}>
      {isStale && (
        <p className={classes.stale}>
          <StaleBadge />
        </p>
      )}
      <HeldAlert />
      {coins && coins.length > 0 ? (
        <Withdrawing
          key={round}
          coins={coins}
          onSent={(coin) => {
            setRound(round + 1);
            // Without the address that another screen may have handed over.
            void navigate({ search: `?coin=${coin}` }, { replace: true });
          }}
        />
      ) : (
        <section className={classes.card} aria-label={t('Withdraw')}>
          {networks.isPending && <SkeletonRows rows={6} columns={2} />}
          {networks.isError && !coins && <ErrorState error={networks.error} onRetry={() => void networks.refetch()} />}
          {coins && <Empty title={t('Withdrawals are not available right now.')} />}
        </section>
      )}
      <section className={classes.recent} aria-label={t('Recent withdrawals')}>
        <h2 className={classes.heading}>{t('Recent withdrawals')}</h2>
        <WithdrawalList label={t('Recent withdrawals')} />
      </section>
    </Page>
  );
}

interface WithdrawingProps {
  readonly coins: readonly WithdrawCoin[];
  readonly onSent: (coin: string) => void;
}

function Withdrawing({ coins, onSent }: WithdrawingProps) {
  const form = useWithdrawForm(coins);
  return (
    <section className={classes.card} aria-label={t('Withdraw')}>
      <WithdrawFields coins={coins} form={form} onSent={onSent} />
      <LimitsCard form={form} />
    </section>
  );
}
