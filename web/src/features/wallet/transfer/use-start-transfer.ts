/** Sends one transfer of the person, however often it has to be tried, exactly once. */
import { startTransfer, type Transfer } from '@cambist/contract/transfers.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { messageOf } from '../../../lib/api-problem.ts';
import { decimal, toShortText } from '../../../lib/decimal.ts';
import { t } from '../../../lib/i18n.ts';
import { readWalletsAgain } from '../../../lib/queries/account.ts';
import { sendOnce } from '../../../lib/send-once.ts';
import { forgetUnlock, signed } from '../../../lib/trading-unlock.ts';
import { NOTICE_MS, noticeError } from '../../../ui/notices.ts';
import type { TransferEntry } from './transfer-form.ts';
import { transfersQuery } from './transfer-queries.ts';

interface Submission {
  readonly entry: TransferEntry;
  /** Empty while the session is unlocked. */
  readonly password: string;
}

export function useStartTransfer(onStarted: (transfer: Transfer) => void, onWrongPassword: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ entry: { from, to, coin, amount }, password }: Submission) =>
      signed({ password }, (secret) =>
        sendOnce('transfer', (idempotencyKey) =>
          call(startTransfer, {
            body: { from, to, coin, amount: toShortText(decimal(amount)), ...secret },
            idempotencyKey,
          }),
        ),
      ),
    onSuccess: (answer, { password }) => {
      if (!answer) {
        forgetUnlock();
        if (password === '') return;
        noticeError(t('Error!'), t('Wrong transaction password'), NOTICE_MS.trade);
        return onWrongPassword();
      }
      if (!answer.transfer) return noticeError(t('Error!'), t('Something went wrong'), NOTICE_MS.trade);
      readWalletsAgain(queries);
      void queries.invalidateQueries({ queryKey: transfersQuery.queryKey });
      onStarted(answer.transfer);
    },
    onError: (error) => noticeError(t('Something went wrong'), messageOf(error), NOTICE_MS.trade),
  });
}
