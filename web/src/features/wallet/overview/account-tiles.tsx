/** What is in each account, and the way to it. On a phone a whole row leads to the account's tab. */

import type { WalletName } from '@cambist/contract/transfers.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { formatBrief, formatDecimal } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { overviewQuery } from '../../../lib/queries/account.ts';
import { IconChevronRight } from '../../../ui/first-icons.ts';
import { IconArrowsExchange } from '../../../ui/icons.ts';
import { Private } from '../hide-button.tsx';
import { addressOf, type TabName } from '../tabs.tsx';
import { useTransferType } from '../transfer/transfer-type.ts';
import { useWallets, type WalletRead, walletLabel } from '../wallets.ts';
import classes from './account-tiles.module.css';

const COINS_NAMED = 3;

interface Account {
  readonly title: string;
  readonly total: 'spotTotal' | 'futureTotal' | 'earnTotal' | 'fundingTotal';
  readonly tab?: TabName;
  readonly wallet?: WalletName;
}

const ACCOUNTS: readonly Account[] = [
  { title: msg('Spot'), total: 'spotTotal', tab: 'spot', wallet: 'SPOT' },
  { title: msg('Future'), total: 'futureTotal', tab: 'future', wallet: 'FUTURE' },
  { title: msg('Earn'), total: 'earnTotal', tab: 'earn' },
  { title: msg('Funding'), total: 'fundingTotal', wallet: 'FUNDING' },
];

export function AccountTiles() {
  const wallets = useWallets();
  return (
    <section className={classes.tiles} aria-label={t('Wallets')}>
      {ACCOUNTS.map((account) => (
        <Tile key={account.total} account={account} coins={account.wallet && wallets[account.wallet]} />
      ))}
    </section>
  );
}

interface TileProps {
  readonly account: Account;
  readonly coins: WalletRead | undefined;
}

function Tile({ account: { title, total, tab, wallet }, coins }: TileProps) {
  const worth = useQuery(overviewQuery).data?.[total];
  return (
    <article className={classes.tile} aria-label={wallet ? walletLabel(wallet) : t(title)}>
      <h2 className={classes.name}>
        {tab === undefined ? (
          t(title)
        ) : (
          <Link to={addressOf(tab)} className={classes.way}>
            {t(title)} <IconChevronRight size={14} aria-hidden />
          </Link>
        )}
      </h2>
      <p className={classes.worth}>
        {worth === undefined ? <span className={classes.bone} /> : <Private>{formatDecimal(worth, 2)}</Private>}
        <span className={classes.unit}> USDT</span>
      </p>
      <p className={classes.coins}>
        {coins === undefined ? t('Nothing here yet') : coins.data ? <Holdings coins={coins.data} /> : ' '}
      </p>
      {wallet && <TransferButton wallet={wallet} />}
    </article>
  );
}

function TransferButton({ wallet }: { readonly wallet: WalletName }) {
  const setType = useTransferType((store) => store.setType);
  return (
    <Button
      component={Link}
      to="/wallet/transfer"
      size="compact-sm"
      variant="default"
      className={classes.action ?? ''}
      leftSection={<IconArrowsExchange size={14} aria-hidden />}
      aria-label={t('Transfer to {{wallet}}', { wallet: walletLabel(wallet) })}
      onClick={() => setType(wallet)}
    >
      {t('Transfer')}
    </Button>
  );
}

/** The coins that are worth most, and how many more there are. */
function Holdings({ coins }: { readonly coins: NonNullable<WalletRead['data']> }) {
  const held = coins.filter(({ total }) => total.units > 0n);
  if (held.length === 0) return t('Nothing here yet');
  const named = held
    .slice(0, COINS_NAMED)
    // An amount stays beside its coin.
    .map(({ code, total }) => `${formatBrief(total)}\u00a0${code}`)
    .join(' · ');
  const more = held.length - COINS_NAMED;
  return <Private>{more > 0 ? t('{{coins}} and {{count}} more', { coins: named, count: more }) : named}</Private>;
}
