/** Converts at a price that the exchange quotes and holds for a few seconds. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../lib/api-problem.ts';
import { decimal, parseDecimal, toShortText } from '../../../lib/decimal.ts';
import { t } from '../../../lib/i18n.ts';
import { usePairFigures } from '../../../lib/market/pairs.ts';
import { NOTICE_MS, noticeError } from '../../../ui/notices.ts';
import { directionOf } from './convert-form.ts';
import { convertErrors, derived, excessErrors } from './convert-maths.ts';
import { type ConvertFormProps, FormFrame } from './form-frame.tsx';
import { MarketDialog } from './market-dialog.tsx';
import { quoteLines } from './quote-lines.ts';
import { fetchQuote, type HeldQuote, useQuote, useSecondsLeft } from './use-quote.ts';

export function MarketForm({ minimums, ...form }: ConvertFormProps) {
  const { pair, entry, dispatch, available } = form;
  const { close } = usePairFigures(pair);
  // Of other coins nothing was tried: their amounts begin empty.
  const [triedOf, setTriedOf] = useState<string>();
  const subject = `${entry.from} ${entry.to}`;
  const [review, setReview] = useState<HeldQuote>();
  const estimate = derived(directionOf(entry), entry.fromAmount, close, pair);
  const isTyped = (parseDecimal(entry.fromAmount)?.units ?? 0n) > 0n;
  const asked = useQuote(entry, isTyped && !review);
  const quote = review ?? asked.quote;
  const toAmount = quote ? toShortText(decimal(quote.to_amount)) : estimate;
  const errors = convertErrors({ entry, toAmount, available, minimums });
  const asking = useMutation({
    mutationFn: () => fetchQuote(entry),
    onSuccess: setReview,
    onError: (problem) => noticeError(t('Something went wrong'), messageOf(problem), NOTICE_MS.trade),
  });
  const submit = () => {
    setTriedOf(subject);
    if (!errors.from && !errors.to) asking.mutate();
  };
  return (
    <>
      <FormFrame
        {...form}
        toAmount={toAmount}
        isToPending={asked.isPending}
        errors={triedOf === subject ? errors : excessErrors({ entry, available })}
        lines={quoteLines(quote, pair)}
        note={asked.error ? messageOf(asked.error) : <QuoteNote quote={quote} isTyped={isTyped} />}
        busy={asking.isPending}
        onSubmit={submit}
      />
      {review && (
        <MarketDialog
          quote={review}
          pair={pair}
          renew={() => fetchQuote(entry)}
          onClose={() => setReview(undefined)}
          onDone={() => {
            setReview(undefined);
            setTriedOf(undefined);
            dispatch({ kind: 'sent' });
          }}
        />
      )}
    </>
  );
}

function QuoteNote({ quote, isTyped }: { readonly quote: HeldQuote | undefined; readonly isTyped: boolean }) {
  if (!isTyped) return t('Enter an amount to see its price.');
  if (!quote) return t('Getting a price…');
  return <Countdown until={quote.until} />;
}

function Countdown({ until }: { readonly until: number }) {
  return t('The price is held for {{seconds}} s and then renewed.', { seconds: useSecondsLeft(until) });
}
