/** Sends one intent of the person, however often it has to be tried, exactly once. */
import { type Order, placeConditionalOrder, placeOrder } from '@cambist/contract/trading.ts';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { messageOf } from '../../../lib/api-problem.ts';
import { t } from '../../../lib/i18n.ts';
import { sendOnce } from '../../../lib/send-once.ts';
import { type Confirmation, forgetUnlock, signed } from '../../../lib/trading-unlock.ts';
import { noticeError, noticeSuccess } from '../notices.ts';
import { followAct } from '../orders/read-again.ts';
import type { OrderRequest } from './order-types.ts';

interface Submission extends Confirmation {
  readonly request: OrderRequest;
}

interface SubmitResult {
  readonly outcome: 'success' | 'wrong_transaction_password' | 'refused';
  readonly order?: Order | undefined;
}

async function submit({ request, ...confirmation }: Submission, intent: string): Promise<SubmitResult> {
  const answer = await signed(confirmation, (secret) =>
    sendOnce(intent, (idempotencyKey) =>
      request.conditional
        ? call(placeConditionalOrder, { body: { ...request.body, ...secret }, idempotencyKey })
        : call(placeOrder, { body: { ...request.body, ...secret }, idempotencyKey }),
    ),
  );
  if (!answer) return { outcome: 'wrong_transaction_password' };
  const { order } = answer;
  const killed = order?.state === 'DISSAPROVED' && !/[1-9]/.test(order.filled);
  return { outcome: killed ? 'refused' : 'success', order };
}

interface Outcomes {
  readonly onDone: () => void;
  readonly onWrongPassword: () => void;
}

/** @param intent of the form. What it has sent is on its way also for the same form of another screen, or after a return. */
export function useSubmitOrder(intent: string, { onDone, onWrongPassword }: Outcomes) {
  const queries = useQueryClient();
  const mutationKey = [intent];
  const isPending = useIsMutating({ mutationKey }) > 0;
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: (submission: Submission) => submit(submission, intent),
    onSuccess: ({ outcome, order }, { password }) => {
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
    onError: (error) => noticeError(t('Something went wrong'), messageOf(error)),
  });
  return {
    isPending,
    // The second click of a double click comes before the button is drawn anew.
    mutate: (submission: Submission) => queries.isMutating({ mutationKey }) === 0 && mutate(submission),
  };
}
