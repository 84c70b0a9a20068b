/** Asks for a withdrawal: first what it needs, then the thing itself, however often it has to be tried, exactly once. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { startWithdrawal, withdrawalCode } from '@cambist/contract/withdrawals.ts';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { ApiProblem, messageOf, titleOf } from '../../../lib/api-problem.ts';
import { t } from '../../../lib/i18n.ts';
import { sendOnce } from '../../../lib/send-once.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { NOTICE_MS, noticeError, noticeSuccess } from '../../../ui/notices.ts';
import type { Check } from './use-withdraw-form.ts';
import classes from './withdraw.module.css';
import { checkQuery, readWithdrawalsAgain, type Wish } from './withdraw-queries.ts';

type SentCode = AnswerOf<typeof withdrawalCode>;

/** What the client is asked to confirm. */
export interface Review {
  readonly wish: Wish;
  readonly check: Check;
  /** Where a code is asked for. */
  readonly code: SentCode | undefined;
}

/** As long as the server mails no other one. */
const RESEND_AFTER_S = 60;

/** Where the last code was mailed moments ago it is still good, and none is mailed. */
async function sendCode(): Promise<SentCode> {
  try {
    return await call(withdrawalCode);
  } catch (problem) {
    if (!(problem instanceof ApiProblem) || problem.code !== 'CODE_SENT_RECENTLY') throw problem;
    return { message: 'success', by: 'mail', resend_after_s: RESEND_AFTER_S };
  }
}

const isFraud = (error: unknown) => error instanceof ApiProblem && error.code === 'FRAUDULENT_ADDRESS';

interface BeginHandlers {
  readonly onReview: (review: Review) => void;
  readonly onFraud: () => void;
}

/** The checks, and then the code: nothing is mailed for what would be refused. */
export function useBeginWithdrawal({ onReview, onFraud }: BeginHandlers) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (wish: Wish): Promise<Review> => {
      const check = await queries.fetchQuery({ ...checkQuery(wish), staleTime: 0 });
      return { wish, check, code: check.needs_code ? await sendCode() : undefined };
    },
    onSuccess: onReview,
    onError: (error) => {
      if (isFraud(error)) return onFraud();
      // What belongs to a field stands under it.
      const isOfField = error instanceof ApiProblem && error.fields.size > 0;
      if (!isOfField) noticeError(t('Withdrawal not possible'), messageOf(error));
    },
  });
}

interface Submission extends Review {
  readonly verification: string;
  readonly password: string;
}

interface StartHandlers {
  readonly onSent: () => void;
  readonly onWrong: () => void;
  readonly onFraud: () => void;
  /** What was shown no longer holds. */
  readonly onOutdated: () => void;
}

export function useStartWithdrawal({ onSent, onWrong, onFraud, onOutdated }: StartHandlers) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ wish, check, verification, password }: Submission) =>
      sendOnce('withdrawal', (idempotencyKey) =>
        call(startWithdrawal, {
          body: { ...wish, gasfee: check.fee, verification, transaction_password: password },
          idempotencyKey,
        }),
      ),
    onSuccess: ({ message }) => {
      if (message !== 'success') {
        noticeError(t('Error!'), t('Please check your Code, and Transaction Password and try again.'), NOTICE_MS.trade);
        return onWrong();
      }
      noticeSuccess(t('Success'), t('Withdrawal request sent'));
      readWithdrawalsAgain(queries);
      onSent();
    },
    onError: (error) => {
      if (isFraud(error)) return onFraud();
      noticeError(titleOf(error, t('Withdrawal not sent')), messageOf(error));
      if (error instanceof ApiProblem && error.code === 'FEE_CHANGED') {
        readWithdrawalsAgain(queries);
        void queries.invalidateQueries({ queryKey: ['account', 'withdrawal-check'] });
        onOutdated();
      }
    },
  });
}

export function FraudAlert({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={t('ALERT')} size="sm">
      <p className={classes.fraud}>
        {t('This address is known to be fraudulent. Do not send any funds to it: they would be lost.')}
      </p>
      <Button fullWidth onClick={onClose}>
        {t('I understand')}
      </Button>
    </Dialog>
  );
}
