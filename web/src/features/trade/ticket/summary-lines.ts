/** Everything that an order will do, in amounts, for the dialog that asks for confirmation. */
import { decimal } from '../../../lib/decimal.ts';
import { formatDecimal, formatExact, formatShare, withPercent } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { exitLines } from './exits.ts';
import { visibleLines } from './iceberg.ts';
import { enteredPrice, type OrderContext, type OrderSummary, stopsAtMarket, summarize } from './order-summary.ts';
import {
  endsAtMarket,
  hasTimeInForce,
  isConditional,
  type OrderType,
  PRICES_OF,
  type PriceName,
  type Side,
  type Ticket,
  type TimeInForce,
} from './ticket.ts';
import { twapLines } from './twap.ts';

export interface SummaryLine {
  readonly title: string;
  readonly value: string;
}

export const ORDER_TYPES: readonly { readonly value: OrderType; readonly label: string; readonly hint: string }[] = [
  { value: 'market', label: msg('Market'), hint: msg('Fills immediately at the best prices in the book') },
  { value: 'limit', label: msg('Limit'), hint: msg('Fills at your price or better') },
  { value: 'stop_limit', label: msg('Stop limit'), hint: msg('Places a limit order when the price reaches the stop') },
  {
    value: 'stop_market',
    label: msg('Stop market'),
    hint: msg('Places a market order when the price reaches the stop'),
  },
  {
    value: 'take_profit_limit',
    label: msg('Take profit limit'),
    hint: msg('Places a limit order when the price reaches your target'),
  },
  {
    value: 'take_profit_market',
    label: msg('Take profit market'),
    hint: msg('Places a market order when the price reaches your target'),
  },
  {
    value: 'oco',
    label: msg('OCO'),
    hint: msg('A take profit and a stop loss: when one triggers, the other is cancelled'),
  },
  {
    value: 'trailing_stop',
    label: msg('Trailing stop'),
    hint: msg('Follows the best price and triggers when the price turns back by the trailing distance'),
  },
  {
    value: 'twap',
    label: msg('TWAP'),
    hint: msg('Splits the order into equal slices over time, none beyond your limit price'),
  },
];

export const TIME_IN_FORCE: readonly { readonly value: TimeInForce; readonly label: string; readonly hint: string }[] =
  [
    {
      value: 'GTC',
      label: msg('Good till cancelled'),
      hint: msg('Stays in the book until filled or cancelled'),
    },
    {
      value: 'POST_ONLY',
      label: msg('Post only'),
      hint: msg('Rests in the book or is rejected; pays the maker fee'),
    },
    {
      value: 'IOC',
      label: msg('Immediate or cancel'),
      hint: msg('Fills what it can immediately, the rest is cancelled'),
    },
    { value: 'FOK', label: msg('Fill or kill'), hint: msg('Fills completely and immediately, or not at all') },
  ];

export function typeLabel(type: string): string {
  return t(ORDER_TYPES.find(({ value }) => value === type)?.label ?? type);
}

export function priceLabel(name: PriceName, type: OrderType): string {
  if (name === 'price') return type === 'oco' ? t('Stop limit price') : t('Price');
  const labels = {
    takeProfit: t('Take-profit price'),
    stop: t('Stop price'),
    callback: t('Trailing distance'),
    activation: t('Activation price'),
  };
  return labels[name];
}

/** The prices of an order, or what is foreseen of those of a market order. */
export function priceLines(
  ticket: Ticket,
  side: Side,
  { quote, priceScale }: Pick<OrderContext, 'quote' | 'priceScale'>,
  { impact }: Pick<OrderSummary, 'impact'>,
): SummaryLine[] {
  if (ticket.type === 'market') {
    const lines = [{ title: t('Price'), value: t('Best available') }];
    if (!impact) return lines;
    return [
      ...lines,
      { title: t('Est. average price'), value: `≈ ${formatDecimal(impact.average, priceScale)} ${quote}` },
      { title: t('Worst price'), value: `${formatDecimal(impact.worst, priceScale)} ${quote}` },
    ];
  }
  return PRICES_OF[ticket.type].flatMap((name) => {
    const price = enteredPrice(ticket, side, name);
    if (name === 'price' && stopsAtMarket(ticket, side))
      return [{ title: t('Price at the stop'), value: t('Best available') }];
    if (!price) return [];
    const value =
      name === 'callback' ? withPercent(formatExact(price)) : `${formatDecimal(price, priceScale)} ${quote}`;
    return [{ title: priceLabel(name, ticket.type), value }];
  });
}

function sizeLines(ticket: Ticket, side: Side, context: OrderContext, summary: OrderSummary): SummaryLine[] {
  const { base, quote } = context;
  const atMarket = endsAtMarket(ticket.type);
  const about = (known: boolean) => (known ? '' : '≈ ');
  const quantity = summary.quantity && formatDecimal(summary.quantity, context.quantityScale);
  const total = summary.total && formatDecimal(summary.total, 2);
  const received = side === 'BUY' ? base : quote;
  const fee = summary.fee ? `${formatExact(summary.fee)} ${received}` : '–';
  const receive = summary.receive ? formatDecimal(summary.receive, side === 'BUY' ? 8 : 2, 2) : '–';
  return [
    { title: t('Amount'), value: `${about(!summary.byTotal)}${quantity ?? '–'} ${base}` },
    { title: t('Total'), value: `${about(!atMarket || summary.byTotal)}${total ?? '–'} ${quote}` },
    // A sale at a limit may bring more than its limit, and is charged by what it brings.
    { title: t('Max. fee'), value: `${about(!atMarket && side === 'BUY')}${fee}` },
    ...creditLine(context),
    { title: t('You receive'), value: `≈ ${receive} ${received}` },
  ];
}

/** Fee credit pays before the fee is charged. */
function creditLine(context: OrderContext): SummaryLine[] {
  const credit = decimal(context.minimums?.fee_credit);
  if (credit.units <= 0n) return [];
  return [{ title: t('Fee credit, used first'), value: `${formatExact(credit)} ${context.quote}` }];
}

/** `≈` marks what the market decides. */
export function summaryLines(ticket: Ticket, side: Side, context: OrderContext): SummaryLine[] {
  const summary = summarize(ticket, side, context);
  const lines: SummaryLine[] = [
    { title: t('Type'), value: typeLabel(ticket.type) },
    ...priceLines(ticket, side, context, summary),
    ...sizeLines(ticket, side, context, summary),
    ...visibleLines(ticket, side, context),
    ...twapLines(ticket, summary.quantity, context),
    ...exitLines(ticket, side, context),
  ];
  if (isConditional(ticket.type))
    lines.push({ title: t('Reserved until triggered'), value: heldText(side, context, summary) });
  return [...lines, ...timeLines(ticket)];
}

/** How long the order stays, where the person says that. */
export function timeLines({ type, timeInForce }: Ticket): SummaryLine[] {
  const rule = hasTimeInForce(type) && TIME_IN_FORCE.find(({ value }) => value === timeInForce);
  return rule ? [{ title: t('Time in force'), value: t(rule.label) }] : [];
}

function heldText(side: Side, context: OrderContext, { quantity, total }: OrderSummary): string {
  if (side === 'SELL') return quantity ? `${formatDecimal(quantity, context.quantityScale)} ${context.base}` : '–';
  return total ? `${formatDecimal(total, 2)} ${context.quote}` : '–';
}

/** A sentence when a market order would move the price further than the person wants; undefined otherwise. */
export function slippageWarning({ impact }: Pick<OrderSummary, 'impact'>, limitPercent: number): string | undefined {
  if (!impact || limitPercent === 0) return undefined;
  if (!impact.complete) return t('The visible book is not deep enough for this order.');
  if (impact.slippagePercent <= limitPercent) return undefined;
  return t('The average price is {{slippage}} from the best one, above your limit of {{limit}}.', {
    slippage: formatShare(impact.slippagePercent, 2),
    limit: formatShare(limitPercent, Number.isInteger(limitPercent) ? 0 : 2),
  });
}
