/** Hot and cold wallets of each network with their bounds, and what moves between them and the addresses of clients. */
import { Badge, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { decimal } from '../../../lib/decimal.ts';
import { formatDate, formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { type ListColumn, RowList } from '../../../ui/card-list.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import { HiddenText } from '../../../ui/hidden-text.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from '../console.module.css';
import { Section } from '../section.tsx';
import { ColdReserves } from './cold-reserves.tsx';
import { BoundsDialog, SweepPolicyDialog } from './hot-cold-dialogs.tsx';
import { MoveTable, SweepTable } from './hot-cold-moves.tsx';
import own from './treasury.module.css';
import { type HotAndCold, hotAndColdQuery } from './treasury-queries.ts';

type Network = HotAndCold['networks'][number];
type Wallet = Network['wallets'][number];

const exact = (amount: string | null) => (amount === null ? '–' : formatExact(decimal(amount)));

export function HotColdTab() {
  const { data, error, isPending, refetch } = useQuery(hotAndColdQuery);
  if (isPending) return <SkeletonRows rows={10} columns={5} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <MoveTable moves={data.moves} />
      <ColdReserves />
      {data.networks.map((network) => (
        <NetworkWallets key={network.network} of={network} />
      ))}
      <SweepTable sweeps={data.sweeps} />
    </>
  );
}

const bounded = ({ bounds }: Wallet) =>
  bounds === null ? '–' : [bounds.low, bounds.target, bounds.high].map(exact).join(' / ');

const columnsOf = (network: string, open: (wallet: Wallet) => void): readonly ListColumn<Wallet>[] => [
  { id: 'coin', title: msg('Coin'), card: 'head', cell: ({ coin }) => <strong>{coin}</strong> },
  { id: 'hot', title: msg('Hot wallet'), align: 'right', cell: ({ hot }) => exact(hot) },
  { id: 'cold', title: msg('Cold wallet'), align: 'right', cell: ({ cold }) => exact(cold) },
  {
    id: 'addresses',
    title: msg('At client addresses'),
    align: 'right',

    cell: ({ at_addresses: amount, addresses }) => (addresses === 0 ? '–' : `${exact(amount)} (${addresses})`),
  },
  { id: 'bounds', title: msg('Low / target / high'), align: 'right', cell: bounded },
  {
    id: 'change',
    title: <HiddenText text={msg('Change')} />,
    align: 'right',
    pinned: true,
    card: 'corner',
    cell: (wallet) => (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('Change the bounds of {{coin}} on {{network}}', { coin: wallet.coin, network })}
        onClick={() => open(wallet)}
      >
        {t('Change')}
      </Button>
    ),
  },
];

/** What was set by hand as the price of the chain's own coin, with its day. */
function CoinPrice({ of }: { readonly of: NonNullable<Network['sweeps']> }) {
  const { own_coin: coin, coin_price: price, coin_price_at: at, has_market: hasMarket } = of;
  if (price === null || at === null) {
    return hasMarket ? null : <span className={own.warning}>{t('No market has a price of {{coin}}', { coin })}</span>;
  }
  const figures = { coin, price: formatExact(decimal(price)), day: formatDate(at) };
  return (
    <span className={classes.quiet}>
      {t('1 {{coin}} = {{price}} USDT, set by hand on {{day}}', figures)}
      {hasMarket && ` · ${t('not used while a market has a price')}`}
    </span>
  );
}

function NetworkWallets({ of }: { readonly of: Network }) {
  const { network, sweeps, cold_address: cold, wallets, is_counting: isCounting } = of;
  const [opened, setOpened] = useState<Wallet>();
  const [isSweeping, setSweeping] = useState(false);
  return (
    <Section title={network}>
      {sweeps && (
        <div className={own.sweeping}>
          <Badge variant="light" color={sweeps.is_on ? 'teal' : 'gray'} tt="none" miw="max-content">
            {sweeps.is_on
              ? t('Swept from {{multiple}} times the fee', { multiple: sweeps.least_multiple })
              : t('Not swept')}
          </Badge>
          <CoinPrice of={sweeps} />
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t('Change the sweeps of {{network}}', { network })}
            onClick={() => setSweeping(true)}
          >
            {t('Change')}
          </Button>
        </div>
      )}
      <RowList
        label={t('Wallets of {{network}}', { network })}
        columns={columnsOf(network, setOpened)}
        rows={wallets}
        rowKey={({ coin }) => coin}
      />
      {isCounting && (
        <p className={classes.quiet}>
          {t('The node is counting the coins of these wallets. That can take some minutes.')}
        </p>
      )}
      <div className={own.cold}>
        {cold === null ? (
          <p className={classes.quiet}>{t("The signer's policy names no cold wallet.")}</p>
        ) : (
          <CopyField label={t('Cold wallet')} value={cold} />
        )}
      </div>
      {opened && <BoundsDialog network={network} wallet={opened} onClose={() => setOpened(undefined)} />}
      {isSweeping && sweeps && (
        <SweepPolicyDialog network={network} policy={sweeps} onClose={() => setSweeping(false)} />
      )}
    </Section>
  );
}
