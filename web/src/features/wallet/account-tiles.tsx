/** What is in each wallet, and the way to move it. */

import type { WalletName } from '@cambist/contract/transfers.ts';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { decimal, toText } from '../../lib/decimal.ts';
import { formatDecimal, formatExact } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { IconArrowsExchange } from '../../ui/icons.ts';
import { ErrorState } from '../../ui/states.tsx';
import classes from './account-tiles.module.css';
import { useTransferType } from './transfer/transfer-type.ts';
import { useWallets, WALLET_NAMES, type WalletRead, walletLabel, worthOf } from './wallets.ts';

const COINS_NAMED = 3;

export function AccountTiles() {
  const wallets = useWallets();
  return (
    <section className={classes.tiles} aria-label={t('Wallets')}>
      {(Object.keys(WALLET_NAMES) as WalletName[]).map((name) => (
        <Tile key={name} name={name} wallet={wallets[name]} />
      ))}
    </section>
  );
}

interface TileProps {
  readonly name: WalletName;
  readonly wallet: WalletRead;
}

function Tile({ name, wallet }: TileProps) {
  const setType = useTransferType((store) => store.setType);
  const label = walletLabel(name);
  if (wallet.error && !wallet.data) {
    return (
      <article className={classes.tile} aria-label={label}>
        <ErrorState error={wallet.error} onRetry={() => void wallet.refetch()} />
      </article>
    );
  }
  return (
    <article className={classes.tile} aria-label={label}>
      <h2 className={classes.name}>{label}</h2>
      <p className={classes.worth}>
        {wallet.data ? formatDecimal(toText(worthOf(wallet.data)), 2) : <span className={classes.bone} />}
        <span className={classes.unit}> USDT</span>
      </p>
      <p className={classes.coins}>{wallet.data ? holdingsText(wallet.data) : ' '}</p>
      <Button
        component={Link}
        to="/wallet/transfer"
        size="compact-sm"
        variant="default"
        className={classes.action ?? ''}
        leftSection={<IconArrowsExchange size={14} aria-hidden />}
        aria-label={t('Transfer to {{wallet}}', { wallet: label })}
        onClick={() => setType(name)}
      >
        {t('Transfer')}
      </Button>
    </article>
  );
}

/** The coins that are worth most, and how many more there are. */
function holdingsText(coins: NonNullable<WalletRead['data']>): string {
  const held = coins.filter(({ available }) => decimal(available).units > 0n);
  if (held.length === 0) return t('Nothing here yet');
  const named = held
    .slice(0, COINS_NAMED)
    .map(({ code, available }) => `${formatExact(decimal(available))} ${code}`)
    .join(' · ');
  const more = held.length - COINS_NAMED;
  return more > 0 ? t('{{coins}} and {{count}} more', { coins: named, count: more }) : named;
}
