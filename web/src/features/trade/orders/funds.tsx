import type { AnswerOf } from '@cambist/contract/call.ts';
import type { funds } from '@cambist/contract/wallets.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { decimal } from '../../../lib/decimal.ts';
import { t } from '../../../lib/i18n.ts';
import { fundsQuery } from '../../../lib/queries/account.ts';
import { CoinIcon } from '../../../ui/coin-icon.tsx';
import { Amount } from '../../../ui/figures.tsx';
import { AccountList, type ListColumn, listOf } from './account-list.tsx';
import classes from './orders.module.css';

type FundsAnswer = AnswerOf<typeof funds>;
type Row = FundsAnswer['funds'][number];

const BALANCE_DIGITS = 4;

const columns = (): ListColumn<Row>[] => [
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
    cell: (row) => <Amount value={row.usdt_value} digits={2} />,
  },
  {
    id: 'trade',
    pinned: true,
    card: 'corner',
    title: <span className="visually-hidden">{t('Trade')}</span>,
    align: 'right',
    cell: (row) =>
      row.coin.name === 'USDT' ? null : (
        <Button component={Link} to={`/trades/spot/${row.coin.name}`} size="compact-xs" variant="default">
          {t('Trade')}
        </Button>
      ),
  },
];

/** Four decimals, rounded down; the whole figure to whoever points at it. */
function Balance({ value }: { readonly value: string }) {
  return (
    <span title={value}>
      <Amount value={value} digits={BALANCE_DIGITS} />
    </span>
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
      columns={columns()}
      rowKey={(row) => row.coin.name}
      empty={t('No funds yet. They appear here as soon as you deposit.')}
      emptyAction={
        <Button component={Link} to="/wallet" size="compact-sm" variant="default">
          {t('Go to wallet')}
        </Button>
      }
    />
  );
}
