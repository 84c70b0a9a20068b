/** What a transfer begins with, on its own screen and in the dialog of the terminal. */
import type { TransferableWallet } from '@cambist/core/ledger/wallets.ts';
import { useState } from 'react';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { useWallets } from '../wallets.ts';
import { TransferFields } from './transfer-fields.tsx';
import { offered, type TransferEntry, usualSource } from './transfer-form.ts';
import { useTransferType } from './transfer-type.ts';

interface Wanted {
  readonly coin?: string | undefined;
  /** The wallet of the last transfer where absent. */
  readonly to?: TransferableWallet | undefined;
}

function startEntry({ coin, to = useTransferType.getState().type }: Wanted): TransferEntry {
  return { from: usualSource(to), to, coin: coin?.trim().toUpperCase() ?? 'USDT', amount: '' };
}

/** @param typed undefined until the person has changed something */
export function useTransferEntry(
  wanted: Wanted,
  typed: TransferEntry | undefined,
  setTyped: (entry: TransferEntry) => void,
) {
  const wallets = useWallets();
  const [start] = useState(() => startEntry(wanted));
  /** As it was when the person pressed Transfer; undefined while nothing is asked. */
  const [review, setReview] = useState<TransferEntry>();
  const now = typed ?? start;
  const source = wallets[now.from];
  const entry = offered(now, source.data);
  return {
    wallets,
    entry,
    source,
    review,
    change: (next: TransferEntry) => {
      setTyped(next);
      if (next.to !== entry.to) useTransferType.getState().setType(next.to);
    },
    ask: () => setReview(entry),
    giveUp: () => setReview(undefined),
  };
}

export function TransferStart({ entry, wallets, source, change, ask }: ReturnType<typeof useTransferEntry>) {
  if (source.data) return <TransferFields entry={entry} wallets={wallets} onChange={change} onReview={ask} />;
  if (source.error) return <ErrorState error={source.error} onRetry={() => void source.refetch()} />;
  return <SkeletonRows rows={5} columns={2} />;
}
