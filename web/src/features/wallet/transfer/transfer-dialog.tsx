/** Moves funds between the person's wallets without leaving the screen. Loaded when it is opened. */
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { t } from '../../../lib/i18n.ts';
import { useShell } from '../../../lib/shell-store.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ConfirmTransfer } from './confirm-transfer.tsx';
import type { TransferEntry } from './transfer-form.ts';
import { TransferStart, useTransferEntry } from './transfer-start.tsx';
import { followTransfer } from './transfer-watch.tsx';

export default function TransferDialog() {
  const { transfer: wanted, closeTransfer: close } = useShell();
  const { pathname } = useLocation();
  const [openedAt] = useState(pathname);
  const [typed, setTyped] = useState<TransferEntry>();
  const form = useTransferEntry(wanted ?? {}, typed, setTyped);
  // Another screen is not where the person asked for it.
  useEffect(() => {
    if (pathname !== openedAt) close();
  }, [pathname, openedAt, close]);
  if (form.review)
    return (
      <ConfirmTransfer
        entry={form.review}
        wallets={form.wallets}
        onClose={form.giveUp}
        onStarted={(transfer) => {
          followTransfer(transfer);
          close();
        }}
      />
    );
  return (
    <Dialog title={t('Transfer')} size={480} onClose={close}>
      <TransferStart {...form} />
    </Dialog>
  );
}
