/** A fixed term for the position that is opened: on one card what it asks, what happens at its end, and the fee that pays for it. */
import { exchangeTime } from '../../../lib/exchange-time.ts';
import { formatDate, formatDecimal } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import ticketClasses from '../ticket/ticket.module.css';
import type { Side } from '../ticket/ticket.ts';
import type { OptionsProps } from '../ticket/ticket-kind.ts';
import { useTicket } from '../ticket/use-ticket.ts';
import { atLeg, summarizeFutures } from './futures-order.ts';
import type { FuturesContext } from './futures-state.ts';
import { TERM_DIGITS, termBounds, termOffered, useTermChoice } from './term-choice.ts';

const DAY_MS = 86_400_000;

interface TermFieldsProps extends OptionsProps {
  readonly side: Side;
  readonly context: FuturesContext;
}

export default function TermFields({ side, context, errors, messageId }: TermFieldsProps) {
  const { ticket } = useTicket();
  const { days, target, floor, change } = useTermChoice();
  const own = atLeg(ticket, side, context);
  const offer = termOffered(ticket, own.futures);
  if (!offer) return null;
  const bounds = termBounds(offer, summarizeFutures(ticket, side, own), own.futures);
  const field = (name: 'target' | 'floor', label: string, value: string) => (
    <NumberField
      labelClass={ticketClasses.label}
      inputClass={ticketClasses.input}
      label={label}
      placeholder={bounds ? formatDecimal(bounds[name], TERM_DIGITS) : ''}
      scale={TERM_DIGITS}
      value={value}
      error={errors[name]}
      messageId={messageId}
      unit={context.quote}
      unitWidth={46}
      onChange={(text) => change({ [name]: text })}
    />
  );
  return (
    <>
      <fieldset className={ticketClasses.presets} aria-label={t('Fixed term')}>
        {[undefined, ...offer.days].map((one) => (
          <button
            key={one ?? 0}
            type="button"
            className={ticketClasses.shortcut}
            aria-pressed={one === days}
            onClick={() => change({ days: one })}
          >
            {one === undefined ? t('No term') : t('{{days}} days', { days: one })}
          </button>
        ))}
      </fieldset>
      {days !== undefined && (
        <>
          <div className={ticketClasses.exitFields}>
            {field('target', t('Target income'), target)}
            {field('floor', t('Floor of total assets'), floor)}
          </div>
          <p className={ticketClasses.schedule}>
            {t(
              'Until {{date}} you can close it only at the target or above, or at the floor or below; then at any time. Liquidation may always occur. Opening costs {{fee}}%. If you keep it until then, {{discount}}% of what you opened comes off the closing fee.',
              {
                date: formatDate(exchangeTime() + days * DAY_MS),
                fee: formatDecimal(offer.fee_percent, 4, 0),
                discount: formatDecimal(offer.discount_percent, 4, 0),
              },
            )}
          </p>
        </>
      )}
    </>
  );
}
