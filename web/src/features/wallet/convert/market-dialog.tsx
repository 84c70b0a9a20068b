/** What a quoted conversion does, in amounts, with the seconds that it still holds. */
import { convert } from '@cambist/contract/convert.ts';
import type { CoinPair } from '@cambist/contract/markets.ts';
import type { Order } from '@cambist/contract/trading.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { ApiProblem, messageOf } from '../../../lib/api-problem.ts';
import { conversionNotice, inWords, movedBy } from '../../../lib/conversion.ts';
import { decimal } from '../../../lib/decimal.ts';
import { t } from '../../../lib/i18n.ts';
import { readWalletsAgain } from '../../../lib/queries/account.ts';
import { accountKeys } from '../../../lib/queries/account-keys.ts';
import { NOTICE_MS, noticeError, noticeSuccess } from '../../../ui/notices.ts';
import { PasswordDialog } from '../../../ui/password-dialog.tsx';
import { inCoin, quoteLines } from './quote-lines.ts';
import { type HeldQuote, useSecondsLeft } from './use-quote.ts';

interface MarketDialogProps {
  readonly quote: HeldQuote;
  readonly pair: CoinPair;
  readonly renew: () => Promise<HeldQuote>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function MarketDialog({ quote: first, pair, renew, onClose, onDone }: MarketDialogProps) {
  const [quote, setQuote] = useState(first);
  const [wrong, setWrong] = useState(false);
  const [unheard, setUnheard] = useState<ApiProblem>();
  const seconds = useSecondsLeft(quote.until);
  const fail = (error: unknown) => noticeError(t('Something went wrong'), messageOf(error), NOTICE_MS.trade);
  const renewal = useMutation({
    mutationFn: renew,
    onSuccess: (next) => {
      setQuote(next);
      conversion.reset();
    },
    onError: fail,
  });
  const conversion = useConversion(quote, {
    onWrong: () => setWrong(true),
    onProblem: (problem) => setUnheard((before) => unheardAfter(problem, before)),
    onDone,
  });
  const isOver = (seconds === 0 || conversion.isError) && !unheard && !conversion.isPending;
  return (
    <PasswordDialog
      title={t('Confirm conversion')}
      facts={[
        { name: t('You pay at most'), value: inCoin(quote.from_amount, quote.from), strong: true },
        ...quoteLines(quote, pair).map(({ title, value }, index, all) => ({
          name: title,
          value,
          strong: index === all.length - 1,
        })),
      ]}
      note={unheard ? messageOf(unheard) : noteOf(isOver, seconds)}
      busy={conversion.isPending || renewal.isPending}
      wrong={wrong}
      renewal={isOver ? { label: t('Get a new price'), onRenew: () => renewal.mutate() } : undefined}
      onClose={onClose}
      onConfirm={(password) => {
        setWrong(false);
        conversion.mutate(password);
      }}
    />
  );
}

function noteOf(isOver: boolean, seconds: number): string {
  if (isOver) return t('This price has expired. Get a new one and review it before you confirm.');
  return t('You get this price or better for the full amount, or nothing is converted. Held for {{seconds}} s.', {
    seconds,
  });
}

/** What the exchange says once it has looked for the conversion and has not made it. */
const NOT_MADE = ['QUOTE_EXPIRED', 'PRICE_MOVED'];

/**
 * Why it is unknown whether the conversion was made. As long as it is, the same one is confirmed again, however late: another
 * price would be another conversion.
 */
function unheardAfter(problem: unknown, before: ApiProblem | undefined): ApiProblem | undefined {
  if (!(problem instanceof ApiProblem)) return before;
  if (problem.undecided) return problem;
  return NOT_MADE.includes(problem.code) ? undefined : before;
}

/** What really moved, which may be better than the quote. */
function convertedText(quote: HeldQuote, order: Order | undefined): string {
  const moved = order ? movedBy(order) : { paid: decimal(quote.from_amount), received: decimal(quote.receive) };
  const values = { paid: inWords(moved.paid, quote.from), received: inWords(moved.received, quote.to) };
  return t('{{paid}} converted to {{received}}', values);
}

interface Outcomes {
  readonly onWrong: () => void;
  readonly onProblem: (problem: unknown) => void;
  readonly onDone: () => void;
}

/** The quote's id is what makes a second attempt harmless: it is good for one conversion. */
function useConversion(quote: HeldQuote, { onWrong, onProblem, onDone }: Outcomes) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (password: string) =>
      call(convert, { body: { quote_id: quote.id, transaction_password: password }, idempotencyKey: quote.id }),
    onSuccess: (answer) => {
      if (answer.message === 'wrong_transaction_password') {
        noticeError(t('Error!'), t('Wrong transaction password'), NOTICE_MS.trade);
        return onWrong();
      }
      const id = answer.order && conversionNotice(answer.order);
      noticeSuccess(t('Success'), convertedText(quote, answer.order), NOTICE_MS.trade, id);
      readWalletsAgain(queries);
      void queries.invalidateQueries({ queryKey: accountKeys.orderHistory });
      onDone();
    },
    onError: (error) => {
      noticeError(t('Something went wrong'), messageOf(error), NOTICE_MS.trade);
      onProblem(error);
    },
  });
}
