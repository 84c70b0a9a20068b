import type { AnswerOf } from '@cambist/contract/call.ts';
import type { spotWallet } from '@cambist/contract/wallets.ts';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type CostBasis, useCostBasis } from '../../lib/cost-basis.ts';
import { add, compare, type Decimal, decimal, divide, toText } from '../../lib/decimal.ts';
import { msg, t } from '../../lib/i18n.ts';
import { spotWalletQuery } from '../../lib/queries/account.ts';
import { useIsDevelopment } from '../../lib/queries/platform.ts';
import { useTitle } from '../../lib/use-title.ts';
import { CardList, type ListColumn, usePhone } from '../../ui/card-list.tsx';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { AverageCost, RealizedGain, UnrealizedGain } from '../../ui/cost-figures.tsx';
import { DenseTable } from '../../ui/dense-table.tsx';
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
const PRICE_SCALE = 12;
const SMALL: Decimal = { units: 1n, scale: BALANCE_DIGITS };

/** What one whole coin is worth at the moment of the answer. */
function priceOf(coin: Coin): string | undefined {
  const price = divide(decimal(coin.usdt_value), amountOf(coin), PRICE_SCALE, 'floor');
  return price && toText(price);
}

const columnsWith = (costs: CostBasis): readonly ListColumn<Coin>[] => {
  const reasons = {
    reading: t('Being worked out from your history'),
    unpriced: t('Not known: some of these coins arrived while they had no price'),
  };
  const of = (coin: Coin) => ({ coin: coin.name, costs, reasons });
  return [
    {
      id: 'coin',
      title: msg('Name'),
      card: 'head',
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
      cell: (coin) => <Amount value={coin.freeze_value} digits={digitsOf(coin.freeze_value)} />,
    },
    {
      id: 'value',
      title: msg('Value (USDT)'),
      align: 'right',
      cell: (coin) => <Amount value={coin.usdt_value} digits={2} />,
    },
    {
      id: 'average',
      title: msg('Avg. cost'),
      align: 'right',
      cell: (coin) => <AverageCost {...of(coin)} />,
    },
    {
      id: 'unrealized',
      title: msg('Unrealized P/L'),
      align: 'right',
      cell: (coin) => <UnrealizedGain {...of(coin)} price={priceOf(coin)} />,
    },
    {
      id: 'realized',
      title: msg('Realized P/L'),
      align: 'right',
      cell: (coin) => <RealizedGain {...of(coin)} today={t('Today')} />,
    },
    {
      id: 'trade',
      title: <HiddenText text={msg('Trade')} />,
      align: 'right',
      card: 'corner',
      cell: (coin) =>
        coin.name === 'USDT' ? null : (
          <Button component={Link} to={`/trades/spot/${coin.name}`} size="compact-sm" variant="default">
            {t('Trade')}
          </Button>
        ),
    },
  ];
};

/** Four decimals, but what a person owns is never shown as nothing. */
function digitsOf(value: string): number {
  const exact = decimal(value);
  return exact.units > 0n && compare(exact, SMALL) < 0 ? exact.scale : BALANCE_DIGITS;
}

const amountOf = (coin: Coin) => add(decimal(coin.coin_value), decimal(coin.freeze_value));

const isEmpty = (coin: Coin): boolean => amountOf(coin).units === 0n;

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
  const columns = columnsWith(useCostBasis());
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
