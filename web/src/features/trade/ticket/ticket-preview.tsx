import { formatDecimal } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { type OrderContext, summarize } from './order-summary.ts';
import classes from './ticket.module.css';
import type { Side, Ticket } from './ticket.ts';

interface TicketPreviewProps {
  readonly ticket: Ticket;
  readonly side: Side;
  readonly context: OrderContext;
}

/** What the entry would do; the lines are always there, so that typing moves nothing. */
export function TicketPreview({ ticket, side, context }: TicketPreviewProps) {
  const { quantity, total, fee } = summarize(ticket, side, context);
  const inBase = ticket.priceType === 'AMOUNT';
  const other = inBase
    ? total && `${formatDecimal(total, 2)} ${context.quote}`
    : quantity && `${formatDecimal(quantity, context.quantityScale)} ${context.base}`;
  const feeCoin = side === 'BUY' ? context.base : context.quote;
  return (
    <dl className={classes.preview}>
      <div className={classes.line}>
        <dt>{inBase ? 'Estimated total' : 'Estimated amount'}</dt>
        <dd>{other ?? '–'}</dd>
      </div>
      <div className={classes.line}>
        <dt>{t('Estimated fee')}</dt>
        <dd>{fee && context.minimums ? `${formatDecimal(fee, side === 'BUY' ? 8 : 4)} ${feeCoin}` : '–'}</dd>
      </div>
    </dl>
  );
}
