/** The way from the available balance to more of it, in the line that states the balance. */
import type { TransferableWallet } from '@cambist/core/ledger/wallets.ts';
import { UnstyledButton } from '@mantine/core';
import { t } from '../../../lib/i18n.ts';
import { useShell } from '../../../lib/shell-store.ts';
import classes from './ticket.module.css';

interface TransferButtonProps {
  readonly coin: string;
  readonly to: TransferableWallet;
}

export function TransferButton({ coin, to }: TransferButtonProps) {
  const openTransfer = useShell((shell) => shell.openTransfer);
  return (
    <UnstyledButton fz="inherit" className={classes.addFunds ?? ''} onClick={() => openTransfer({ coin, to })}>
      {t('Transfer')}
    </UnstyledButton>
  );
}
