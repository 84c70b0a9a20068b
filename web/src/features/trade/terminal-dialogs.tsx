/** The dialogs that any part of the terminal may ask for, each loaded when it is. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { Suspense } from 'react';
import { findPair } from '../../lib/market/pairs.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { lazyPart } from '../../ui/part.tsx';
import { useDialogs } from './dialogs.ts';
import { useOrderFills } from './orders/order-fills.ts';
import { useAmend } from './orders/use-amend.ts';
import { useMarkets } from './terminal.ts';

const AmendDialog = lazyPart(() => import('./orders/amend-dialog.tsx'), 'over');
const AlertsDialog = lazyPart(() => import('./alerts/alerts-dialog.tsx'), 'over');
const CancelAllDialog = lazyPart(() => import('./orders/cancel-all-dialog.tsx'), 'over');
const OrderFillsDialog = lazyPart(() => import('./orders/order-fills-dialog.tsx'), 'over');
const KeysDialog = lazyPart(() => import('./keyboard/keys-dialog.tsx'), 'over');

export function TerminalDialogs({ pair }: { readonly pair: CoinPair }) {
  const open = useDialogs((store) => store.open);
  const amendment = useAmend((store) => store.amendment);
  const filled = useOrderFills((store) => store.order);
  const signedIn = useSignedIn();
  const pairs = useMarkets().data ?? [];
  return (
    <Suspense fallback={null}>
      {open === 'keys' && <KeysDialog />}
      {open === 'alerts' && signedIn && <AlertsDialog pair={pair} />}
      {open === 'cancel-all' && signedIn && <CancelAllDialog symbol={pair.pair_name} />}
      {filled && signedIn && <OrderFillsDialog order={filled} />}
      {amendment && signedIn && (
        <AmendDialog amendment={amendment} pair={findPair(pairs, amendment.order.coin_pair.pair_name)} />
      )}
    </Suspense>
  );
}
