/** Something that the person does about the account: lists are read again afterwards, and what goes wrong is said. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiProblem, isSignedOut, messageOf, titleOf } from '../../lib/api-problem.ts';
import { t } from '../../lib/i18n.ts';
import { accountCheckQuery, SECURITY_KEY } from '../../lib/queries/account.ts';
import { noticeError } from '../../ui/notices.ts';

/** The person closed the dialog that asks who they are, or the browser's own: no failure. */
export function isCancelled(problem: unknown): boolean {
  if (problem instanceof ApiProblem) return problem.code === 'STEP_UP_REQUIRED';
  return problem instanceof Error && (problem.name === 'NotAllowedError' || problem.name === 'AbortError');
}

export function useAct<Input, Answer>(act: (input: Input) => Promise<Answer>, onDone: (answer: Answer) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onError: (problem) => {
      // It may have been done, and the lists say whether it was.
      if (problem instanceof ApiProblem && problem.undecided)
        void queries.invalidateQueries({ queryKey: SECURITY_KEY });
      if (!isCancelled(problem) && !isSignedOut(problem))
        noticeError(titleOf(problem, t('Action failed')), messageOf(problem));
    },
    onSuccess: async (answer) => {
      onDone(answer);
      // Withdrawals may be held now, which the client's state says.
      void queries.invalidateQueries({ queryKey: accountCheckQuery.queryKey });
      await queries.invalidateQueries({ queryKey: SECURITY_KEY });
    },
  });
}
