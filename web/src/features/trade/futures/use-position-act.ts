/**
 * Closing, reversing and what is to close later: one intent, however often it has to be tried, with the transaction password
 * where it is asked for.
 */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { closePosition, reversePosition } from '@cambist/contract/futures.ts';
import { type Order, placeConditionalOrder } from '@cambist/contract/trading.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { z } from 'zod';
import { call } from '../../../lib/api-client.ts';
import { ApiProblem, messageOf } from '../../../lib/api-problem.ts';
import { t } from '../../../lib/i18n.ts';
import { noticeError } from '../notices.ts';
import { followAct } from '../orders/read-again.ts';
import type { ConditionalBody } from '../ticket/order-types.ts';
import { type Confirmation, forgetUnlock, signed } from '../ticket/trading-unlock.ts';

type CloseBody = z.input<NonNullable<(typeof closePosition)['body']>>;

export type PositionAct =
  | { readonly kind: 'close'; readonly body: CloseBody }
  | { readonly kind: 'reverse'; readonly symbol: string }
  | { readonly kind: 'exits'; readonly body: ConditionalBody };

/** Why a position with a term is not closed yet: the documented answer. */
export type TermRunning = Extract<AnswerOf<typeof closePosition>, { message: 'closePositionError' }>;

/** What has become of it; undefined for a wrong password. */
export type Acted = 'success' | 'closeRequest' | TermRunning | undefined;

interface Intent extends Confirmation {
  readonly act: PositionAct;
}

function callOf(act: PositionAct, secret: { readonly transaction_password?: string }, idempotencyKey: string) {
  if (act.kind === 'close') return call(closePosition, { body: { ...act.body, ...secret }, idempotencyKey });
  if (act.kind === 'exits') return call(placeConditionalOrder, { body: { ...act.body, ...secret }, idempotencyKey });
  return call(reversePosition, { body: { symbol: act.symbol, ...secret }, idempotencyKey });
}

async function send(
  { act, ...confirmation }: Intent,
  idempotencyKey: string,
): Promise<{ message: Acted; order?: Order | undefined }> {
  const answer = await signed<Awaited<ReturnType<typeof callOf>>>(confirmation, (secret) =>
    callOf(act, secret, idempotencyKey),
  );
  if (answer?.message === 'closePositionError') return { message: answer };
  const order = answer && 'order' in answer ? answer.order : undefined;
  return { message: answer?.message === 'closeRequest' ? 'closeRequest' : answer && 'success', order };
}

export function usePositionAct(onDone: (acted: Acted) => void) {
  const queries = useQueryClient();
  const key = useRef(crypto.randomUUID());
  return useMutation({
    mutationFn: (intent: Intent) => send(intent, key.current),
    onSuccess: ({ message, order }, { password }) => {
      key.current = crypto.randomUUID();
      if (message === undefined) {
        forgetUnlock();
        if (password !== undefined) noticeError(t('Error!'), t('Wrong transaction password'));
      } else followAct(queries, order);
      onDone(message);
    },
    onError: (error) => {
      // Without an answer the same key goes out again, so that a retry closes nothing twice.
      if (!(error instanceof ApiProblem) || !error.undecided) key.current = crypto.randomUUID();
      noticeError(t('Something went wrong'), messageOf(error));
    },
  });
}
