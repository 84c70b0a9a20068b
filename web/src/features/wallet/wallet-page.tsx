import type { AnswerOf } from '@cambist/contract/call.ts';
import type { spotWallet } from '@cambist/contract/wallets.ts';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { compare, type Decimal, decimal } from '../../lib/decimal.ts';
import { msg, t } from '../../lib/i18n.ts';
import { spotWalletQuery } from '../../lib/queries/account.ts';
import { useIsDevelopment } from '../../lib/queries/platform.ts';
import { useTitle } from '../../lib/use-title.ts';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { type Column, DenseTable } from '../../ui/dense-table.tsx';
import { Amount } from '../../ui/figures.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { IconSearch } from '../../ui/icons.ts';
import { Pager, usePages } from '../../ui/pager.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { AccountTiles } from './account-tiles.tsx';
import { FaucetDialog } from './faucet-dialog.tsx';
import { TotalCard } from './total-card.tsx';
import classes from './wallet-page.module.css';

type Coin = AnswerOf<typeof spotWallet>['wallet'][number];

const PAGE_SIZE = 30;
const BALANCE_DIGITS = 4;
const SMALL: Decimal = { units: 1n, scale: BALANCE_DIGITS };

const columns: readonly Column<Coin>[] = [
  {
    id: 'coin',
    title: msg('Name'),
    cell: (coin) => (
      <span className={classes.coin}>
        <CoinIcon code={coin.name} size={26} />
        <span className={classes.names}>
          <span className={classes.code}>{coin.name}</span>
          <span className={classes.full}>{coin.full_name}</span>
        </span>
      </span>
    ),
  },
  {
    id: 'available',
    title: msg('Available'),
    align: 'right',
    cell: (coin) => <Amount value={coin.coin_value} digits={digitsOf(coin.coin_value)} />,
  },
  {
    id: 'held',
    title: msg('In orders'),
    align: 'right',
    wideOnly: true,
    cell: (coin) => <Amount value={coin.freeze_value} digits={digitsOf(coin.freeze_value)} />,
  },
  {
    id: 'value',
    title: msg('Value (USDT)'),
    align: 'right',
    cell: (coin) => <Amount value={coin.usdt_value} digits={2} />,
  },
  {
    id: 'trade',
    title: <HiddenText text={msg('Trade')} />,
    align: 'right',
    wideOnly: true,
    cell: (coin) =>
      coin.name === 'USDT' ? null : (
        <Button component={Link} to={`/trades/spot/${coin.name}`} size="compact-sm" variant="default">
          {t('Trade')}
        </Button>
      ),
  },
];

/** Four decimals, but what a person owns is never shown as nothing. */
function digitsOf(value: string): number {
  const exact = decimal(value);
  return exact.units > 0n && compare(exact, SMALL) < 0 ? exact.scale : BALANCE_DIGITS;
}

function isEmpty(coin: Coin): boolean {
  return decimal(coin.coin_value).units === 0n && decimal(coin.freeze_value).units === 0n;
}

export function WalletPage() {
  useTitle(t('Wallet'));
  const [funding, faucet] = useDisclosure(false);
  const fund = useIsDevelopment() ? faucet.open : undefined;
  return (
    <div className={classes.page}>
      <TotalCard onFund={fund} />
      <AccountTiles />
      <Coins onFund={fund} />
      <FaucetDialog opened={funding} onClose={faucet.close} />
    </div>
  );
}

function Coins({ onFund }: { readonly onFund: (() => void) | undefined }) {
  const wallet = useQuery(spotWalletQuery);
  const [search, setSearch] = useState('');
  const [hideEmpty, setHideEmpty] = useState(true);
  const all = wallet.data?.wallet ?? [];
  const wanted = search.trim().toLowerCase();
  const found = all.filter(
    (coin) =>
      (!hideEmpty || wanted !== '' || !isEmpty(coin)) &&
      `${coin.name} ${coin.full_name}`.toLowerCase().includes(wanted),
  );
  const { rows, page, count, setPage } = usePages(found, PAGE_SIZE);
  return (
    <section aria-label={t('Coins')}>
      <div className={classes.tools}>
        <h2 className={classes.heading}>{t('Coins')}</h2>
        <Checkbox
          size="xs"
          label={t('Hide empty')}
          checked={hideEmpty}
          onChange={(event) => setHideEmpty(event.currentTarget.checked)}
        />
        <TextInput
          size="xs"
          aria-label={t('Search coins')}
          placeholder={t('Search')}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      <div className={classes.list}>
        {wallet.isPending && <SkeletonRows rows={6} columns={4} />}
        {wallet.isError && all.length === 0 && (
          <ErrorState error={wallet.error} onRetry={() => void wallet.refetch()} />
        )}
        {wallet.data && found.length === 0 && <NoCoins searching={wanted !== ''} onFund={onFund} />}
        {found.length > 0 && (
          <DenseTable tall label={t('Coins')} columns={columns} rows={rows} rowKey={(coin) => coin.name} />
        )}
      </div>
      <Pager page={page} count={count} onChange={setPage} />
    </section>
  );
}

interface NoCoinsProps {
  readonly searching: boolean;
  readonly onFund: (() => void) | undefined;
}

function NoCoins({ searching, onFund }: NoCoinsProps) {
  if (searching) return <Empty title={t('No coin matches.')} />;
  return (
    <Empty
      title={t('Your wallet is empty. Your coins and what they are worth will be listed here.')}
      action={
        onFund && (
          <Button variant="default" onClick={onFund}>
            {t('Get development funds')}
          </Button>
        )
      }
    />
  );
}
