/** Orders of a spot pair. */
import { Link } from 'react-router';
import { t } from '../../../lib/i18n.ts';
import { usePreferences } from '../../../lib/preferences-store.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { Amount } from '../../../ui/figures.tsx';
import { distanceWarning } from './market-distance.ts';
import { excessError, orderErrors } from './order-errors.ts';
import { OrderOptions } from './order-options.tsx';
import { orderRequest } from './order-request.ts';
import { amountForPercent, availableOf, percentOf, summarize } from './order-summary.ts';
import { slippageWarning, summaryLines } from './summary-lines.ts';
import classes from './ticket.module.css';
import type { SideProps, TicketKind } from './ticket-kind.ts';
import { TicketPreview } from './ticket-preview.tsx';
import { TransferButton } from './transfer-button.tsx';
import { useOrderContext } from './use-order-context.ts';

function Available({ side, context }: SideProps) {
  const signedIn = useSignedIn();
  const buying = side === 'BUY';
  const available = buying ? context.availableQuote : context.availableBase;
  const coin = buying ? context.quote : context.base;
  const isEmpty = availableOf(side, context)?.units === 0n;
  return (
    <div className={classes.available}>
      <span>{t('Available')}</span>
      {signedIn && isEmpty && (
        <Link to={`/wallet/deposit?coin=${coin}`} className={classes.addFunds}>
          {t('Add funds')}
        </Link>
      )}
      {signedIn && !isEmpty && <TransferButton coin={coin} to="SPOT" />}
      {available === undefined ? (
        <span>–</span>
      ) : (
        <Amount value={available} digits={buying ? 2 : Math.max(4, context.quantityScale)} coin={coin} />
      )}
    </div>
  );
}

export const SPOT_TICKET: TicketKind = {
  priceType: 'AMOUNT',
  triggerBy: 'last',
  useContext: useOrderContext,
  quantity: (ticket, side, context) => summarize(ticket, side, context).quantity,
  errors: orderErrors,
  excess: excessError,
  request: orderRequest,
  lines: summaryLines,
  warning: (ticket, side, context) =>
    distanceWarning(ticket, side, context) ??
    slippageWarning(summarize(ticket, side, context), usePreferences.getState().slippageLimit),
  percent: percentOf,
  amount: (ticket, side, percent, context) =>
    availableOf(side, context) && amountForPercent(ticket, side, percent, context),
  sideLabel: (side) => (side === 'BUY' ? t('Buy') : t('Sell')),
  title: (side, coin) => (side === 'BUY' ? t('Buy {{coin}}', { coin }) : t('Sell {{coin}}', { coin })),
  Available,
  Options: OrderOptions,
  Preview: TicketPreview,
};
