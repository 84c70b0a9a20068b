/** How long a TWAP takes and how far apart its slices are. Loaded with the first TWAP. */
import { TextInput } from '@mantine/core';
import { t } from '../../../lib/i18n.ts';
import { useNow } from '../../../lib/use-now.ts';
import { useTerminal } from '../terminal.ts';
import type { OrderErrors } from './order-errors.ts';
import type { OrderContext } from './order-summary.ts';
import classes from './ticket.module.css';
import type { Side } from './ticket.ts';
import { scheduleLabel, scheduleText, secondsOf } from './twap.ts';
import { useTicket } from './use-ticket.ts';

const DURATIONS = ['5m', '30m', '1h', '4h'];
/** The end is that of an order which is sent now. */
const EVERY_MS = 5_000;

interface TwapFieldsProps {
  readonly side: Side;
  readonly context: OrderContext;
  readonly errors: OrderErrors;
  readonly messageId: string;
}

export default function TwapFields({ side, context, errors, messageId }: TwapFieldsProps) {
  const { ticket, dispatch } = useTicket();
  const { ticketKind: kind } = useTerminal();
  const now = useNow(EVERY_MS);
  return (
    <>
      <fieldset className={classes.presets} aria-label={t('Duration')}>
        {DURATIONS.map((duration) => (
          <button
            key={duration}
            type="button"
            className={classes.shortcut}
            aria-pressed={secondsOf(duration) === secondsOf(ticket.duration)}
            onClick={() => dispatch({ kind: 'schedule', duration })}
          >
            {duration}
          </button>
        ))}
      </fieldset>
      <div className={classes.exitFields}>
        {(['duration', 'interval'] as const).map((name) => (
          <TextInput
            key={name}
            classNames={{ label: classes.label ?? '', input: classes.input ?? '' }}
            label={scheduleLabel(name)}
            value={ticket[name]}
            // The form says what is wrong, in one line for all fields.
            error={errors[name] !== undefined}
            attributes={{ input: { 'aria-describedby': messageId } }}
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget }) => dispatch({ kind: 'schedule', [name]: currentTarget.value })}
          />
        ))}
      </div>
      <p className={classes.schedule}>{scheduleText(ticket, kind.quantity(ticket, side, context), context, now)}</p>
    </>
  );
}
