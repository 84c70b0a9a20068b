/** Brings coins in from a chain: which coin, by which network, to which address, and what has come so far. */
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { t } from '../../../lib/i18n.ts';
import { useIsDevelopment } from '../../../lib/queries/platform.ts';
import { privateStream, useStale } from '../../../lib/streams.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { Page } from '../../../ui/page.tsx';
import { lazyPart } from '../../../ui/part.tsx';
import { Empty, ErrorState, SkeletonRows, StaleBadge } from '../../../ui/states.tsx';
import { BackButton } from '../back-button.tsx';
import { coinOf, type DepositCoin, networkOf, useDepositChoice } from '../coin-choice.ts';
import { CoinSelect } from '../coin-select.tsx';
import { NetworkChoice } from '../network-choice.tsx';
import { AddressCard } from './address-card.tsx';
import classes from './deposit.module.css';
import { DepositList } from './deposit-list.tsx';
import { networksQuery } from './deposit-queries.ts';
import { NetworkFacts } from './network-facts.tsx';

const DevelopmentCard = lazyPart(() => import('./development-card.tsx'));

export function DepositPage() {
  useTitle(t('Deposit'));
  const isStale = useStale(privateStream);
  const networks = useQuery(networksQuery);
  const coins = networks.data?.coins.filter((coin) => coin.networks.length > 0);
  return (
    <Page title={t('Deposit')} actions={<BackButton />}>
      {isStale && (
        <p className={classes.stale}>
          <StaleBadge />
        </p>
      )}
      {coins && coins.length > 0 ? (
        <DepositForm coins={coins} />
      ) : (
        <section className={classes.card} aria-label={t('Deposit')}>
          {networks.isPending && <SkeletonRows rows={6} columns={2} />}
          {networks.isError && !coins && <ErrorState error={networks.error} onRetry={() => void networks.refetch()} />}
          {coins && <Empty title={t('Deposits are not available right now.')} />}
        </section>
      )}
      <section className={classes.recent} aria-label={t('Recent Deposits')}>
        <h2 className={classes.heading}>{t('Recent Deposits')}</h2>
        <DepositList label={t('Recent Deposits')} />
      </section>
    </Page>
  );
}

function DepositForm({ coins }: { readonly coins: readonly DepositCoin[] }) {
  const [search, setSearch] = useSearchParams();
  const choice = useDepositChoice();
  const isDevelopment = useIsDevelopment();
  const coin = coinOf(coins, search.get('coin'), choice.coin);
  const network = coin && networkOf(coin, choice.networks[coin.name]);
  if (!coin) return null;
  return (
    <>
      <section className={classes.card} aria-label={t('Deposit')}>
        <div className={classes.what}>
          <CoinSelect
            label={t('Coin')}
            coins={coins.map(({ name, full_name: full }) => ({ code: name, name: full }))}
            value={coin.name}
            onChange={(name) => {
              choice.chooseCoin(name);
              setSearch({ coin: name }, { replace: true });
            }}
          />
          <NetworkChoice
            networks={coin.networks}
            chosen={network}
            hint={t('Choose the network you are sending from. A deposit over any other network will not arrive.')}
            // What it takes, by the operator's figures, and not what is usually said of the network.
            factsOf={({ arrival, credited_at: credited }) => [
              t('Arrives in about {{minutes}} min', { minutes: arrival }),
              t('Confirmations: {{number}}', { number: credited }),
            ]}
            onChoose={(chosen) => choice.chooseNetwork(coin.name, chosen)}
          />
          {network && <NetworkFacts coin={coin.name} network={network} />}
        </div>
        <div className={classes.where}>
          {network ? (
            <AddressCard key={network.value} coin={coin.name} network={network} />
          ) : (
            <Empty title={t('Choose a network to see your {{coin}} address.', { coin: coin.name })} />
          )}
        </div>
      </section>
      {isDevelopment && network?.is_development && (
        <Suspense fallback={<div className={classes.pending} />}>
          <DevelopmentCard key={`${coin.name} ${network.value}`} coin={coin.name} network={network} />
        </Suspense>
      )}
    </>
  );
}
