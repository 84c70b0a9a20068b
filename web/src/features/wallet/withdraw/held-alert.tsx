/** Why nothing may leave at present, and until when. */
import { securityOverview } from '@cambist/contract/security.ts';
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { accountCheckQuery, SECURITY_KEY } from '../../../lib/queries/account.ts';
import { useSession } from '../../../lib/session-store.ts';
import { useWithdrawStatus } from './use-withdraw-form.ts';
import classes from './withdraw.module.css';
import { limitsQuery } from './withdraw-queries.ts';

/** As the security centre reads it, under the same name. */
const overviewQuery = {
  queryKey: [...SECURITY_KEY, 'overview'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(securityOverview, { signal }),
};

export function HeldAlert() {
  const limits = useQuery(limitsQuery).data;
  const isHeld = useWithdrawStatus(limits) === 'NOT_ALLOWED';
  const ofSession = useSession((session) => session.client?.withdraw_restriction) ?? '';
  // The session may not have learned of it yet.
  const asked = useQuery({ ...accountCheckQuery, enabled: isHeld && ofSession === '' }).data;
  const duration = ofSession || asked?.client.withdraw_restriction;
  const holds = useQuery({ ...overviewQuery, enabled: isHeld }).data?.holds ?? [];
  if (!isHeld || !duration) return null;
  return (
    <Alert color="red" mb="md" role="alert" title={t('Withdrawals are disabled')}>
      <p className={classes.alertText}>
        {t(
          'Your withdrawal has been identified as having a high risk of being linked to a potential scam. To protect your funds, withdrawals are temporarily disabled for {{duration}}.',
          { duration },
        )}
      </p>
      {holds.length > 0 && (
        <ul className={classes.reasons}>
          {holds.map(({ id, reason, until }) => (
            <li key={id}>
              {until === null
                ? t('{{reason}} (until we lift the restriction)', { reason })
                : t('{{reason}} (until {{time}})', { reason, time: formatDateTime(until) })}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
