import { msg, t } from '../../../lib/i18n.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { useTerminal } from '../terminal.ts';
import { type OrderContext, scaleOf } from './order-summary.ts';
import classes from './ticket.module.css';
import type { PriceType, Side } from './ticket.ts';
import { useTicket } from './use-ticket.ts';

const UNITS: readonly { readonly value: PriceType; readonly label: string }[] = [
  { value: 'AMOUNT', label: msg('AMOUNT') },
  { value: 'TOTAL', label: msg('Total') },
];

interface AmountFieldProps {
  readonly side: Side;
  readonly context: OrderContext;
  readonly error: string | undefined;
  /** Of the element that says what is wrong. */
  readonly messageId: string;
}

/** How much, counted in the coin or in money; the words above the field choose which. */
export function AmountField({ side, context, error, messageId }: AmountFieldProps) {
  const { ticket, dispatch } = useTicket();
  const { ticketKind: kind } = useTerminal();
  const inBase = ticket.priceType === 'AMOUNT';
  return (
    <div>
      <fieldset className={classes.units} aria-label={t('Unit')}>
        {UNITS.map((unit) => (
          <button
            key={unit.value}
            type="button"
            className={classes.unitButton}
            data-coin={kind.unitLabel !== undefined || undefined}
            aria-pressed={unit.value === ticket.priceType}
            onClick={() => dispatch({ kind: 'price-type', priceType: unit.value })}
          >
            {kind.unitLabel?.(unit.value, context) ?? t(unit.label)}
          </button>
        ))}
      </fieldset>
      <NumberField
        inputClass={classes.input}
        aria-label={
          inBase ? t('Amount in {{coin}}', { coin: context.base }) : t('Total in {{coin}}', { coin: context.quote })
        }
        name={side}
        placeholder="0"
        scale={scaleOf('amount', ticket, context)}
        value={ticket[side].amount}
        error={error}
        messageId={messageId}
        unit={inBase ? context.base : context.quote}
        unitWidth={46}
        onChange={(amount) => dispatch({ kind: 'amount', side, amount })}
      />
    </div>
  );
}
