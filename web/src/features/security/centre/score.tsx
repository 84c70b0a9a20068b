/** How well the account is protected, in points, and what would add more; and until when withdrawals are held. */

import { formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { IconCircleCheck, IconCircleDashed, IconClockPause } from '../../../ui/icons.ts';
import classes from '../parts.module.css';
import { Section } from '../parts.tsx';
import type { Overview } from '../queries.ts';

type CheckName = Overview['checks'][number]['name'];

const CHECKS: Readonly<Record<CheckName, string>> = {
  password: msg('Login password'),
  transaction_password: msg('Transaction password'),
  email: msg('Email'),
  two_factor: msg('Authenticator app'),
  passkey: msg('Passkey'),
  mobile: msg('Mobile number'),
  anti_phishing: msg('Anti-phishing code'),
  whitelist_only: msg('Whitelist-only withdrawal'),
  withdraw_limit: msg('Withdraw limit'),
};

export function Score({ overview: { score, checks, last_sign_in: last } }: { readonly overview: Overview }) {
  return (
    <Section
      title={t('Security score')}
      aside={
        last && (
          <span className={classes.state}>
            {t('Last login: {{time}}, {{device}}', { time: formatDateTime(last.at), device: last.device })}
          </span>
        )
      }
    >
      <div className={classes.score}>
        <div>
          <div className={classes.figure}>
            {score} <small>/ 100</small>
          </div>
          <div className={classes.meter} aria-hidden>
            <span style={{ width: `${score}%` }} />
          </div>
        </div>
        <ul className={classes.checks}>
          {checks.map(({ name, done, points }) => (
            <li key={name} data-done={done || undefined}>
              {done ? <IconCircleCheck size={16} aria-hidden /> : <IconCircleDashed size={16} aria-hidden />}
              {t(CHECKS[name])}
              <span>{done ? t('On') : t('{{points}} points to gain', { points })}</span>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  );
}

export function Holds({ holds }: Pick<Overview, 'holds'>) {
  return holds.map(({ id, reason, until }) => (
    <div key={id} className={classes.hold} role="status">
      <IconClockPause size={20} aria-hidden />
      <p>
        {reason}{' '}
        {until === null
          ? t('Withdrawals are paused until we lift the restriction.')
          : t('Withdrawals are paused until {{time}}.', { time: formatDateTime(until) })}
      </p>
    </div>
  ));
}
