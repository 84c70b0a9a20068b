/** The dialogs that any part of the terminal may ask for, each loaded when it is. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { lazy, Suspense } from 'react';
import { useSignedIn } from '../../lib/session-store.ts';
import { useDialogs } from './dialogs.ts';
import { useAmend } from './orders/use-amend.ts';

const AmendDialog = lazy(() => import('./orders/amend-dialog.tsx'));
const AlertsDialog = lazy(() => import('./alerts/alerts-dialog.tsx'));
const CancelAllDialog = lazy(() => import('./orders/cancel-all-dialog.tsx'));
const KeysDialog = lazy(() => import('./keyboard/keys-dialog.tsx'));

export function TerminalDialogs({ pair }: { readonly pair: CoinPair }) {
  const open = useDialogs((store) => store.open);
  const amendment = useAmend((store) => store.amendment);
  const signedIn = useSignedIn();
  return (
    <Suspense fallback={null}>
      {open === 'keys' && <KeysDialog />}
      {open === 'alerts' && signedIn && <AlertsDialog pair={pair} />}
      {open === 'cancel-all' && signedIn && <CancelAllDialog symbol={pair.pair_name} />}
      {amendment && signedIn && <AmendDialog amendment={amendment} />}
    </Suspense>
  );
}
