/** How long something lasted, in its two largest units. */
import { t } from '../../../lib/i18n.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Rounded down, to whole seconds. */
export function spanText(ms: number): string {
  const whole = (unit: number, below: number) => Math.floor((ms % below) / unit);
  const [days, hours] = [Math.floor(ms / DAY_MS), whole(HOUR_MS, DAY_MS)];
  const [minutes, seconds] = [whole(MINUTE_MS, HOUR_MS), whole(SECOND_MS, MINUTE_MS)];
  if (days > 0) return t('{{days}} d {{hours}} h', { days, hours });
  if (hours > 0) return t('{{hours}} h {{minutes}} min', { hours, minutes });
  if (minutes > 0) return t('{{minutes}} min {{seconds}} s', { minutes, seconds });
  return t('{{seconds}} s', { seconds });
}
