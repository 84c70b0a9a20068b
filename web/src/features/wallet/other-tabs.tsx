/** The tabs of what is still being built: each says what will be there, and shows what exists already. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { decimal } from '../../lib/decimal.ts';
import { formatDecimal, formatExact } from '../../lib/format.ts';
import { msg, t } from '../../lib/i18n.ts';
import { overviewQuery } from '../../lib/queries/account.ts';
import { type ListColumn, RowList } from '../../ui/card-list.tsx';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { HideButton, Private } from './hide-button.tsx';
import { useTransferType } from './transfer/transfer-type.ts';
import classes from './wallet-page.module.css';
import { useWallets, type WalletCoin } from './wallets.ts';

export function EarnTab() {
  return (
    <section className={classes.frame} aria-label={t('Earn')}>
      <h1 className={classes.frameTitle}>{t('Earn')}</h1>
      <div className={classes.frameBody}>
        <Empty
          title={t('Your earn plans and what they have paid will be listed here. Earn plans are not available yet.')}
          action={
            <Button component={Link} to="/trades/spot" variant="default">
              {t('Go to spot trading')}
            </Button>
          }
        />
      </div>
    </section>
  );
}

const columns: readonly ListColumn<WalletCoin>[] = [
  {
    id: 'coin',
    title: msg('Name'),
    card: 'head',
    cell: ({ code, name }) => (
      <span className={classes.coin}>
        <CoinIcon code={code} size={26} />
        <span className={classes.names}>
          <span className={classes.code}>{code}</span>
          <span className={classes.full}>{name}</span>
        </span>
      </span>
    ),
  },
  {
    id: 'balance',
    title: msg('Balance'),
    align: 'right',
    cell: ({ total }) => <Private>{formatExact(total)}</Private>,
  },
  {
    id: 'available',
    title: msg('Available'),
    align: 'right',
    cell: ({ available }) => <Private>{formatExact(decimal(available))}</Private>,
  },
  {
    id: 'value',
    title: msg('Value (USDT)'),
    align: 'right',
    cell: ({ worth }) => <Private>{formatDecimal(worth, 2)}</Private>,
  },
];

/** The futures wallet as it is: what was transferred to it waits there for positions, which do not exist yet. */
export function FutureTab() {
  const wallet = useWallets().FUTURE;
  const total = useQuery(overviewQuery).data?.futureTotal;
  const setType = useTransferType((store) => store.setType);
  const rows = (wallet.data ?? []).filter((coin) => coin.total.units > 0n);
  const list = { label: t('Futures wallet'), columns, rows, rowKey: ({ code }: WalletCoin) => code };
  return (
    <section aria-label={t('Futures wallet')}>
      <header className={classes.total}>
        <div>
          <div className={classes.caption}>
            <h1>{t('Futures wallet')}</h1>
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
        </div>
        <Button component={Link} to="/wallet/transfer" onClick={() => setType('FUTURE')}>
          {t('Transfer')}
        </Button>
      </header>
      <div className={classes.list}>
        {wallet.isPending && <SkeletonRows rows={3} columns={4} />}
        {wallet.error && !wallet.data && <ErrorState error={wallet.error} onRetry={() => void wallet.refetch()} />}
        {wallet.data && rows.length === 0 && <Empty title={t('Nothing here yet')} />}
        {rows.length > 0 && <RowList tall {...list} />}
      </div>
      <p className={classes.method}>
        {t('Futures are not available yet: what you transfer here waits, and you can transfer it back at any time.')}
      </p>
    </section>
  );
}
