import { t } from '../../../lib/i18n.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { exitLabel } from './exits.ts';
import type { OrderErrors } from './order-errors.ts';
import { type OrderContext, scaleOf } from './order-summary.ts';
import classes from './ticket.module.css';
import { EXITS, type ExitUnit, type Side } from './ticket.ts';
import { useTicket } from './use-ticket.ts';

const UNITS: readonly ExitUnit[] = ['price', 'percent'];

interface ExitFieldsProps {
  readonly side: Side;
  readonly context: OrderContext;
  readonly errors: OrderErrors;
  readonly messageId: string;
}

/** The prices at which the order is left again at market, or how far they are from its own price. */
export default function ExitFields({ side, context, errors, messageId }: ExitFieldsProps) {
  const { ticket, dispatch } = useTicket();
  const isPercent = ticket.exitsIn === 'percent';
  const unit = (one: ExitUnit) => (one === 'percent' ? '%' : context.quote);
  return (
    <>
      <fieldset className={classes.exitUnits} aria-label={t('Counted in')}>
        {UNITS.map((one) => (
          <button
            key={one}
            type="button"
            className={classes.unitButton}
            aria-pressed={one === ticket.exitsIn}
            onClick={() => dispatch({ kind: 'exits', unit: one })}
          >
            {unit(one)}
          </button>
        ))}
      </fieldset>
      <div className={classes.exitFields}>
        {EXITS.map((name) => (
          <NumberField
            key={name}
            labelClass={classes.label}
            inputClass={classes.input}
            label={exitLabel(name)}
            placeholder={t('Optional')}
            scale={scaleOf(name, ticket, context)}
            value={ticket[side][name]}
            error={errors[name]}
            messageId={messageId}
            unit={isPercent ? '%' : context.quote}
            unitWidth={isPercent ? 26 : 46}
            onChange={(price) => dispatch({ kind: 'price', side, name, price })}
          />
        ))}
      </div>
    </>
  );
}
