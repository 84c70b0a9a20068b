/** One side of the order form. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { Button } from '@mantine/core';
import { Suspense, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useLocation } from 'react-router';
import { t } from '../../../lib/i18n.ts';
import { usePreferences } from '../../../lib/preferences-store.ts';
import { signInPath } from '../../../lib/return-path.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { type Confirmation, isUnlocked } from '../../../lib/trading-unlock.ts';
import { announce } from '../../../ui/announcer.tsx';
import { focusFirstError } from '../../../ui/first-error.ts';
import { isPasted } from '../../../ui/number-field.tsx';
import { lazyPart } from '../../../ui/part.tsx';
import { useTerminal } from '../terminal.ts';
import { AmountField } from './amount-field.tsx';
import { AmountSlider } from './amount-slider.tsx';
import { useCloseOnly } from './close-only.ts';
import { entryErrors, firstError } from './order-errors.ts';
import { PriceFields } from './price-fields.tsx';
import { newlyWarned, type Summary, summaryOf } from './review.ts';
import classes from './ticket.module.css';
import { NEW_TICKET, PRICES_OF, type Side, type SideEntry } from './ticket.ts';
import type { TicketKind } from './ticket-kind.ts';
import { usePause } from './use-pause.ts';
import { useSubmitOrder } from './use-submit-order.ts';
import { emptyTicket, useTicket } from './use-ticket.ts';

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'), 'over');

interface OrderTicketProps {
  readonly pair: CoinPair;
  readonly side: Side;
}

interface Review extends Summary {
  readonly unlocked: boolean;
  readonly wrong: boolean;
}

function useOrderTicket(pair: CoinPair, side: Side, kind: TicketKind) {
  const readContext = kind.useContext(pair);
  const context = readContext();
  const { ticket, dispatch } = useTicket();
  // Of another type or unit nothing was tried: its fields begin empty.
  const [triedOf, setTriedOf] = useState<string>();
  const subject = `${ticket.type} ${ticket.priceType} ${ticket.isReduceOnly}`;
  // A text that is no number yet may become one while it is typed.
  const [left, setLeft] = useState(true);
  const [dialog, setDialog] = useState<Review>();
  const done = () => {
    setDialog(undefined);
    setTriedOf(undefined);
    emptyTicket(pair.pair_name, side);
  };
  const prepare = () => summaryOf(kind, ticket, side, readContext());
  // Without a dialog the lock had run out on the server: the person is asked now, and has typed nothing wrong.
  const wrongPassword = () =>
    setDialog((shown) => ({ ...(shown ?? prepare()), unlocked: false, wrong: shown?.unlocked === false }));
  const submission = useSubmitOrder(`order ${pair.pair_name} ${side}`, {
    onDone: done,
    onWrongPassword: wrongPassword,
  });
  const pause = usePause(pair);
  const closeOnly = useCloseOnly(pair, side, ticket.isReduceOnly);
  const closed = closeOnly ?? pause ?? kind.closed?.(ticket, side, context);
  const whileTyped = () => {
    const amount = kind.excess(ticket, side, context);
    return { ...(amount && { amount }), ...entryErrors(ticket, side, context, left) };
  };
  const errors = closed ? {} : triedOf === subject ? kind.errors(ticket, side, context) : whileTyped();
  const confirm = (confirmation: Confirmation) => {
    if (!dialog) return;
    const warned = newlyWarned(dialog, kind, ticket, side, readContext());
    if (warned) setDialog({ ...dialog, ...warned });
    else submission.mutate({ request: dialog.request, ...confirmation });
  };
  const review = (form: HTMLFormElement) => {
    if (closed) return;
    flushSync(() => setTriedOf(subject));
    if (Object.keys(kind.errors(ticket, side, readContext())).length > 0) return focusFirstError(form);
    const unlocked = isUnlocked();
    const prepared = prepare();
    // Who skips the summary still hears of an unusual price.
    const skips = unlocked && usePreferences.getState().skipConfirmation;
    if (skips && !prepared.warning) submission.mutate({ request: prepared.request });
    else setDialog({ unlocked, wrong: false, ...prepared });
  };
  const close = () => setDialog(undefined);
  return {
    context,
    readContext,
    ticket,
    dispatch,
    closed,
    errors,
    dialog,
    close,
    confirm,
    review,
    setLeft,
    pending: submission.isPending,
  };
}

export function OrderTicket({ pair, side }: OrderTicketProps) {
  const { ticketKind: kind } = useTerminal();
  const form = useOrderTicket(pair, side, kind);
  const { context, readContext, ticket, dispatch, errors, dialog } = form;
  const messageId = useId();
  const buying = side === 'BUY';
  const title = kind.title(side, pair.coin, ticket);
  const slide = (percent: number) => {
    const amount = kind.amount(ticket, side, percent, readContext());
    if (amount !== undefined) dispatch({ kind: 'percent', side, percent, amount });
  };
  return (
    <>
      <form
        className={classes.ticket}
        // What a side is called does not change with its options.
        aria-label={kind.title(side, pair.coin, NEW_TICKET)}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.review(event.currentTarget);
        }}
        onInput={({ nativeEvent }) => form.setLeft(isPasted(nativeEvent))}
        onBlur={() => form.setLeft(true)}
      >
        <kind.Available side={side} context={context} />
        <fieldset
          className={classes.fields}
          data-prices={Math.max(1, PRICES_OF[ticket.type].length)}
          disabled={form.closed !== undefined}
        >
          <PriceFields side={side} readContext={readContext} errors={errors} messageId={messageId} />
          <AmountField side={side} context={context} error={errors.amount} messageId={messageId} />
          <AmountSlider
            label={buying ? t('Share of balance to buy with') : t('Share of balance to sell')}
            value={kind.percent(ticket, side, context)}
            onChange={slide}
          />
        </fieldset>
        <kind.Options side={side} context={context} errors={errors} messageId={messageId} />
        <Below pair={pair} side={side} form={form} messageId={messageId} />
        <SendButton pair={pair} side={side} form={form} title={title} />
      </form>
      {/* Beside the form: what is confirmed in a dialog inside of it would send the form, too. */}
      {dialog && (
        <Suspense fallback={null}>
          <ConfirmDialog
            title={title}
            opened
            lines={dialog.lines}
            warning={dialog.warning}
            unlocked={dialog.unlocked}
            wrongPassword={dialog.wrong}
            pending={form.pending}
            onCancel={form.close}
            onConfirm={form.confirm}
          />
        </Suspense>
      )}
    </>
  );
}

interface BelowProps extends OrderTicketProps {
  readonly form: ReturnType<typeof useOrderTicket>;
  readonly messageId: string;
}

/**
 * A screen reader is told of what is wrong once for each entry: a figure of it, as of what a position leaves, follows the
 * market, and so does whether an amount at the limit is above it.
 */
function useTold(message: string | undefined, entry: SideEntry): void {
  const told = useRef<{ sentence: string; entry: SideEntry }>(undefined);
  useEffect(() => {
    if (message === undefined) {
      if (told.current?.entry === entry) return;
      if (told.current) announce('');
      told.current = undefined;
      return;
    }
    const sentence = message.replaceAll(/\d[\d.,]*/g, '');
    if (told.current?.sentence !== sentence) announce(message);
    told.current = { sentence, entry };
  }, [message, entry]);
}

/** Why nothing can be sent, or what would be: in its room even while it is not seen, so that the button stays. */
function Below({ pair, side, form: { closed, ticket, errors, readContext }, messageId }: BelowProps) {
  const { ticketKind: kind } = useTerminal();
  const wrong = closed === undefined ? firstError(ticket, errors) : undefined;
  const message = closed ?? wrong;
  useTold(wrong, ticket[side]);
  return (
    <div className={classes.below}>
      <p id={messageId} className={classes.message} data-closed={closed !== undefined || undefined}>
        {message}
      </p>
      <div className={classes.estimates} data-hidden={message !== undefined || undefined}>
        <kind.Preview pair={pair} ticket={ticket} side={side} readContext={readContext} />
      </div>
    </div>
  );
}

interface SendButtonProps extends OrderTicketProps {
  readonly form: ReturnType<typeof useOrderTicket>;
  readonly title: string;
}

function SendButton({ pair, side, form, title }: SendButtonProps) {
  const buying = side === 'BUY';
  if (!useSignedIn()) return <SignInButton buying={buying} coin={pair.coin} />;
  return (
    <Button
      type="submit"
      fullWidth
      className={`${classes.send} ${buying ? classes.buy : classes.sell}`}
      disabled={form.closed !== undefined}
      loading={form.pending && !form.dialog}
    >
      {title}
    </Button>
  );
}

function SignInButton({ buying, coin }: { readonly buying: boolean; readonly coin: string }) {
  const { pathname, search } = useLocation();
  return (
    <Button
      component={Link}
      to={signInPath(pathname + search)}
      fullWidth
      variant="default"
      className={classes.send ?? ''}
    >
      {buying ? t('Log in to buy {{coin}}', { coin }) : t('Log in to sell {{coin}}', { coin })}
    </Button>
  );
}
