import { TextInput } from '@mantine/core';
import { typedAmount } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { type OrderContext, TOTAL_SCALE } from './order-summary.ts';
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
}

/** How much, counted in the coin or in money; the words above the field choose which. */
export function AmountField({ side, context, error }: AmountFieldProps) {
  const { ticket, dispatch } = useTicket();
  const inBase = ticket.priceType === 'AMOUNT';
  const scale = inBase ? context.quantityScale : TOTAL_SCALE;
  return (
    <div>
      <fieldset className={classes.units} aria-label={t('Counted in')}>
        {UNITS.map((unit) => (
          <button
            key={unit.value}
            type="button"
            className={classes.unitButton}
            aria-pressed={unit.value === ticket.priceType}
            onClick={() => dispatch({ kind: 'price-type', priceType: unit.value })}
          >
            {t(unit.label)}
          </button>
        ))}
      </fieldset>
      <TextInput
        classNames={{ input: classes.input ?? '', section: classes.unit ?? '' }}
        aria-label={
          inBase ? t('Amount in {{coin}}', { coin: context.base }) : t('Total in {{coin}}', { coin: context.quote })
        }
        data-amount={side}
        inputMode="decimal"
        autoComplete="off"
        placeholder="0"
        value={ticket[side].amount}
        error={error}
        rightSection={inBase ? context.base : context.quote}
        rightSectionWidth={56}
        onChange={({ currentTarget }) =>
          dispatch({ kind: 'amount', side, amount: typedAmount(currentTarget.value, scale) })
        }
      />
    </div>
  );
}
