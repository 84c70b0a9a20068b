/**
 * Closing, reversing and what is to close later: one intent, however often it has to be tried, with the transaction password
 * where it is asked for.
 */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { closePosition, reversePosition } from '@cambist/contract/futures.ts';
import { type Order, placeConditionalOrder } from '@cambist/contract/trading.ts';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from '../../../lib/api-client.ts';
import { messageOf } from '../../../lib/api-problem.ts';
import { type Partly, partlyClosed } from '../../../lib/futures/partly-closed.ts';
import { t } from '../../../lib/i18n.ts';
import { sendOnce } from '../../../lib/send-once.ts';
import { type Confirmation, forgetUnlock, signed } from '../../../lib/trading-unlock.ts';
import type { TermRunning } from '../../../ui/term-dialog.tsx';
import { noticeError } from '../notices.ts';
import { followAct } from '../orders/read-again.ts';
import type { ConditionalBody } from '../ticket/order-types.ts';

type CloseBody = z.input<NonNullable<(typeof closePosition)['body']>>;

export type PositionAct =
  | { readonly kind: 'close'; readonly body: CloseBody }
  | { readonly kind: 'reverse'; readonly symbol: string }
  | { readonly kind: 'exits'; readonly body: ConditionalBody };

/** What has become of it; undefined for a wrong password. */
export type Acted = 'success' | 'closeRequest' | TermRunning | Partly | undefined;

interface Intent extends Confirmation {
  readonly act: PositionAct;
}

type Answered =
  | AnswerOf<typeof closePosition>
  | AnswerOf<typeof reversePosition>
  | AnswerOf<typeof placeConditionalOrder>;

function callOf(
  act: PositionAct,
  secret: { readonly transaction_password?: string },
  idempotencyKey: string,
): Promise<Answered> {
  if (act.kind === 'close') return call(closePosition, { body: { ...act.body, ...secret }, idempotencyKey });
  if (act.kind === 'exits') return call(placeConditionalOrder, { body: { ...act.body, ...secret }, idempotencyKey });
  return call(reversePosition, { body: { symbol: act.symbol, ...secret }, idempotencyKey });
}

async function send(
  { act, ...confirmation }: Intent,
  position: string,
): Promise<{ message: Acted; order?: Order | undefined }> {
  const answer = await signed<Answered>(confirmation, (secret) =>
    sendOnce(`${act.kind} ${position}`, (idempotencyKey) => callOf(act, secret, idempotencyKey)),
  );
  if (answer?.message === 'closePositionError') return { message: answer };
  const order = answer && 'order' in answer ? answer.order : undefined;
  const partly = act.kind === 'exits' || answer === undefined ? undefined : partlyClosed(answer);
  if (partly) return { message: partly, order };
  return { message: answer?.message === 'closeRequest' ? 'closeRequest' : answer && 'success', order };
}

/** @param position its id: what is done to the next position in the same market is another intent */
export function usePositionAct(position: string, onDone: (acted: Acted) => void) {
  const queries = useQueryClient();
  const mutationKey = ['position-act', position];
  const isPending = useIsMutating({ mutationKey }) > 0;
  const { mutate, variables } = useMutation({
    mutationKey,
    mutationFn: (intent: Intent) => send(intent, position),
    onSuccess: ({ message, order }, { password }) => {
      if (message === undefined) {
        forgetUnlock();
        if (password !== undefined) noticeError(t('Error!'), t('Wrong transaction password'));
      } else followAct(queries, order);
      onDone(message);
    },
    onError: (error) => noticeError(t('Something went wrong'), messageOf(error)),
  });
  return {
    isPending,
    variables,
    // The second click of a double click comes before the button is drawn anew.
    mutate: (intent: Intent) => queries.isMutating({ mutationKey }) === 0 && mutate(intent),
  };
}
