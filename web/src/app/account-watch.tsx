/** What only clients need around every screen. Fetched after the sign-in; stays, to see the session end. */
import { Suspense } from 'react';
import '../ui/kept-focus.ts';
import { useAccountStream } from '../lib/queries/account-stream.ts';
import { useStepUp } from '../lib/step-up-store.ts';
import { lazyPart } from '../ui/part.tsx';
import { SessionEnded } from './session-ended.tsx';
import { useAccountState } from './use-account-state.ts';
import { useAccountWatch } from './use-account-watch.ts';
import { useNotifications } from './use-notifications.ts';

const StepUpDialog = lazyPart(async () => ({ default: (await import('./step-up-dialog.tsx')).StepUpDialog }), 'over');

export default function AccountWatch() {
  useAccountStream();
  useAccountState();
  useAccountWatch();
  useNotifications();
  const need = useStepUp((stepUp) => stepUp.need);
  return (
    <>
      <SessionEnded />
      <Suspense>{need && <StepUpDialog need={need} />}</Suspense>
    </>
  );
}
