/** One side of the order form. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { Button } from '@mantine/core';
import { Suspense, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useLocation } from 'react-router';
import { t } from '../../../lib/i18n.ts';
import { usePreferences } from '../../../lib/preferences-store.ts';
import { signInPath } from '../../../lib/return-path.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { Amount } from '../../../ui/figures.tsx';
import { isPasted } from '../../../ui/number-field.tsx';
import { lazyPart } from '../../../ui/part.tsx';
import { useTradePreferences } from '../trade-preferences.ts';
import { AmountField } from './amount-field.tsx';
import { AmountSlider } from './amount-slider.tsx';
import { distanceWarning } from './market-distance.ts';
import { entryErrors, firstError, orderErrors } from './order-errors.ts';
import { OrderOptions } from './order-options.tsx';
import { orderRequest } from './order-request.ts';
import { amountForPercent, availableOf, type OrderContext, percentOf, summarize } from './order-summary.ts';
import type { OrderRequest } from './order-types.ts';
import { PriceFields } from './price-fields.tsx';
import { type SummaryLine, slippageWarning, summaryLines } from './summary-lines.ts';
import classes from './ticket.module.css';
import type { Side } from './ticket.ts';
import { TicketPreview } from './ticket-preview.tsx';
import { type Confirmation, isUnlocked } from './trading-unlock.ts';
import { useOrderContext } from './use-order-context.ts';
import { useSubmitOrder } from './use-submit-order.ts';
import { useTicket } from './use-ticket.ts';

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'), 'over');

interface OrderTicketProps {
  readonly pair: CoinPair;
  readonly side: Side;
}

/** What the person is asked to confirm. Kept as it was shown: a price that moves meanwhile changes neither. */
interface Review {
  readonly request: OrderRequest;
  readonly lines: readonly SummaryLine[];
  readonly warning: string | undefined;
  readonly unlocked: boolean;
  readonly wrong: boolean;
}

function useOrderTicket(pair: CoinPair, side: Side) {
  const readContext = useOrderContext(pair);
  const context = readContext();
  const { ticket, dispatch } = useTicket();
  const [tried, setTried] = useState(false);
  // A text that is no number yet may become one while it is typed.
  const [left, setLeft] = useState(true);
  const [dialog, setDialog] = useState<Review>();
  const done = () => {
    setDialog(undefined);
    setTried(false);
    dispatch({ kind: 'sent', side });
  };
  const prepare = () => {
    const now = readContext();
    return {
      request: orderRequest(ticket, side, now),
      lines: summaryLines(ticket, side, now),
      warning:
        distanceWarning(ticket, side, now) ??
        slippageWarning(summarize(ticket, side, now), useTradePreferences.getState().slippageLimit),
    };
  };
  // Without a dialog the lock had run out on the server: the person is asked now, and has typed nothing wrong.
  const wrongPassword = () =>
    setDialog((shown) => ({ ...(shown ?? prepare()), unlocked: false, wrong: shown?.unlocked === false }));
  const submission = useSubmitOrder(done, wrongPassword);
  const errors = tried ? orderErrors(ticket, side, context) : entryErrors(ticket, side, context, left);
  const confirm = (confirmation: Confirmation) =>
    dialog && submission.mutate({ request: dialog.request, ...confirmation });
  const review = (form: HTMLFormElement) => {
    flushSync(() => setTried(true));
    if (Object.keys(orderErrors(ticket, side, readContext())).length > 0) return focusFirstError(form);
    const unlocked = isUnlocked();
    const prepared = prepare();
    // Who skips the summary still hears of an unusual price.
    const skips = unlocked && usePreferences.getState().skipConfirmation && !prepared.warning;
    if (skips) submission.mutate({ request: prepared.request });
    else setDialog({ unlocked, wrong: false, ...prepared });
  };
  const close = () => setDialog(undefined);
  return {
    context,
    readContext,
    ticket,
    dispatch,
    errors,
    dialog,
    close,
    confirm,
    review,
    setLeft,
    pending: submission.isPending,
  };
}

/** For a keyboard. On a touch screen the focus would open one over the form. */
function focusFirstError(form: HTMLFormElement): void {
  if (matchMedia('(pointer: fine)').matches) form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
}

export function OrderTicket({ pair, side }: OrderTicketProps) {
  const form = useOrderTicket(pair, side);
  const { context, readContext, ticket, dispatch, errors, dialog } = form;
  const signedIn = useSignedIn();
  const messageId = useId();
  const message = firstError(ticket, errors);
  const buying = side === 'BUY';
  const title = buying ? t('Buy {{coin}}', { coin: pair.coin }) : t('Sell {{coin}}', { coin: pair.coin });
  const slide = (percent: number) => {
    const now = readContext();
    if (availableOf(side, now) === undefined) return;
    dispatch({ kind: 'percent', side, percent, amount: amountForPercent(ticket, side, percent, now) });
  };
  return (
    <form
      className={classes.ticket}
      aria-label={title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.review(event.currentTarget);
      }}
      onInput={({ nativeEvent }) => form.setLeft(isPasted(nativeEvent))}
      onBlur={() => form.setLeft(true)}
    >
      <Available pair={pair} side={side} context={context} />
      <PriceFields side={side} readContext={readContext} errors={errors} messageId={messageId} />
      <AmountField side={side} context={context} error={errors.amount} messageId={messageId} />
      <AmountSlider
        label={buying ? t('Share of balance to buy with') : t('Share of balance to sell')}
        value={percentOf(ticket, side, context)}
        onChange={slide}
      />
      <OrderOptions side={side} context={context} errors={errors} messageId={messageId} />
      <div className={classes.below}>
        <p id={messageId} className={classes.message} role={message ? 'alert' : undefined}>
          {message}
        </p>
        {!message && <TicketPreview pair={pair} ticket={ticket} side={side} readContext={readContext} />}
      </div>
      {signedIn ? (
        <Button
          type="submit"
          fullWidth
          className={buying ? classes.buy : classes.sell}
          loading={form.pending && !dialog}
        >
          {title}
        </Button>
      ) : (
        <SignInButton buying={buying} coin={pair.coin} />
      )}
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
    </form>
  );
}

interface AvailableProps extends OrderTicketProps {
  readonly context: OrderContext;
}

function Available({ pair, side, context }: AvailableProps) {
  const signedIn = useSignedIn();
  const buying = side === 'BUY';
  const available = buying ? context.availableQuote : context.availableBase;
  return (
    <div className={classes.available}>
      <span>{t('Available')}</span>
      {signedIn && availableOf(side, context)?.units === 0n && (
        <Link to={`/wallet/deposit?coin=${buying ? context.quote : context.base}`} className={classes.addFunds}>
          {t('Add funds')}
        </Link>
      )}
      {available === undefined ? (
        <span>–</span>
      ) : (
        <Amount
          value={available}
          digits={buying ? 2 : Math.max(4, pair.quantity_scale)}
          coin={buying ? context.quote : context.base}
        />
      )}
    </div>
  );
}

function SignInButton({ buying, coin }: { readonly buying: boolean; readonly coin: string }) {
  const { pathname, search } = useLocation();
  return (
    <Button component={Link} to={signInPath(pathname + search)} fullWidth variant="default">
      {buying ? t('Log in to buy {{coin}}', { coin }) : t('Log in to sell {{coin}}', { coin })}
    </Button>
  );
}
