import type { AnswerOf } from '@cambist/contract/call.ts';
import type { funds } from '@cambist/contract/wallets.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type CostBasis, useCostBasis } from '../../../lib/cost-basis.ts';
import { add, decimal } from '../../../lib/decimal.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { fundsQuery } from '../../../lib/queries/account.ts';
import { useShell } from '../../../lib/shell-store.ts';
import type { ListColumn } from '../../../ui/card-list.tsx';
import { CoinIcon } from '../../../ui/coin-icon.tsx';
import { AverageCost, LiveWorth, RealizedGain, UnrealizedGain } from '../../../ui/cost-figures.tsx';
import { Amount } from '../../../ui/figures.tsx';
import { Veil } from '../../../ui/veil.tsx';
import { AccountList, listOf } from './account-list.tsx';
import classes from './orders.module.css';

type FundsAnswer = AnswerOf<typeof funds>;
type Row = FundsAnswer['funds'][number];

const BALANCE_DIGITS = 4;

const amountOf = (row: Row) => add(decimal(row.wallet_balance), decimal(row.freeze_balance));

const METHOD = msg('By weighted average in USDT, over all your wallets and after fees');

const GAIN = msg('Value less average cost of the coins in this wallet, before the fee of a sale');

/** A heading that says how its figures come about. */
const explained = (title: string, method: string = METHOD) => <span title={t(method)}>{title}</span>;

function costColumns(costs: CostBasis): ListColumn<Row>[] {
  const reasons = {
    reading: t('Being worked out from your history'),
    unpriced: t('Not known: some of these coins arrived while they had no price'),
  };
  const of = (row: Row) => ({ coin: row.coin.name, costs, reasons });
  return [
    {
      id: 'average',
      title: explained(t('Avg. cost')),
      align: 'right',
      cell: (row) => <AverageCost {...of(row)} />,
    },
    {
      id: 'unrealized',
      title: explained(t('Unrealized P/L'), GAIN),
      align: 'right',
      cell: (row) => (
        <Veil says={t('Hidden')}>
          <UnrealizedGain {...of(row)} amount={amountOf(row)} price={row.price} />
        </Veil>
      ),
    },
    {
      id: 'realized',
      title: explained(t('Realized P/L (all wallets)')),
      align: 'right',
      cell: (row) => (
        <Veil says={t('Hidden')}>
          <RealizedGain {...of(row)} today={t('Today')} />
        </Veil>
      ),
    },
  ];
}

const columns = (costs: CostBasis): ListColumn<Row>[] => [
  {
    id: 'coin',
    title: t('Coin'),
    card: 'head',
    cell: (row) => (
      <span className={classes.coin}>
        <CoinIcon code={row.coin.name} size={18} />
        {row.coin.name}
        <span className={classes.quiet}>{row.coin.full_name}</span>
      </span>
    ),
  },
  {
    id: 'available',
    title: t('Available'),
    align: 'right',
    cell: (row) => <Balance value={row.wallet_balance} />,
  },
  {
    id: 'held',
    title: t('In orders'),
    align: 'right',
    cell: (row) => <Balance value={row.freeze_balance} />,
  },
  {
    id: 'value',
    title: t('Value (USDT)'),
    align: 'right',
    cell: (row) => (
      <Veil says={t('Hidden')}>
        <LiveWorth
          coin={row.coin.name}
          amount={amountOf(row)}
          price={row.price}
          reason={t('No market prices this coin')}
        />
      </Veil>
    ),
  },
  ...costColumns(costs),
  {
    id: 'trade',
    pinned: true,
    card: 'corner',
    title: <span className="visually-hidden">{t('Actions')}</span>,
    align: 'right',
    cell: ({ coin: { name } }) => (
      <span className={classes.actions}>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('Transfer {{coin}}', { coin: name })}
          onClick={() => useShell.getState().openTransfer({ coin: name, to: 'FUTURE' })}
        >
          {t('Transfer')}
        </Button>
        {name !== 'USDT' && (
          <Button component={Link} to={`/trades/spot/${name}`} size="compact-xs" variant="default">
            {t('Trade')}
          </Button>
        )}
      </span>
    ),
  },
];

/** Four decimals, rounded down; the whole figure to whoever points at it. */
function Balance({ value }: { readonly value: string }) {
  return (
    <Veil says={t('Hidden')}>
      <span title={value}>
        <Amount value={value} digits={BALANCE_DIGITS} />
      </span>
    </Veil>
  );
}

function hasFunds(row: Row): boolean {
  return decimal(row.wallet_balance).units > 0n || decimal(row.freeze_balance).units > 0n;
}

export function Funds() {
  return (
    <AccountList
      label={t('Funds')}
      list={listOf(useQuery(fundsQuery), (answer) => answer.funds.filter(hasFunds))}
      columns={columns(useCostBasis())}
      rowKey={(row) => row.coin.name}
      empty={t('No funds yet. They appear here as soon as you deposit.')}
      emptyAction={
        <Button component={Link} to="/wallet/deposit" size="compact-sm" variant="default">
          {t('Deposit')}
        </Button>
      }
    />
  );
}
