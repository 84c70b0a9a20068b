import { formatDecimal, formatPercent, formatShare } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { usePairFigures } from '../../../lib/market/pairs.ts';
import { useBook } from '../../../lib/order-book/use-book.ts';
import { usePreferences } from '../../../lib/preferences-store.ts';
import { distanceWarning, marketDistance } from './market-distance.ts';
import { summarize } from './order-summary.ts';
import { slippageWarning } from './summary-lines.ts';
import classes from './ticket.module.css';
import type { PreviewProps } from './ticket-kind.ts';

/** What the entry would do; the lines are always there, so that typing moves nothing. */
export function TicketPreview({ pair, ticket, side, readContext }: PreviewProps) {
  // The one part of the form that follows the market.
  usePairFigures(pair);
  useBook(pair);
  const context = readContext();
  const slippageLimit = usePreferences((preferences) => preferences.slippageLimit);
  const summary = summarize(ticket, side, context);
  const { quantity, total, fee, impact } = summary;
  const inBase = ticket.priceType === 'AMOUNT';
  const other = inBase
    ? total && `${formatDecimal(total, 2)} ${context.quote}`
    : quantity && `${formatDecimal(quantity, context.quantityScale)} ${context.base}`;
  const feeCoin = side === 'BUY' ? context.base : context.quote;
  const warning = distanceWarning(ticket, side, context) ?? slippageWarning(summary, slippageLimit);
  const distance = marketDistance(ticket, side, context);
  return (
    <dl className={classes.preview}>
      <div className={classes.line}>
        <dt>{inBase ? t('Estimated total') : t('Estimated amount')}</dt>
        <dd>{other ?? '–'}</dd>
      </div>
      {distance && (
        <div className={classes.line} title={warning}>
          <dt>{t('Distance to the market')}</dt>
          <dd className={warning ? classes.warned : undefined}>{formatPercent(distance)}</dd>
        </div>
      )}
      {ticket.type === 'market' && (
        <div className={classes.line} title={warning}>
          <dt>{t('Est. average price')}</dt>
          <dd className={warning ? classes.warned : undefined}>
            {impact
              ? `${formatDecimal(impact.average, context.priceScale)} (${formatShare(impact.slippagePercent, 2)})`
              : '–'}
          </dd>
        </div>
      )}
      <div className={classes.line}>
        <dt>{t('Estimated fee')}</dt>
        <dd>{fee && context.minimums ? `${formatDecimal(fee, side === 'BUY' ? 8 : 4)} ${feeCoin}` : '–'}</dd>
      </div>
    </dl>
  );
}
