/** What an order may have beside its price and amount, each behind a word that opens and closes it. */
import { Suspense } from 'react';
import { t } from '../../../lib/i18n.ts';
import { IconChevronDown } from '../../../ui/first-icons.ts';
import { lazyPart } from '../../../ui/part.tsx';
import classes from './ticket.module.css';
import { hasExits, showsPart } from './ticket.ts';
import type { OptionsProps } from './ticket-kind.ts';
import { useTicket } from './use-ticket.ts';

const TwapFields = lazyPart(() => import('./twap-fields.tsx'), 'over');
const OptionFields = lazyPart(() => import('./option-fields.tsx'), 'over');

/** An order that waits for a trigger keeps the room of the line, so that another type moves nothing. */
export function OrderOptions(props: OptionsProps) {
  const { ticket } = useTicket();
  if (ticket.type !== 'twap') return <Toggled {...props} />;
  return (
    <div className={classes.options} data-open>
      <Suspense fallback={null}>
        <TwapFields {...props} />
      </Suspense>
    </div>
  );
}

function Toggled({ side, context, errors, messageId }: OptionsProps) {
  const { ticket } = useTicket();
  const withExits = hasExits(ticket);
  const withPart = showsPart(ticket);
  return (
    <div className={classes.options} data-open={withExits || withPart || undefined}>
      <div className={classes.toggles}>
        <Attached />
      </div>
      {(withExits || withPart) && (
        <Suspense fallback={null}>
          <OptionFields side={side} context={context} errors={errors} messageId={messageId} />
        </Suspense>
      )}
    </div>
  );
}

/** What may be attached to an order that is placed now: what only reduces needs no exits. */
export function Attached() {
  const { ticket, dispatch } = useTicket();
  const [withExits, withPart] = [hasExits(ticket), showsPart(ticket)];
  return (
    <>
      {(ticket.type === 'market' || ticket.type === 'limit') && !ticket.isReduceOnly && (
        <Toggle
          label={t('Take profit / Stop loss')}
          isOpen={withExits}
          onToggle={() => dispatch({ kind: 'exits', unit: withExits ? undefined : 'price' })}
        />
      )}
      {ticket.type === 'limit' && (
        <Toggle
          label={t('Iceberg')}
          isOpen={withPart}
          onToggle={() => dispatch({ kind: 'iceberg', isIceberg: !withPart })}
        />
      )}
    </>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function Toggle({ label, isOpen, onToggle }: ToggleProps) {
  return (
    <button type="button" className={classes.toggle} aria-expanded={isOpen} onClick={onToggle}>
      {label}
      <IconChevronDown size={12} aria-hidden />
    </button>
  );
}
