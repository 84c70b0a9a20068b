/** An iceberg at the ticket: how much of it may show, and what is wrong with what was entered. */
import { compare, type Decimal, decimal, multiply, toShortText } from '../../../lib/decimal.ts';
import { formatDecimal } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { enteredPrice, type OrderContext } from './order-summary.ts';
import { type Side, showsPart, type Ticket } from './ticket.ts';

/** The exchange takes at most this many parts. */
const PARTS: Decimal = { units: 100n, scale: 0 };

/** What the book is to show at a time; undefined for an order that shows all of it. */
function visibleOf(ticket: Ticket, side: Side): Decimal | undefined {
  return showsPart(ticket) ? enteredPrice(ticket, side, 'visible') : undefined;
}

/** Of an order of so much. */
export function visibleError(
  ticket: Ticket,
  side: Side,
  quantity: Decimal | undefined,
  context: OrderContext,
): string | undefined {
  const visible = visibleOf(ticket, side);
  if (visible === undefined || quantity === undefined) return undefined;
  if (ticket.timeInForce !== 'GTC' && ticket.timeInForce !== 'POST_ONLY') {
    return t('Needs an order that stays in the book');
  }
  if (compare(visible, quantity) >= 0) return t('Must be less than the amount');
  const smallest = decimal(context.minimums?.minimum_sell);
  if (compare(visible, smallest) < 0) {
    return t('Use at least {{amount}}', {
      amount: `${formatDecimal(smallest, context.quantityScale)} ${context.base}`,
    });
  }
  const isSliver = compare(multiply(visible, PARTS), quantity) < 0;
  return isSliver ? t('Use at least a hundredth of the amount') : undefined;
}

export function visibleLines(ticket: Ticket, side: Side, { base, quantityScale }: OrderContext) {
  const visible = visibleOf(ticket, side);
  return visible ? [{ title: t('Visible amount'), value: `${formatDecimal(visible, quantityScale)} ${base}` }] : [];
}

/** As the call takes it. */
export function visibleRequest(ticket: Ticket, side: Side): { visible_quantity?: string } {
  const visible = visibleOf(ticket, side);
  return visible ? { visible_quantity: toShortText(visible) } : {};
}
