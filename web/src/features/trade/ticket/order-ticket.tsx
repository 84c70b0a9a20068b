/** One side of the order form. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { t } from '../../../lib/i18n.ts';
import { usePreferences } from '../../../lib/preferences-store.ts';
import { signInPath } from '../../../lib/return-path.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { Amount } from '../../../ui/figures.tsx';
import { AmountField } from './amount-field.tsx';
import { AmountSlider } from './amount-slider.tsx';
import { ConfirmDialog, type SummaryLine } from './confirm-dialog.tsx';
import { amountForPercent, availableOf, orderBody, orderErrors, percentOf } from './order-summary.ts';
import type { BodyOfOrder } from './order-types.ts';
import { summaryLines } from './summary-lines.ts';
import classes from './ticket.module.css';
import { cleanDecimal, type Side } from './ticket.ts';
import { TicketPreview } from './ticket-preview.tsx';
import { useOrderContext } from './use-order-context.ts';
import { type Confirmation, isUnlocked, useSubmitOrder } from './use-submit-order.ts';
import { useTicket } from './use-ticket.ts';

interface OrderTicketProps {
  readonly pair: CoinPair;
  readonly side: Side;
}

/** What the person is asked to confirm. Kept as it was shown: a price that moves meanwhile changes neither. */
interface Review {
  readonly body: BodyOfOrder;
  readonly lines: readonly SummaryLine[];
  readonly unlocked: boolean;
  readonly wrong: boolean;
}

function useOrderTicket(pair: CoinPair, side: Side) {
  const context = useOrderContext(pair);
  const { ticket, dispatch } = useTicket();
  const [tried, setTried] = useState(false);
  const [dialog, setDialog] = useState<Review>();
  const done = () => {
    setDialog(undefined);
    setTried(false);
    dispatch({ kind: 'sent', side });
  };
  const prepare = () => ({ body: orderBody(ticket, side, context), lines: summaryLines(ticket, side, context) });
  // Without a dialog the lock had run out on the server: the person is asked now, and has typed nothing wrong.
  const wrongPassword = () =>
    setDialog((shown) => ({ ...(shown ?? prepare()), unlocked: false, wrong: shown?.unlocked === false }));
  const submission = useSubmitOrder(done, wrongPassword);
  const errors = tried ? orderErrors(ticket, side, context) : {};
  const confirm = (confirmation: Confirmation) => dialog && submission.mutate({ body: dialog.body, ...confirmation });
  const review = () => {
    setTried(true);
    if (Object.keys(orderErrors(ticket, side, context)).length > 0) return;
    const unlocked = isUnlocked();
    const prepared = prepare();
    if (unlocked && usePreferences.getState().skipConfirmation) submission.mutate({ body: prepared.body });
    else setDialog({ unlocked, wrong: false, ...prepared });
  };
  const close = () => setDialog(undefined);
  return { context, ticket, dispatch, errors, dialog, close, confirm, review, pending: submission.isPending };
}

export function OrderTicket({ pair, side }: OrderTicketProps) {
  const form = useOrderTicket(pair, side);
  const { context, ticket, dispatch, errors, dialog } = form;
  const signedIn = useSignedIn();
  const buying = side === 'BUY';
  const word = buying ? 'Buy' : 'Sell';
  const slide = (percent: number) =>
    dispatch({ kind: 'percent', side, percent, amount: amountForPercent(ticket, side, percent, context) });
  return (
    <form
      className={classes.ticket}
      aria-label={`${word} ${pair.coin}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.review();
      }}
    >
      <div className={classes.available}>
        <span>{t('Available')}</span>
        {signedIn && availableOf(side, context).units === 0n && (
          <Link to="/wallet" className={classes.addFunds}>
            {t('Add funds')}
          </Link>
        )}
        <Amount
          value={buying ? context.availableQuote : context.availableBase}
          digits={buying ? 2 : Math.max(4, pair.quantity_scale)}
          coin={buying ? context.quote : context.base}
        />
      </div>
      <PriceField side={side} scale={pair.price_scale} quote={context.quote} error={errors.price} />
      <AmountField side={side} context={context} error={errors.amount} />
      <AmountSlider
        label={`Share of balance to ${word.toLowerCase()}`}
        value={percentOf(ticket, side, context)}
        onChange={slide}
      />
      <TicketPreview ticket={ticket} side={side} context={context} />
      {signedIn ? (
        <Button
          type="submit"
          fullWidth
          className={buying ? classes.buy : classes.sell}
          loading={form.pending && !dialog}
        >
          {word} {pair.coin}
        </Button>
      ) : (
        <SignInButton word={word} coin={pair.coin} />
      )}
      <ConfirmDialog
        title={`${word} ${pair.coin}`}
        opened={dialog !== undefined}
        lines={dialog?.lines ?? []}
        unlocked={dialog?.unlocked ?? false}
        wrongPassword={dialog?.wrong ?? false}
        pending={form.pending}
        onCancel={form.close}
        onConfirm={form.confirm}
      />
    </form>
  );
}

function SignInButton({ word, coin }: { readonly word: string; readonly coin: string }) {
  const { pathname, search } = useLocation();
  return (
    <Button component={Link} to={signInPath(pathname + search)} fullWidth variant="default">
      {t('Log in to')} {word.toLowerCase()} {coin}
    </Button>
  );
}

interface PriceFieldProps {
  readonly side: Side;
  readonly scale: number;
  readonly quote: string;
  readonly error: string | undefined;
}

function PriceField({ side, scale, quote, error }: PriceFieldProps) {
  const { ticket, dispatch } = useTicket();
  if (ticket.type === 'market') {
    return (
      <TextInput
        classNames={inputClasses}
        label={t('Price')}
        value="Market price"
        readOnly
        rightSection={quote}
        rightSectionWidth={56}
      />
    );
  }
  return (
    <TextInput
      classNames={inputClasses}
      label={t('Price')}
      inputMode="decimal"
      autoComplete="off"
      placeholder="0"
      value={ticket[side].price}
      error={error}
      rightSection={quote}
      rightSectionWidth={56}
      onChange={(event) => dispatch({ kind: 'price', side, price: cleanDecimal(event.currentTarget.value, scale) })}
    />
  );
}

const inputClasses = { label: classes.label ?? '', input: classes.input ?? '', section: classes.unit ?? '' };
