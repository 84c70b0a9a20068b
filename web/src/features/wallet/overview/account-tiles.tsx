/** What is in each account, and the way to it. On a phone a whole row leads to the account's tab. */

import { isTransferable, OWNED_WALLETS } from '@cambist/core/ledger/wallet-lists.ts';
import type { TransferableWallet, WalletName } from '@cambist/core/ledger/wallets.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { formatBrief, formatDecimal } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { overviewQuery } from '../../../lib/queries/account.ts';
import { IconChevronRight } from '../../../ui/first-icons.ts';
import { IconArrowsExchange } from '../../../ui/icons.ts';
import { Private } from '../hide-button.tsx';
import { addressOf, type TabName, tabLabel } from '../tabs.tsx';
import { useTransferType } from '../transfer/transfer-type.ts';
import { useWallets, type WalletRead, walletLabel, walletTitle } from '../wallets.ts';
import classes from './account-tiles.module.css';

const COINS_NAMED = 3;

/** In the order of the tabs; wallets that have none come last. */
const TABS: Readonly<Partial<Record<WalletName, TabName>>> = { SPOT: 'spot', FUTURE: 'future', EARN: 'earn' };
const place = (wallet: WalletName) => (TABS[wallet] === undefined ? 1 : 0);
const TILES = OWNED_WALLETS.map(({ name }) => name).sort((one, other) => place(one) - place(other));

export function AccountTiles() {
  const wallets = useWallets();
  return (
    <section className={classes.tiles} aria-label={t('Wallets')}>
      {TILES.map((wallet) => (
        <Tile key={wallet} wallet={wallet} coins={wallets[wallet]} />
      ))}
    </section>
  );
}

interface TileProps {
  readonly wallet: WalletName;
  readonly coins: WalletRead;
}

function Tile({ wallet, coins }: TileProps) {
  const worth = useQuery(overviewQuery).data?.wallets.find((one) => one.wallet === wallet)?.total;
  const tab = TABS[wallet];
  const title = tab === undefined ? walletTitle(wallet) : tabLabel(tab);
  return (
    <article className={classes.tile} aria-label={walletLabel(wallet)}>
      <h2 className={classes.name}>
        {tab === undefined ? (
          title
        ) : (
          <Link to={addressOf(tab)} className={classes.way}>
            {title} <IconChevronRight size={14} aria-hidden />
          </Link>
        )}
      </h2>
      <p className={classes.worth}>
        {worth === undefined ? <span className={classes.bone} /> : <Private>{formatDecimal(worth, 2)}</Private>}
        <span className={classes.unit}> USDT</span>
      </p>
      <p className={classes.coins}>{coins.data ? <Holdings coins={coins.data} /> : ' '}</p>
      {isTransferable(wallet) && <TransferButton wallet={wallet} />}
    </article>
  );
}

function TransferButton({ wallet }: { readonly wallet: TransferableWallet }) {
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
