/** The prices that the chosen type of order asks for. */
import { TextInput } from '@mantine/core';
import { typedAmount } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import type { OrderErrors } from './order-errors.ts';
import { priceLabel } from './summary-lines.ts';
import classes from './ticket.module.css';
import { PRICES_OF, type PriceName, type Side } from './ticket.ts';
import { useTicket } from './use-ticket.ts';

const PERCENT_SCALE = 2;

interface PriceFieldsProps {
  readonly side: Side;
  readonly scale: number;
  readonly quote: string;
  readonly errors: OrderErrors;
}

const inputClasses = { label: classes.label ?? '', input: classes.input ?? '', section: classes.unit ?? '' };

export function PriceFields({ side, scale, quote, errors }: PriceFieldsProps) {
  const { type } = useTicket((store) => store.ticket);
  if (type === 'market') {
    return (
      <TextInput
        classNames={inputClasses}
        label={t('Price')}
        value={t('Market price')}
        readOnly
        rightSection={quote}
        rightSectionWidth={56}
      />
    );
  }
  const names = PRICES_OF[type];
  return (
    <div className={classes.prices} data-count={names.length}>
      {names.map((name) => (
        <PriceField key={name} name={name} side={side} scale={scale} quote={quote} error={errors[name]} />
      ))}
    </div>
  );
}

interface PriceFieldProps extends Omit<PriceFieldsProps, 'errors'> {
  readonly name: PriceName;
  readonly error: string | undefined;
}

function PriceField({ name, side, scale, quote, error }: PriceFieldProps) {
  const { ticket, dispatch } = useTicket();
  const percent = name === 'callback';
  return (
    <TextInput
      classNames={inputClasses}
      label={priceLabel(name, ticket.type)}
      inputMode="decimal"
      autoComplete="off"
      placeholder={name === 'activation' ? t('At once') : '0'}
      value={ticket[side][name]}
      error={error}
      rightSection={percent ? '%' : quote}
      rightSectionWidth={percent ? 30 : 56}
      onChange={({ currentTarget }) =>
        dispatch({
          kind: 'price',
          side,
          name,
          price: typedAmount(currentTarget.value, percent ? PERCENT_SCALE : scale),
        })
      }
    />
  );
}
