/** Orders of a perpetual. */
import { Checkbox } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { Decimal } from '../../../lib/decimal.ts';
import { formatDecimal, formatShare } from '../../../lib/format.ts';
import { useMark } from '../../../lib/futures/prices.ts';
import { t } from '../../../lib/i18n.ts';
import { usePairFigures } from '../../../lib/market/pairs.ts';
import { useBook } from '../../../lib/order-book/use-book.ts';
import { usePreferences } from '../../../lib/preferences-store.ts';
import { Amount } from '../../../ui/figures.tsx';
import { lazyPart } from '../../../ui/part.tsx';
import { delegateTypeName } from '../orders/side-text.ts';
import { exitLines } from '../ticket/exits.ts';
import { visibleLines } from '../ticket/iceberg.ts';
import { distanceWarning } from '../ticket/market-distance.ts';
import type { OrderErrors } from '../ticket/order-errors.ts';
import { Attached, Toggle } from '../ticket/order-options.tsx';
import type { OrderContext } from '../ticket/order-summary.ts';
import { priceLines, type SummaryLine, slippageWarning, timeLines, typeLabel } from '../ticket/summary-lines.ts';
import ticketClasses from '../ticket/ticket.module.css';
import { hasExits, isConditional, type Side, showsPart, type Ticket } from '../ticket/ticket.ts';
import type { OptionsProps, PreviewProps, SideProps, TicketKind } from '../ticket/ticket-kind.ts';
import { TransferButton } from '../ticket/transfer-button.tsx';
import { lastPriceNote, sourceLabel } from '../ticket/triggers.ts';
import { twapLines } from '../ticket/twap.ts';
import { useTicket } from '../ticket/use-ticket.ts';
import { TriggerChoice } from './choice.tsx';
import classes from './futures.module.css';
import {
  affordedAt,
  amountForShare,
  atLeg,
  closedReason,
  excessError,
  futuresErrors,
  futuresQuantity,
  futuresRequest,
  liquidationAfter,
  shareOf,
  summarizeFutures,
} from './futures-order.ts';
import type { FuturesContext, FuturesSummary } from './futures-state.ts';
import { termLines, termOffered, useTermChoice } from './term-choice.ts';
import { TicketHead } from './ticket-head.tsx';
import { useFuturesContext } from './use-futures-context.ts';

const OptionFields = lazyPart(() => import('../ticket/option-fields.tsx'), 'over');
const TwapFields = lazyPart(() => import('../ticket/twap-fields.tsx'), 'over');
const TermFields = lazyPart(() => import('./term-fields.tsx'), 'over');

const isKnown = (context: OrderContext): context is FuturesContext => 'futures' in context;

/** Until the settings of the market are here nothing can be computed, and nothing sent. */
function whenKnown<Result>(
  compute: (ticket: Ticket, side: Side, context: FuturesContext) => Result,
  otherwise: () => Result,
): (ticket: Ticket, side: Side, context: OrderContext) => Result {
  return (ticket, side, context) =>
    isKnown(context) ? compute(ticket, side, atLeg(ticket, side, context)) : otherwise();
}

function Available({ context }: SideProps) {
  const { availableQuote: free, quote } = context;
  return (
    <div className={ticketClasses.available}>
      <span>{t('Available')}</span>
      <TransferButton coin={quote} to="FUTURE" />
      {free === undefined ? <span>–</span> : <Amount value={free} digits={2} coin={quote} />}
    </div>
  );
}

function ReduceOnly({ side }: Pick<SideProps, 'side'>) {
  const { ticket, dispatch } = useTicket();
  return (
    <Checkbox
      size="xs"
      className={classes.reduceOnly ?? ''}
      // Both sides have one: it is of the whole form.
      id={`reduce-only-${side}`}
      label={t('Reduce only')}
      title={t('Closes what is open, and opens nothing')}
      checked={ticket.isReduceOnly}
      onChange={({ currentTarget }) => {
        // What closes a position needs no exits.
        if (hasExits(ticket)) dispatch({ kind: 'exits', unit: undefined });
        dispatch({ kind: 'reduce-only', isReduceOnly: currentTarget.checked });
      }}
    />
  );
}

function Options(props: OptionsProps) {
  const { ticket, dispatch } = useTicket();
  const withExits = hasExits(ticket);
  const [hasTerm, setHasTerm] = useState(false);
  const change = useTermChoice((store) => store.change);
  const { context, side } = props;
  const known = isKnown(context) ? context : undefined;
  const offered = known && termOffered(ticket, atLeg(ticket, side, known).futures);
  const term = offered && hasTerm ? known : undefined;
  const isTriggered = withExits || isConditional(ticket.type);
  const isTwap = ticket.type === 'twap';
  const isOpen = isTriggered || isTwap || showsPart(ticket) || term !== undefined;
  return (
    <div className={ticketClasses.options} data-open={isOpen || undefined}>
      <div className={`${ticketClasses.toggles} ${classes.options}`}>
        <ReduceOnly side={side} />
        <Attached />
        {offered && (
          <Toggle
            label={t('Fixed term')}
            isOpen={hasTerm}
            onToggle={() => {
              change({ days: undefined });
              setHasTerm(!hasTerm);
            }}
          />
        )}
      </div>
      <Suspense fallback={null}>
        {(withExits || showsPart(ticket)) && <OptionFields {...props} />}
        {isTwap && <TwapFields {...props} />}
        {term && <TermFields {...props} context={term} />}
      </Suspense>
      {isTriggered && (
        <div className={ticketClasses.visible}>
          <TriggerChoice
            value={ticket.triggerBy}
            onChange={(triggerBy) => dispatch({ kind: 'trigger-by', triggerBy })}
          />
          {ticket.triggerBy === 'last' && <span className={ticketClasses.hint}>{lastPriceNote(true)}</span>}
        </div>
      )}
    </div>
  );
}

const money = (value: Decimal | undefined, { quote }: OrderContext) =>
  value ? `${formatDecimal(value, 2)} ${quote}` : '–';

/** What waits for a trigger costs nothing until then. */
const costTitle = ({ type }: Ticket) => (isConditional(type) ? t('Cost when triggered') : t('Cost'));

/** Before and after the order; what the position will be when an order is triggered is not known. */
function liquidationText(ticket: Ticket, side: Side, context: FuturesContext, summary: FuturesSummary): string {
  const { position } = context.futures;
  const now = position?.estimated_force_parity;
  const before = now ? formatDecimal(now, context.priceScale) : '–';
  const after = isConditional(ticket.type) ? undefined : liquidationAfter(side, summary, context);
  if (!after) return before;
  const then = after.price ? formatDecimal(after.price, context.priceScale) : '–';
  return position ? `${before} → ${then}` : then;
}

function orderLines(ticket: Ticket, side: Side, context: FuturesContext): SummaryLine[] {
  const summary = summarizeFutures(ticket, side, context);
  const { futures, base, quantityScale } = context;
  const quantity = { units: BigInt(summary.lots), scale: quantityScale };
  const isTriggered = hasExits(ticket) || isConditional(ticket.type);
  return [
    { title: t('Type'), value: `${typeLabel(ticket.type)} · ${delegateTypeName(side)}` },
    ...priceLines(ticket, side, context, summary),
    { title: t('Amount'), value: `${formatDecimal(quantity, quantityScale)} ${base}` },
    { title: t('Value'), value: `≈ ${money(summary.value, context)}` },
    { title: t('Leverage'), value: `x${futures.leverage} ${futures.isIsolated ? t('Isolated') : t('Cross')}` },
    { title: costTitle(ticket), value: money(summary.cost, context) },
    { title: t('Max. fee'), value: money(summary.fee, context) },
    { title: t('Liquidation price'), value: liquidationText(ticket, side, context, summary) },
    ...visibleLines(ticket, side, context),
    ...twapLines(ticket, futuresQuantity(ticket, side, context), context),
    ...(hasExits(ticket) ? exitLines(ticket, side, context) : []),
    ...(isTriggered ? [{ title: t('Triggered by'), value: sourceLabel(ticket.triggerBy) }] : []),
    ...timeLines(ticket),
    ...(termOffered(ticket, futures) ? termLines(futures.term) : []),
    ...(ticket.isReduceOnly ? [{ title: t('Reduce only'), value: t('Closes what is open, and opens nothing') }] : []),
  ];
}

/** The title of the largest order, and why a higher price than the order's own decides it. */
function mostTitle(ticket: Ticket, side: Side, context: FuturesContext): Pick<PreviewLine, 'title' | 'help'> {
  switch (affordedAt(ticket, side, context)) {
    case undefined:
      return { title: t('Max.') };
    case 'mark':
      return {
        title: t('Max. at mark price'),
        help: t('Your price is below the mark price: the order must afford its margin and fee at the mark price.'),
      };
    case 'bid':
      return {
        title: t('Max. at best bid'),
        help: t('Your price is below the best bid: the order must afford its margin and fee at the best bid.'),
      };
  }
}

interface PreviewLine {
  readonly title: string;
  readonly value: string | undefined;
  readonly help?: string;
}

function estimates(ticket: Ticket, side: Side, context: FuturesContext) {
  const summary = summarizeFutures(ticket, side, context);
  const { base, quantityScale } = context;
  const most = { units: BigInt(summary.maximumLots), scale: quantityScale };
  const slip = summary.impact && ` (${formatShare(summary.impact.slippagePercent, 2)})`;
  return {
    value: `${money(summary.value, context)}${slip ?? ''}`,
    cost: money(summary.cost, context),
    fee: money(summary.fee, context),
    liquidation: liquidationText(ticket, side, context, summary),
    most: `${formatDecimal(most, quantityScale, 0)} ${base}`,
    mostTitle: mostTitle(ticket, side, context),
  };
}

/**
 * What the entry would do, the most telling figure first. All are always there, so that neither typing nor what is still
 * loading moves anything.
 */
function Preview({ pair, ticket, side, readContext }: PreviewProps) {
  usePairFigures(pair);
  useBook(pair);
  useMark(pair.pair_name);
  const context = readContext();
  const known = isKnown(context) ? estimates(ticket, side, atLeg(ticket, side, context)) : undefined;
  const lines: readonly PreviewLine[] = [
    { title: costTitle(ticket), value: known?.cost },
    { ...(known?.mostTitle ?? { title: t('Max.') }), value: known?.most },
    { title: t('Est. liq. price'), value: known?.liquidation },
    { title: t('Est. fee'), value: known?.fee },
    { title: t('Value'), value: known?.value },
  ];
  return (
    <dl className={ticketClasses.preview}>
      {lines.map(({ title, value, help }) => (
        <div key={title} className={ticketClasses.line} title={help}>
          <dt>
            {title}
            {help && <span className="visually-hidden"> {help}</span>}
          </dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

const impactWarning = (summary: FuturesSummary) => slippageWarning(summary, usePreferences.getState().slippageLimit);

const loadingErrors = (): OrderErrors => ({ amount: t('Your settings of this market are not here yet') });

/** An order that only reduces closes the other side's position. */
function orderTitle(side: Side, coin: string, { isReduceOnly }: Pick<Ticket, 'isReduceOnly'>): string {
  if (isReduceOnly) return side === 'BUY' ? t('Close short {{coin}}', { coin }) : t('Close long {{coin}}', { coin });
  return side === 'BUY' ? t('Long {{coin}}', { coin }) : t('Short {{coin}}', { coin });
}

export const FUTURES_TICKET: TicketKind = {
  priceType: 'TOTAL',
  // A single trade cannot move it.
  triggerBy: 'mark',
  useContext: useFuturesContext,
  quantity: whenKnown(futuresQuantity, () => undefined),
  closed: whenKnown(closedReason, () => undefined),
  errors: whenKnown(futuresErrors, loadingErrors),
  excess: whenKnown(excessError, () => undefined),
  request: whenKnown(futuresRequest, () => {
    throw new Error('An order was sent before its market was known');
  }),
  lines: whenKnown<readonly SummaryLine[]>(orderLines, () => []),
  warning: (ticket, side, context) =>
    distanceWarning(ticket, side, context) ??
    (isKnown(context) ? impactWarning(summarizeFutures(ticket, side, atLeg(ticket, side, context))) : undefined),
  percent: whenKnown(shareOf, () => 0),
  amount: (ticket, side, percent, context) =>
    isKnown(context) ? amountForShare(ticket, side, percent, atLeg(ticket, side, context)) : undefined,
  unitLabel: (unit, { base, quote }) => (unit === 'AMOUNT' ? base : quote),
  sideLabel: (side) => (side === 'BUY' ? t('Long') : t('Short')),
  title: orderTitle,
  Available,
  Options,
  Preview,
  Head: TicketHead,
};
