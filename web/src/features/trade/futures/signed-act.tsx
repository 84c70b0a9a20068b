/** An act on a position as the client signs it. */
import { Suspense, useState } from 'react';
import { type Confirmation, isUnlocked } from '../../../lib/trading-unlock.ts';
import { useIsShown } from '../../../ui/is-shown.ts';
import { lazyPart } from '../../../ui/part.tsx';
import type { SummaryLine } from '../ticket/summary-lines.ts';
import { type Acted, type PositionAct, usePositionAct } from './use-position-act.ts';

const ConfirmDialog = lazyPart(() => import('../ticket/confirm-dialog.tsx'), 'over');

/**
 * Sends at once while trading is unlocked, and otherwise shows what will happen and asks for the password.
 * @param onDone hears whether the dialog is still there: one that was closed before the answer came leads nowhere any more
 */
export function useSignedAct(position: string, onDone: (acted: Exclude<Acted, undefined>, isShown: boolean) => void) {
  const isShown = useIsShown();
  const [asked, setAsked] = useState<PositionAct>();
  const [wrong, setWrong] = useState(false);
  const mutation = usePositionAct(position, (acted) => {
    if (acted) return onDone(acted, isShown());
    setWrong(asked !== undefined);
    setAsked(mutation.variables?.act);
  });
  return {
    asked,
    wrong,
    pending: mutation.isPending,
    begin: (act: PositionAct) => (isUnlocked() ? mutation.mutate({ act }) : setAsked(act)),
    confirm: (confirmation: Confirmation) => asked && mutation.mutate({ act: asked, ...confirmation }),
    giveUp: () => setAsked(undefined),
  };
}

interface SignedProps {
  readonly title: string;
  readonly lines: readonly SummaryLine[];
  readonly act: ReturnType<typeof useSignedAct>;
}

export function Signed({ title, lines, act }: SignedProps) {
  return (
    <Suspense fallback={null}>
      <ConfirmDialog
        title={title}
        opened
        lines={lines}
        unlocked={false}
        pending={act.pending}
        wrongPassword={act.wrong}
        onCancel={act.giveUp}
        onConfirm={act.confirm}
      />
    </Suspense>
  );
}
