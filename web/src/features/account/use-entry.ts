/**
 * What every way in ends with: a second factor where the account has one, the states that keep people out, and then the
 * wallet, or where the person was. The session keeps token, user and client.
 */
import type { signedIn } from '@cambist/contract/accounts.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { z } from 'zod';
import { ApiProblem, messageOf } from '../../lib/api-problem.ts';
import { useBlock } from '../../lib/block-store.ts';
import { useDevice } from '../../lib/device-store.ts';
import { t } from '../../lib/i18n.ts';
import { pairsQuery } from '../../lib/market/pairs.ts';
import { accountCheckQuery, overviewQuery, spotWalletQuery } from '../../lib/queries/account.ts';
import { returnPath } from '../../lib/return-path.ts';
import { useSession } from '../../lib/session-store.ts';
import { leaveSteps } from '../../lib/steps.ts';
import { closeNotice, NOTICE_MS, noticeError } from '../../ui/notices.ts';

export type SignedIn = z.infer<typeof signedIn>;

/** One try to get in; asked again with the code when the account has a second factor. */
export type Attempt = (secondFactor: string | undefined) => Promise<SignedIn>;

interface EntryOptions {
  /** The documented pause before the wallet opens. */
  readonly delayMs?: number;
  /** Of the notice when it fails in any other way than those that every way in shares. */
  readonly failureTitle?: string;
  /** Called instead of the notice; for a way in that has an end of its own. */
  readonly onRefused?: (problem: unknown) => void;
  /** The second sentence for a frozen account differs by the way in. */
  readonly frozenText?: string;
}

/** What was wrong with an attempt is over with the next one. */
const FAILURE = 'entry';

export const noticeEntryFailed = (message: string, title = t('Login Failed')) =>
  noticeError(title, message, NOTICE_MS.default, FAILURE);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export function useEntry({ delayMs = 0, failureTitle, onRefused, frozenText }: EntryOptions = {}) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const setBlock = useBlock((block) => block.setBlock);
  /** The attempt that waits for a code, and what was wrong with the last one. */
  const [waiting, setWaiting] = useState<{ readonly attempt: Attempt; readonly error: string | undefined }>();

  function refused(problem: unknown, attempt: Attempt): void {
    const code = problem instanceof ApiProblem ? problem.code : '';
    const asksForCode = code === 'SECOND_FACTOR_REQUIRED' || code === 'SECOND_FACTOR_WRONG';
    setWaiting(
      asksForCode ? { attempt, error: code === 'SECOND_FACTOR_WRONG' ? messageOf(problem) : undefined } : undefined,
    );
    if (asksForCode) return;
    if (code === 'FREEZE_ACCOUNT' || code === 'MAINTENANCE') {
      setBlock({ kind: code, restriction: (problem as ApiProblem).restriction, text: frozenText });
    } else if (onRefused) onRefused(problem);
    else noticeEntryFailed(messageOf(problem), failureTitle);
  }

  async function entered(answer: SignedIn): Promise<void> {
    setWaiting(undefined);
    useSession.getState().signIn(answer);
    useDevice.getState().remember(answer.device);
    // An operator has no wallet.
    const isOperator = answer.client.role === 'operator';
    if (!isOperator) {
      void queries.prefetchQuery(overviewQuery);
      void queries.prefetchQuery(spotWalletQuery);
    }
    void queries.prefetchQuery(accountCheckQuery);
    void queries.prefetchQuery(pairsQuery('all', answer.client.id));
    await pause(delayMs);
    await leaveSteps();
    await navigate(returnPath(search, isOperator ? '/admin' : '/wallet'), { replace: true });
  }

  const entry = useMutation({
    mutationFn: ({ attempt, secondFactor }: { attempt: Attempt; secondFactor?: string }) => attempt(secondFactor),
    onMutate: () => closeNotice(FAILURE),
    onError: (problem, { attempt }) => refused(problem, attempt),
    onSuccess: entered,
  });

  return {
    enter: (attempt: Attempt) => entry.mutate({ attempt }),
    isPending: entry.isPending,
    /** For the dialog that asks for the code. */
    secondFactor: {
      opened: waiting !== undefined,
      error: waiting?.error,
      isPending: entry.isPending,
      onCode: (code: string) => waiting && entry.mutate({ attempt: waiting.attempt, secondFactor: code }),
      onClose: () => setWaiting(undefined),
    },
  };
}
