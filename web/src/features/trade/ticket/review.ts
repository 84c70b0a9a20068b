/** What a person is asked to confirm, and whether it is still so when they do: they took their time, or the device slept. */
import type { Decimal } from '../../../lib/decimal.ts';
import { t } from '../../../lib/i18n.ts';
import { publicStream } from '../../../lib/streams.ts';
import { marketPrice, movedWarning } from './market-distance.ts';
import type { OrderContext } from './order-summary.ts';
import type { OrderRequest } from './order-types.ts';
import type { SummaryLine } from './summary-lines.ts';
import type { Side, Ticket } from './ticket.ts';
import type { TicketKind } from './ticket-kind.ts';

/** Kept as it is shown: a price that moves meanwhile changes nothing unseen. */
export interface Summary {
  readonly request: OrderRequest;
  readonly lines: readonly SummaryLine[];
  readonly warning: string | undefined;
  /** What the order meets first in the market. */
  readonly market: Decimal;
}

/** Nothing but the prices on the screen says what an order at market would cost. */
const staleWarning = ({ type }: Ticket) =>
  type === 'market' && publicStream.isStale() ? t('Reconnecting, figures may be out of date') : undefined;

/** Of an entry without errors. */
export function summaryOf(kind: TicketKind, ticket: Ticket, side: Side, context: OrderContext): Summary {
  return {
    request: kind.request(ticket, side, context),
    lines: kind.lines(ticket, side, context),
    warning: kind.warning(ticket, side, context) ?? staleWarning(ticket),
    market: marketPrice(side, context),
  };
}

/** The summary of now where it warns of what the one that was shown did not; undefined where that still holds. */
export function newlyWarned(
  shown: Summary,
  kind: TicketKind,
  ticket: Ticket,
  side: Side,
  context: OrderContext,
): Summary | undefined {
  // What became impossible meanwhile is refused by the exchange, with its reason.
  if (Object.keys(kind.errors(ticket, side, context)).length > 0) return undefined;
  const now = summaryOf(kind, ticket, side, context);
  const moved = ticket.type === 'market' ? movedWarning(shown.market, now.market, context.priceScale) : undefined;
  if (moved) return { ...now, warning: moved };
  return now.warning !== undefined && shown.warning === undefined ? now : undefined;
}
