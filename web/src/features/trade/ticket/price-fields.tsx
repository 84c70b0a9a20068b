/** The prices that the chosen type of order asks for. */
import { TextInput } from '@mantine/core';
import { toText } from '../../../lib/decimal.ts';
import { msg, t } from '../../../lib/i18n.ts';
import type { BookRow } from '../../../lib/order-book/book-state.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import type { OrderErrors } from './order-errors.ts';
import { type OrderContext, scaleOf } from './order-summary.ts';
import { priceLabel } from './summary-lines.ts';
import classes from './ticket.module.css';
import { isLimit, type OrderType, PRICES_OF, type PriceName, type Side } from './ticket.ts';
import { useTicket } from './use-ticket.ts';

interface PriceFieldsProps {
  readonly side: Side;
  readonly readContext: () => OrderContext;
  readonly errors: OrderErrors;
  /** Of the element that says what is wrong. */
  readonly messageId: string;
}

export function PriceFields({ side, readContext, errors, messageId }: PriceFieldsProps) {
  const { type } = useTicket((store) => store.ticket);
  const names = PRICES_OF[type];
  return (
    <div className={classes.prices} data-count={names.length}>
      {type === 'market' && <MarketPrice quote={readContext().quote} />}
      {names.map((name) => (
        <PriceField
          key={name}
          name={name}
          side={side}
          readContext={readContext}
          error={errors[name]}
          messageId={messageId}
        />
      ))}
    </div>
  );
}

function MarketPrice({ quote }: { readonly quote: string }) {
  return (
    <TextInput
      classNames={{ label: classes.label ?? '', input: classes.input ?? '', section: classes.unit ?? '' }}
      label={t('Price')}
      value={t('Market price')}
      readOnly
      rightSection={quote}
      rightSectionWidth={56}
    />
  );
}

interface PriceFieldProps extends Omit<PriceFieldsProps, 'errors'> {
  readonly name: PriceName;
  readonly error: string | undefined;
}

/** What an empty field means, where it may stay empty. */
function placeholderOf(name: PriceName, type: OrderType): string {
  if (name === 'activation') return t('Immediately');
  return name === 'price' && type === 'oco' ? t('Market price') : '0';
}

function PriceField({ name, side, readContext, error, messageId }: PriceFieldProps) {
  const { ticket, dispatch } = useTicket();
  const context = readContext();
  const percent = name === 'callback';
  return (
    <NumberField
      labelClass={classes.label}
      inputClass={classes.input}
      label={priceLabel(name, ticket.type)}
      placeholder={placeholderOf(name, ticket.type)}
      scale={scaleOf(name, ticket, context)}
      value={ticket[side][name]}
      error={error}
      messageId={messageId}
      unit={percent ? '%' : context.quote}
      unitWidth={percent ? 26 : 46}
      aside={isLimit(ticket.type) ? <PriceShortcuts side={side} readContext={readContext} /> : undefined}
      onChange={(price) => dispatch({ kind: 'price', side, name, price })}
    />
  );
}

const SHORTCUTS = [
  { label: msg('Last'), priceOf: ({ lastPrice }: OrderContext) => lastPrice },
  { label: msg('Bid'), priceOf: ({ book, priceScale }: OrderContext) => priceAt(book?.bids[0], priceScale) },
  { label: msg('Ask'), priceOf: ({ book, priceScale }: OrderContext) => priceAt(book?.asks[0], priceScale) },
] as const;

const priceAt = (row: BookRow | undefined, scale: number) => row && toText({ units: BigInt(row[0]), scale });

/** Prices of the moment: the last one, the best bid and the best ask. */
function PriceShortcuts({ side, readContext }: Pick<PriceFieldProps, 'side' | 'readContext'>) {
  const { dispatch } = useTicket();
  return SHORTCUTS.map(({ label, priceOf }) => (
    <button
      key={label}
      type="button"
      className={classes.shortcut}
      onClick={() => {
        const price = priceOf(readContext());
        if (price) dispatch({ kind: 'price', side, name: 'price', price });
      }}
    >
      {t(label)}
    </button>
  ));
}
