/** Converts by a limit order at the ratio of the two amounts that the person enters. */
import { myOrder } from '@cambist/contract/trading.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { messageOf } from '../../../lib/api-problem.ts';
import { decimal, toShortText, toText } from '../../../lib/decimal.ts';
import { formatPercent } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { usePairFigures } from '../../../lib/market/pairs.ts';
import { readWalletsAgain } from '../../../lib/queries/account.ts';
import { accountKeys } from '../../../lib/queries/account-keys.ts';
import { sendOnce } from '../../../lib/send-once.ts';
import { NOTICE_MS, noticeError, noticeSuccess } from '../../../ui/notices.ts';
import { PasswordDialog } from '../../../ui/password-dialog.tsx';
import { directionOf, MONEY } from './convert-form.ts';
import { convertErrors, derived, distancePercent, excessErrors, type LimitOrder, limitOrder } from './convert-maths.ts';
import { type ConvertFormProps, FormFrame, type Line } from './form-frame.tsx';
import { inCoin, rateText } from './quote-lines.ts';

interface Review {
  readonly order: LimitOrder;
  readonly lines: readonly Line[];
}

export function LimitForm({ minimums, ...form }: ConvertFormProps) {
  const { pair, entry, dispatch, available } = form;
  const { close } = usePairFigures(pair);
  // Of other coins nothing was tried: their amounts begin empty.
  const [triedOf, setTriedOf] = useState<string>();
  const subject = `${entry.from} ${entry.to}`;
  const [review, setReview] = useState<Review>();
  const [wrong, setWrong] = useState(false);
  const toAmount = entry.toAmount ?? derived(directionOf(entry), entry.fromAmount, close, pair);
  const errors = convertErrors({ entry, toAmount, available, minimums });
  const order = limitOrder(entry, toAmount, pair, minimums?.taker_fee_percent);
  const distance = order && distancePercent(order.price, decimal(close));
  const lines: readonly Line[] = [
    { title: t('Your price'), value: order ? rateText(toText(order.price), pair) : '–' },
    { title: t('Market price'), value: rateText(close, pair) },
    { title: t('Difference to market'), value: distance ? formatPercent(distance) : '–' },
    { title: t('Max. fee'), value: order ? inCoin(toText(order.fee), entry.to) : '–' },
    { title: t('You receive at least'), value: order ? inCoin(toText(order.receive), entry.to) : '–' },
  ];
  const placing = usePlaceConversion(
    pair.pair_name,
    () => setWrong(true),
    () => {
      setReview(undefined);
      setTriedOf(undefined);
      dispatch({ kind: 'sent' });
    },
  );
  const submit = () => {
    setTriedOf(subject);
    if (order && !errors.from && !errors.to) setReview({ order, lines });
  };
  return (
    <>
      <FormFrame
        {...form}
        toAmount={toAmount}
        onToAmount={(amount) => dispatch({ kind: 'to-amount', amount })}
        errors={triedOf === subject ? errors : excessErrors({ entry, available })}
        lines={lines}
        note={t('The order stays open at your price until it is filled or you cancel it.')}
        onSubmit={submit}
      />
      {review && (
        <PasswordDialog
          title={t('Confirm conversion')}
          facts={[
            { name: t('You pay at most'), value: paidText(review.order, pair.coin), strong: true },
            ...review.lines.map(({ title, value }, index, all) => ({
              name: title,
              value,
              strong: index === all.length - 1,
            })),
          ]}
          note={t('The order stays open at your price until it is filled or you cancel it.')}
          busy={placing.isPending}
          wrong={wrong}
          onClose={() => setReview(undefined)}
          onConfirm={(password) => {
            setWrong(false);
            placing.mutate({ order: review.order, password });
          }}
        />
      )}
    </>
  );
}

function paidText({ direction, total, quantity }: LimitOrder, coin: string): string {
  return direction === 'BUY' ? inCoin(toText(total), MONEY) : inCoin(toText(quantity), coin);
}

interface Submission {
  readonly order: LimitOrder;
  readonly password: string;
}

function usePlaceConversion(name: string, onWrong: () => void, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ order, password }: Submission) =>
      sendOnce(`conversion ${name} ${order.direction}`, (idempotencyKey) =>
        call(myOrder, {
          query: {
            name,
            delegate_type: order.direction,
            number_of_order: toShortText(order.quantity),
            order_per_unit: toShortText(order.price),
            trade_type: 'convert',
            market_type: 'limit',
            transaction_password: password,
          },
          idempotencyKey,
        }),
      ),
    onSuccess: ({ message }) => {
      if (message === 'wrong_transaction_password') {
        noticeError(t('Error!'), t('Wrong transaction password'), NOTICE_MS.trade);
        return onWrong();
      }
      noticeSuccess(t('Success'), t('Order created successfully'), NOTICE_MS.trade);
      readWalletsAgain(queries);
      void queries.invalidateQueries({ queryKey: accountKeys.openOrders });
      onDone();
    },
    onError: (error) => noticeError(t('Something went wrong'), messageOf(error), NOTICE_MS.trade),
  });
}
