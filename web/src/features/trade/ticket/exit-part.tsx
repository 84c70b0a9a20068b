/** Take-profit and stop-loss of the order, behind a line that opens and closes. */
import { Suspense } from 'react';
import { t } from '../../../lib/i18n.ts';
import { IconChevronDown } from '../../../ui/icons.ts';
import { lazyPart } from '../../../ui/part.tsx';
import type { OrderErrors } from './order-errors.ts';
import type { OrderContext } from './order-summary.ts';
import classes from './ticket.module.css';
import { hasExits, isConditional, type Side } from './ticket.ts';
import { useTicket } from './use-ticket.ts';

const ExitFields = lazyPart(() => import('./exit-fields.tsx'), 'over');

interface ExitPartProps {
  readonly side: Side;
  readonly context: OrderContext;
  readonly errors: OrderErrors;
  /** Of the element that says what is wrong. */
  readonly messageId: string;
}

/** An order that waits for a trigger keeps the room of the line, so that another type moves nothing. */
export function ExitPart({ side, context, errors, messageId }: ExitPartProps) {
  const { ticket, dispatch } = useTicket();
  const isOpen = hasExits(ticket);
  return (
    <div className={classes.exits} data-open={isOpen || undefined}>
      {!isConditional(ticket.type) && (
        <button
          type="button"
          className={classes.exitToggle}
          aria-expanded={isOpen}
          onClick={() => dispatch({ kind: 'exits', unit: isOpen ? undefined : 'price' })}
        >
          {t('Take profit / Stop loss')}
          <IconChevronDown size={12} aria-hidden />
        </button>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <ExitFields side={side} context={context} errors={errors} messageId={messageId} />
        </Suspense>
      )}
    </div>
  );
}
