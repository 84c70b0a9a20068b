/** Sends one intent of the person, however often it has to be tried, exactly once. */
import { type Order, placeConditionalOrder, placeOrder } from '@cambist/contract/trading.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../../lib/api-client.ts';
import { ApiProblem, messageOf } from '../../../lib/api-problem.ts';
import { t } from '../../../lib/i18n.ts';
import { noticeError, noticeSuccess } from '../notices.ts';
import { followAct } from '../orders/read-again.ts';
import type { OrderRequest } from './order-types.ts';
import { type Confirmation, forgetUnlock, signed } from './trading-unlock.ts';

interface Submission extends Confirmation {
  readonly request: OrderRequest;
}

interface SubmitResult {
  readonly outcome: 'success' | 'wrong_transaction_password' | 'refused';
  readonly order?: Order | undefined;
}

async function submit({ request, ...confirmation }: Submission, key: string): Promise<SubmitResult> {
  const answer = await signed(confirmation, (secret) =>
    request.conditional
      ? call(placeConditionalOrder, { body: { ...request.body, ...secret }, idempotencyKey: key })
      : call(placeOrder, { body: { ...request.body, ...secret }, idempotencyKey: key }),
  );
  if (!answer) return { outcome: 'wrong_transaction_password' };
  const { order } = answer;
  const killed = order?.state === 'DISSAPROVED' && !/[1-9]/.test(order.filled);
  return { outcome: killed ? 'refused' : 'success', order };
}

export function useSubmitOrder(onDone: () => void, onWrongPassword: () => void) {
  const queries = useQueryClient();
  const key = useRef(crypto.randomUUID());
  return useMutation({
    mutationFn: (submission: Submission) => submit(submission, key.current),
    onSuccess: ({ outcome, order }, { password }) => {
      key.current = crypto.randomUUID();
      if (outcome === 'wrong_transaction_password') {
        forgetUnlock();
        if (password !== undefined) noticeError(t('Error!'), t('Wrong transaction password'));
        return onWrongPassword();
      }
      if (outcome === 'success') noticeSuccess(t('Success'), t('Order created successfully'));
      else noticeError(t('Not filled'), t('The order could not be filled at its price and was cancelled.'));
      followAct(queries, order);
      onDone();
    },
    onError: (error) => {
      // Without an answer the same key goes out again, so that a retry cannot become a second order.
      if (!(error instanceof ApiProblem) || !error.undecided) key.current = crypto.randomUUID();
      noticeError(t('Something went wrong'), messageOf(error));
    },
  });
}
