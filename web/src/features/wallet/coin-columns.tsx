/** The columns of the spot wallet's coins. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { spotWallet } from '@cambist/contract/wallets.ts';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { CostBasis } from '../../lib/cost-basis.ts';
import { add, compare, type Decimal, decimal } from '../../lib/decimal.ts';
import { msg, t } from '../../lib/i18n.ts';
import type { ListColumn } from '../../ui/card-list.tsx';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { AverageCost, LiveWorth, RealizedGain, UnrealizedGain } from '../../ui/cost-figures.tsx';
import { Amount } from '../../ui/figures.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Private } from './hide-button.tsx';
import classes from './wallet-page.module.css';

export type Coin = AnswerOf<typeof spotWallet>['wallet'][number];

const BALANCE_DIGITS = 4;
const SMALL: Decimal = { units: 1n, scale: BALANCE_DIGITS };
/** USDT. */
const SMALL_WORTH: Decimal = { units: 1n, scale: 0 };

/** Four decimals, but what a person owns is never shown as nothing. */
export function digitsOf(value: string): number {
  const exact = decimal(value);
  return exact.units > 0n && compare(exact, SMALL) < 0 ? exact.scale : BALANCE_DIGITS;
}

const amountOf = (coin: Coin) => add(decimal(coin.coin_value), decimal(coin.freeze_value));

/** Nothing, or worth little. A coin without a price may be worth anything. */
export function isSmall(coin: Coin): boolean {
  if (amountOf(coin).units === 0n) return true;
  return coin.price !== null && compare(decimal(coin.usdt_value), SMALL_WORTH) < 0;
}

function costColumns(costs: CostBasis): ListColumn<Coin>[] {
  const reasons = {
    reading: t('Being worked out from your history'),
    unpriced: t('Not known: some of these coins arrived while they had no price'),
  };
  const of = (coin: Coin) => ({ coin: coin.name, costs, reasons });
  return [
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
      cell: (coin) => (
        <Private>
          <UnrealizedGain {...of(coin)} amount={amountOf(coin)} price={coin.price} />
        </Private>
      ),
    },
    {
      id: 'realized',
      title: msg('Realized P/L (all wallets)'),
      align: 'right',
      cell: (coin) => (
        <Private>
          <RealizedGain {...of(coin)} today={t('Today')} />
        </Private>
      ),
    },
  ];
}

export const coinColumns = (costs: CostBasis): readonly ListColumn<Coin>[] => [
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
    cell: (coin) => (
      <Private>
        <Amount value={coin.coin_value} digits={digitsOf(coin.coin_value)} />
      </Private>
    ),
  },
  {
    id: 'held',
    title: msg('In orders'),
    align: 'right',
    cell: (coin) => (
      <Private>
        <Amount value={coin.freeze_value} digits={digitsOf(coin.freeze_value)} />
      </Private>
    ),
  },
  {
    id: 'value',
    title: msg('Value (USDT)'),
    align: 'right',
    cell: (coin) => (
      <Private>
        <LiveWorth
          coin={coin.name}
          amount={amountOf(coin)}
          price={coin.price}
          reason={t('No market prices this coin')}
        />
      </Private>
    ),
  },
  ...costColumns(costs),
  {
    id: 'actions',
    title: <HiddenText text={msg('Actions')} />,
    align: 'right',
    card: 'end',
    cell: (coin) => <Actions name={coin.name} />,
  },
];

function Actions({ name }: { readonly name: string }) {
  const look = { component: Link, size: 'compact-sm', variant: 'default' } as const;
  return (
    <span className={classes.rowActions}>
      {name !== 'USDT' && (
        <Button {...look} to={`/trades/spot/${name}`}>
          {t('Trade')}
        </Button>
      )}
      <Button {...look} to={`/wallet/transfer?coin=${name}`}>
        {t('Transfer')}
      </Button>
      <Button {...look} to={`/wallet/${name}`}>
        {t('View', { context: 'act' })}
      </Button>
    </span>
  );
}
