/** Says what a transfer does to both wallets before it does it. */
import type { Transfer } from '@cambist/contract/transfers.ts';
import type { WalletName } from '@cambist/core/ledger/wallets.ts';
import { useState } from 'react';
import { add, type Decimal, parseDecimal, subtract, ZERO } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { useUnlockedUntil } from '../../../lib/trading-unlock.ts';
import { PasswordDialog } from '../../../ui/password-dialog.tsx';
import { availableIn, type WalletRead, walletLabel } from '../wallets.ts';
import type { TransferEntry } from './transfer-form.ts';
import { useStartTransfer } from './use-start-transfer.ts';

interface ConfirmTransferProps {
  readonly entry: TransferEntry;
  readonly wallets: Readonly<Record<WalletName, WalletRead>>;
  readonly onClose: () => void;
  readonly onStarted: (transfer: Transfer) => void;
}

export function ConfirmTransfer({ entry, wallets, onClose, onStarted }: ConfirmTransferProps) {
  const [wrong, setWrong] = useState(false);
  const { mutate, isPending } = useStartTransfer(onStarted, () => setWrong(true));
  const isUnlocked = useUnlockedUntil() > 0;
  const { from, to, coin } = entry;
  const amount = parseDecimal(entry.amount) ?? ZERO;
  const inCoin = (value: Decimal) => `${formatExact(value)} ${coin}`;
  const before = availableIn(wallets[from], coin);
  const target = wallets[to].data && availableIn(wallets[to], coin);
  const facts = [
    { name: t('Amount'), value: inCoin(amount), strong: true },
    { name: t('From'), value: walletLabel(from) },
    { name: t('To'), value: walletLabel(to) },
    { name: t('Fee'), value: t('None') },
    { name: t('{{wallet}} afterwards', { wallet: walletLabel(from) }), value: inCoin(subtract(before, amount)) },
    ...(target
      ? [{ name: t('{{wallet}} afterwards', { wallet: walletLabel(to) }), value: inCoin(add(target, amount)) }]
      : []),
  ];
  return (
    <PasswordDialog
      title={t('Confirm transfer')}
      facts={facts}
      busy={isPending}
      wrong={wrong}
      unlocked={isUnlocked}
      onClose={onClose}
      onConfirm={(password) => {
        setWrong(false);
        mutate({ entry, password });
      }}
    />
  );
}
