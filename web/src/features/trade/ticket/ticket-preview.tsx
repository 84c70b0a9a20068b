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

/**
 * What the entry would do. The figures are always there, so that typing moves nothing; those that a warning is about come
 * first, since a compact form shows no more of them than its one line holds.
 */
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
    <dl className={classes.preview} data-warned={warning !== undefined || undefined}>
      <div className={classes.line}>
        <dt>{inBase ? t('Est. total') : t('Est. amount')}</dt>
        <dd>{other ?? '–'}</dd>
      </div>
      {distance && (
        <div className={`${classes.line} ${classes.ofMarket}`} title={warning}>
          <dt>{t('To the market')}</dt>
          <dd className={warning ? classes.warned : undefined}>{formatPercent(distance)}</dd>
        </div>
      )}
      {ticket.type === 'market' && (
        <div className={`${classes.line} ${classes.ofMarket}`} title={warning}>
          <dt>{t('Est. avg. price')}</dt>
          <dd className={warning ? classes.warned : undefined}>
            {impact
              ? `${formatDecimal(impact.average, context.priceScale)} (${formatShare(impact.slippagePercent, 2)})`
              : '–'}
          </dd>
        </div>
      )}
      <div className={classes.line}>
        <dt>{t('Est. fee')}</dt>
        <dd>{fee && context.minimums ? `${formatDecimal(fee, side === 'BUY' ? 8 : 4)} ${feeCoin}` : '–'}</dd>
      </div>
    </dl>
  );
}
