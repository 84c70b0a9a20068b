/** Closes a position by the documented call: all of it, at market. */
import { closePosition } from '@cambist/contract/futures.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { messageOf } from '../../../lib/api-problem.ts';
import { type ClosedNotice, useClosedNotices } from '../../../lib/futures/closed-notices.ts';
import { partlyClosed } from '../../../lib/futures/partly-closed.ts';
import { t } from '../../../lib/i18n.ts';
import { readWalletsAgain } from '../../../lib/queries/account.ts';
import { accountKeys } from '../../../lib/queries/account-keys.ts';
import { sendOnce } from '../../../lib/send-once.ts';
import { useIsShown } from '../../../ui/is-shown.ts';
import { NOTICE_MS, noticeError, noticeSuccess } from '../../../ui/notices.ts';
import { noticeTerm, type TermRunning } from '../../../ui/term-dialog.tsx';

interface Outcomes {
  readonly onWrong: () => void;
  /** Nothing was closed. */
  readonly onTerm: (term: TermRunning) => void;
  readonly onDone: () => void;
}

interface Closing {
  /** Of the position. */
  readonly id: string;
  /** What the notice of the close states. */
  readonly closed: Omit<ClosedNotice, 'id'>;
}

export function useClosePosition({ id, closed }: Closing, { onWrong, onTerm, onDone }: Outcomes) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isShown = useIsShown();
  return useMutation({
    mutationFn: (password: string) =>
      sendOnce(`close ${id}`, (idempotencyKey) =>
        call(closePosition, { body: { future_id: id, transaction_password: password }, idempotencyKey }),
      ),
    onSuccess: (answer) => {
      const { message } = answer;
      if (message === 'wrong_transaction_password') {
        noticeError(t('Error!'), t('Wrong transaction password'), NOTICE_MS.trade);
        return onWrong();
      }
      if (answer.message === 'closePositionError') return isShown() ? onTerm(answer) : noticeTerm(answer);
      readWalletsAgain(queries);
      for (const queryKey of [accountKeys.positions, accountKeys.clientMargin])
        void queries.invalidateQueries({ queryKey });
      if (isShown()) onDone();
      const partly = partlyClosed(answer);
      if (partly) {
        const text = t('{{filled}} of {{amount}} was closed. The rest of your position is still open.', { ...partly });
        return noticeError(t('Closed in part'), text);
      }
      if (message === 'success') {
        useClosedNotices.getState().add(closed);
        // The panel with the notice is not on the screen any more.
        if (!isShown()) noticeSuccess(t('Close Position Success'), closed.size, NOTICE_MS.trade);
        return;
      }
      noticeSuccess(t('Success'), t('The order that closes the position is in the book.'), NOTICE_MS.trade);
      if (isShown()) void navigate('/home');
    },
    onError: (error) => noticeError(t('Something went wrong'), messageOf(error), NOTICE_MS.trade),
  });
}
