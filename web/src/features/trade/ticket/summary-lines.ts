import { toShortText, ZERO } from '../../../lib/decimal.ts';
import { formatDecimal } from '../../../lib/format.ts';
import type { SummaryLine } from './confirm-dialog.tsx';
import { type OrderContext, type OrderSummary, summarize } from './order-summary.ts';
import type { Side, Ticket, TimeInForce } from './ticket.ts';

export const TIME_IN_FORCE: readonly { readonly value: TimeInForce; readonly label: string; readonly hint: string }[] =
  [
    { value: 'GTC', label: 'Good till cancelled', hint: 'Stays in the book until it fills or you cancel it' },
    { value: 'POST_ONLY', label: 'Post only', hint: 'Enters the book or is refused; pays the maker fee' },
    { value: 'IOC', label: 'Immediate or cancel', hint: 'Fills what it can at once, the rest is cancelled' },
    { value: 'FOK', label: 'Fill or kill', hint: 'Fills completely at once or not at all' },
  ];

function feeText(summary: OrderSummary, side: Side, context: OrderContext): string {
  if (!summary.fee) return '–';
  return `${toShortText(summary.fee)} ${side === 'BUY' ? context.base : context.quote}`;
}

/** Everything that the order will do, in amounts; `≈` marks what the market decides. */
export function summaryLines(ticket: Ticket, side: Side, context: OrderContext): SummaryLine[] {
  const summary = summarize(ticket, side, context);
  const market = ticket.type === 'market';
  const { base, quote } = context;
  const about = (known: boolean) => (known ? '' : '≈ ');
  const quantity = summary.quantity && formatDecimal(summary.quantity, context.quantityScale);
  const total = summary.total && formatDecimal(summary.total, 2);
  const receiveScale = side === 'BUY' ? 8 : 2;
  const lines: SummaryLine[] = [
    { title: 'Type', value: market ? 'Market' : 'Limit' },
    {
      title: 'Price',
      value: market ? 'Best available' : `${formatDecimal(summary.price ?? ZERO, context.priceScale)} ${quote}`,
    },
    { title: 'Amount', value: `${about(!summary.byTotal)}${quantity ?? '–'} ${base}` },
    { title: 'Total', value: `${about(!market || summary.byTotal)}${total ?? '–'} ${quote}` },
    { title: 'Fee, at most', value: `${about(!market)}${feeText(summary, side, context)}` },
    {
      title: 'You receive',
      value: `≈ ${summary.receive ? formatDecimal(summary.receive, receiveScale, 2) : '–'} ${side === 'BUY' ? base : quote}`,
    },
  ];
  if (market) return lines;
  const rule = TIME_IN_FORCE.find((entry) => entry.value === ticket.timeInForce);
  return rule ? [...lines, { title: 'In force', value: rule.label }] : lines;
}
