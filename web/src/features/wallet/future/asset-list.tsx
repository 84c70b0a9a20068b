/** What is in the futures wallet, coin by coin. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { futureWallet } from '@cambist/contract/wallets.ts';
import { useQuery } from '@tanstack/react-query';
import { decimal } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { futureWalletQuery } from '../../../lib/queries/account.ts';
import { type ListColumn, RowList } from '../../../ui/card-list.tsx';
import { CoinIcon } from '../../../ui/coin-icon.tsx';
import { Worth } from '../../../ui/cost-figures.tsx';
import { Pager, usePages } from '../../../ui/pager.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { Private } from '../hide-button.tsx';
import classes from '../wallet-page.module.css';
import { PAGE_SIZE } from './position-list.tsx';

type Coin = AnswerOf<typeof futureWallet>['wallet'][number];

const exact = (value: string) => <Private>{formatExact(decimal(value))}</Private>;

const columns: readonly ListColumn<Coin>[] = [
  {
    id: 'coin',
    title: msg('Name'),
    card: 'head',
    cell: ({ name, full_name: full }) => (
      <span className={classes.coin}>
        <CoinIcon code={name} size={26} />
        <span className={classes.names}>
          <span className={classes.code}>{name}</span>
          <span className={classes.full}>{full}</span>
        </span>
      </span>
    ),
  },
  { id: 'balance', title: msg('Margin balance'), align: 'right', cell: (coin) => exact(coin.margin_balance) },
  { id: 'upnl', title: msg('Unrealized P/L'), align: 'right', cell: (coin) => exact(coin.upnl) },
  { id: 'available', title: msg('Available'), align: 'right', cell: (coin) => exact(coin.available) },
  {
    id: 'value',
    title: msg('Value (USDT)'),
    align: 'right',
    cell: ({ usdt_value: worth, price }) => (
      <Private>
        <Worth value={worth} price={price} reason={t('No market prices this coin')} />
      </Private>
    ),
  },
];

export function AssetList() {
  const wallet = useQuery(futureWalletQuery);
  const held = (wallet.data?.wallet ?? []).filter((coin) => decimal(coin.margin_balance).units !== 0n);
  const { rows, page, count, setPage } = usePages(held, PAGE_SIZE);
  return (
    <>
      <div className={classes.list}>
        {wallet.isPending && <SkeletonRows rows={3} columns={5} />}
        {wallet.error && !wallet.data && <ErrorState error={wallet.error} onRetry={() => void wallet.refetch()} />}
        {wallet.data && held.length === 0 && <Empty title={t('Nothing here yet')} />}
        {held.length > 0 && (
          <RowList tall label={t('Assets')} columns={columns} rows={rows} rowKey={({ name }: Coin) => name} />
        )}
      </div>
      <Pager page={page} count={count} onChange={setPage} />
    </>
  );
}
