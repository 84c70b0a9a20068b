/** An operator's act: its lists are read again afterwards, and what goes wrong is said. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiProblem, isSignedOut, messageOf, titleOf } from '../../lib/api-problem.ts';
import { t } from '../../lib/i18n.ts';
import { noticeError, noticeSuccess } from '../../ui/notices.ts';

export const ADMIN_KEY = ['account', 'admin'] as const;

/** Characters of the reason for an act, which the audit log keeps: as the contract's `reason`. */
export const REASON_LIMIT = 500;
const REASON_MINIMUM = 3;

/** Whether a text says why. */
export const isReason = (text: string) => text.trim().length >= REASON_MINIMUM;

/** The notice after an act that loosens a protection, which waits to be confirmed; undefined for an act that is done. */
function pendingText(answer: unknown): string | undefined {
  const { pending } = (answer ?? {}) as { readonly pending?: { readonly state: string } | null };
  if (pending?.state !== 'WAITING') return undefined;
  return t('What loosens a protection waits under Operations, in Pending changes.');
}

/** @param more what there is to say of an answer, if anything */
export function useAct<Input, Answer>(
  act: (input: Input) => Promise<Answer>,
  onDone?: () => void,
  more?: (answer: Answer) => string | undefined,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onError: (error) => {
      // It may have been done, and the lists say whether it was.
      if (error instanceof ApiProblem && error.undecided) void queries.invalidateQueries({ queryKey: ADMIN_KEY });
      if (!isSignedOut(error)) noticeError(titleOf(error, t('Action failed')), messageOf(error));
    },
    onSuccess: async (answer) => {
      const texts = [more?.(answer), pendingText(answer), t('Recorded in the audit log.')];
      noticeSuccess(t('Done'), texts.filter(Boolean).join(' '));
      onDone?.();
      await queries.invalidateQueries({ queryKey: ADMIN_KEY });
    },
  });
}
