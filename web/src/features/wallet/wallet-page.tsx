import { Button, Checkbox, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCostBasis } from '../../lib/cost-basis.ts';
import { t } from '../../lib/i18n.ts';
import { spotWalletQuery } from '../../lib/queries/account.ts';
import { useIsDevelopment } from '../../lib/queries/platform.ts';
import { useTitle } from '../../lib/use-title.ts';
import { CardList, usePhone } from '../../ui/card-list.tsx';
import { DenseTable } from '../../ui/dense-table.tsx';
import { IconSearch } from '../../ui/icons.ts';
import { Pager, usePages } from '../../ui/pager.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { AccountTiles } from './account-tiles.tsx';
import { type Coin, coinColumns, isEmpty } from './coin-columns.tsx';
import { FaucetDialog } from './faucet-dialog.tsx';
import { TotalCard } from './total-card.tsx';
import classes from './wallet-page.module.css';

const PAGE_SIZE = 30;

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
        {found.length > 0 && <CoinRows rows={rows} />}
      </div>
      {found.length > 0 && (
        <p className={classes.method}>
          {t(
            'Average cost and P/L are in USDT, by weighted average, over all your wallets and after fees. Coins that arrive without a trade count at their price at that moment. Unrealized P/L is before the fee of a sale. Today starts at midnight UTC.',
          )}
        </p>
      )}
      <Pager page={page} count={count} onChange={setPage} />
    </section>
  );
}

function CoinRows({ rows }: { readonly rows: readonly Coin[] }) {
  const columns = coinColumns(useCostBasis());
  const list = { label: t('Coins'), columns, rows, rowKey: (coin: Coin) => coin.name };
  return usePhone() ? <CardList {...list} /> : <DenseTable tall {...list} />;
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
