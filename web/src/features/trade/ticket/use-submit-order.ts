/** Sends one intent of the person, however often it has to be tried, exactly once. */
import { unlockTrading } from '@cambist/contract/accounts.ts';
import { placeOrder } from '@cambist/contract/trading.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../../lib/api-client.ts';
import { ApiProblem, messageOf } from '../../../lib/api-problem.ts';
import { accountKeys } from '../../../lib/queries/account.ts';
import { useSession } from '../../../lib/session-store.ts';
import { noticeError, noticeSuccess } from '../../../ui/notices.ts';
import type { BodyOfOrder } from './order-types.ts';

const UNLOCK_MINUTES = 15;

export interface Confirmation {
  /** Absent while the session is unlocked. */
  readonly password?: string;
  readonly keepUnlocked?: boolean;
}

interface Submission extends Confirmation {
  readonly body: BodyOfOrder;
}

export type SubmitResult = 'success' | 'wrong_transaction_password' | 'refused';

async function unlock(password: string): Promise<boolean> {
  const answer = await call(unlockTrading, { body: { transaction_password: password, minutes: UNLOCK_MINUTES } });
  if (answer.message !== 'success') return false;
  useSession.getState().setUnlockedUntil(answer.unlocked_until ?? 0);
  return true;
}

async function submit({ body, password, keepUnlocked }: Submission, key: string): Promise<SubmitResult> {
  if (password && keepUnlocked && !(await unlock(password))) return 'wrong_transaction_password';
  const secret = password ? { transaction_password: password } : {};
  const answer = await call(placeOrder, { body: { ...body, ...secret }, idempotencyKey: key });
  if (answer.message === 'wrong_transaction_password') return 'wrong_transaction_password';
  const killed = answer.order?.state === 'DISSAPROVED' && !/[1-9]/.test(answer.order.filled);
  return killed ? 'refused' : 'success';
}

export function useSubmitOrder(onDone: () => void, onWrongPassword: () => void) {
  const queries = useQueryClient();
  const key = useRef(crypto.randomUUID());
  return useMutation({
    mutationFn: (submission: Submission) => submit(submission, key.current),
    onSuccess: (result, { password }) => {
      key.current = crypto.randomUUID();
      if (result === 'wrong_transaction_password') {
        useSession.getState().setUnlockedUntil(0);
        if (password !== undefined) noticeError('Error!', 'Wrong transaction password');
        return onWrongPassword();
      }
      if (result === 'success') noticeSuccess('Success', 'Order created successfully');
      else noticeError('Not filled', 'The order could not be filled at its price and was cancelled.');
      for (const queryKey of [accountKeys.funds, accountKeys.openOrders, accountKeys.orderHistory]) {
        void queries.invalidateQueries({ queryKey });
      }
      onDone();
    },
    onError: (error) => {
      // Without an answer the same key goes out again, so that a retry cannot become a second order.
      if (!(error instanceof ApiProblem) || !error.undecided) key.current = crypto.randomUUID();
      noticeError('Error!', messageOf(error));
    },
  });
}

/** Whether orders may go out without the transaction password now. */
export function isUnlocked(): boolean {
  return useSession.getState().unlockedUntil > Date.now();
}
