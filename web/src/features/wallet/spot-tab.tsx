/** The spot wallet, coin by coin. */
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCostBasis } from '../../lib/cost-basis.ts';
import { formatDecimal } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { overviewQuery, spotWalletQuery } from '../../lib/queries/account.ts';
import { RowList } from '../../ui/card-list.tsx';
import { IconSearch } from '../../ui/icons.ts';
import { Pager, usePages } from '../../ui/pager.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { type Coin, coinColumns, isSmall } from './coin-columns.tsx';
import { HideButton, Private } from './hide-button.tsx';
import classes from './wallet-page.module.css';

const PAGE_SIZE = 30;

interface SpotTabProps {
  /** Only where development funds exist. */
  readonly onFund: (() => void) | undefined;
}

export function SpotTab({ onFund }: SpotTabProps) {
  const wallet = useQuery(spotWalletQuery);
  const [search, setSearch] = useState('');
  const [hideSmall, setHideSmall] = useState(true);
  const all = wallet.data?.wallet ?? [];
  const wanted = search.trim().toLowerCase();
  const found = all.filter(
    (coin) =>
      (!hideSmall || wanted !== '' || !isSmall(coin)) &&
      `${coin.name} ${coin.full_name}`.toLowerCase().includes(wanted),
  );
  const { rows, page, count, setPage } = usePages(found, PAGE_SIZE);
  return (
    <section aria-label={t('Coins')}>
      <SpotTotal />
      <div className={classes.tools}>
        <h2 className={classes.heading}>{t('Coins')}</h2>
        <Checkbox
          size="xs"
          label={t('Hide small balances')}
          title={t('Below 1 USDT')}
          checked={hideSmall}
          onChange={(event) => setHideSmall(event.currentTarget.checked)}
        />
        <TextInput
          size="xs"
          className={classes.search}
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
            'Average cost and realized P/L are in USDT, by weighted average, over all your wallets and after fees. Coins that arrive without a trade count at their price at that moment. Unrealized P/L is of the coins in this wallet, before the fee of a sale. Today starts at midnight UTC.',
          )}
        </p>
      )}
      <Pager page={page} count={count} onChange={setPage} />
    </section>
  );
}

function SpotTotal() {
  const total = useQuery(overviewQuery).data?.spotTotal;
  return (
    <header className={classes.spotTotal}>
      <div className={classes.caption}>
        <h1>{t('Spot wallet')}</h1>
        <HideButton />
      </div>
      <p className={classes.subtotal}>
        {total === undefined ? (
          <span className={classes.bone} />
        ) : (
          <Private>
            {formatDecimal(total, 2)} <span className={classes.unit}>USDT</span>
          </Private>
        )}
      </p>
    </header>
  );
}

function CoinRows({ rows }: { readonly rows: readonly Coin[] }) {
  const columns = coinColumns(useCostBasis());
  const list = { label: t('Coins'), columns, rows, rowKey: (coin: Coin) => coin.name };
  return <RowList tall {...list} />;
}

interface NoCoinsProps extends SpotTabProps {
  readonly searching: boolean;
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
