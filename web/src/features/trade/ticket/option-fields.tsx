import { t } from '../../../lib/i18n.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { exitLabel } from './exits.ts';
import type { OrderErrors } from './order-errors.ts';
import { type OrderContext, scaleOf } from './order-summary.ts';
import classes from './ticket.module.css';
import { EXITS, type ExitUnit, hasExits, type Side, showsPart } from './ticket.ts';
import { useTicket } from './use-ticket.ts';

const UNITS: readonly ExitUnit[] = ['price', 'percent'];

interface OptionFieldsProps {
  readonly side: Side;
  readonly context: OrderContext;
  readonly errors: OrderErrors;
  readonly messageId: string;
}

/** The fields of the options that are open. */
export default function OptionFields(props: OptionFieldsProps) {
  const { ticket } = useTicket();
  return (
    <>
      {hasExits(ticket) && <ExitFields {...props} />}
      {showsPart(ticket) && <VisibleField {...props} />}
    </>
  );
}

/** How much of the order the book shows at a time. */
function VisibleField({ side, context, errors, messageId }: OptionFieldsProps) {
  const { ticket, dispatch } = useTicket();
  return (
    <div className={classes.visible}>
      <NumberField
        labelClass={classes.label}
        inputClass={classes.input}
        label={t('Visible amount')}
        placeholder={t('Optional')}
        scale={scaleOf('visible', ticket, context)}
        value={ticket[side].visible}
        error={errors.visible}
        messageId={messageId}
        unit={context.base}
        unitWidth={46}
        onChange={(amount) => dispatch({ kind: 'visible', side, amount })}
      />
    </div>
  );
}

/** The prices at which the order is left again at market, or how far they are from its own price. */
function ExitFields({ side, context, errors, messageId }: OptionFieldsProps) {
  const { ticket, dispatch } = useTicket();
  const isPercent = ticket.exitsIn === 'percent';
  const unit = (one: ExitUnit) => (one === 'percent' ? '%' : context.quote);
  return (
    <>
      <fieldset className={classes.exitUnits} aria-label={t('Unit')}>
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
