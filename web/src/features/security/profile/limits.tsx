/** What may move in a day by the person's level, and what has moved today. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { accountLimits } from '@cambist/contract/profile.ts';
import { useQuery } from '@tanstack/react-query';
import { formatCompact, formatDateTime, formatDecimal } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { Loaded, Row, Section } from '../parts.tsx';
import { limitsQuery } from '../queries.ts';

type Limit = AnswerOf<typeof accountLimits>['limits'][number];

const NAMES: Readonly<Record<Limit['name'], string>> = {
  fiat: msg('Fiat'),
  crypto_deposit: msg('Crypto deposit'),
  crypto_withdrawal: msg('Crypto withdrawal'),
  p2p: msg('P2P'),
};

export function Limits() {
  const limits = useQuery(limitsQuery);
  return (
    <Section title={t('Account limits')}>
      <Loaded query={limits} rows={4}>
        {({ limits: rows }) => rows.map((row) => <LimitRow key={row.name} limit={row} />)}
      </Loaded>
    </Section>
  );
}

function LimitRow({ limit: { name, limit, unit, used_today: used, resets_at: resetsAt } }: { readonly limit: Limit }) {
  const values = { amount: formatDecimal(used, 2), unit };
  return (
    <Row
      title={t(NAMES[name])}
      // What was withdrawn yesterday counts today as well, until 24 hours have passed.
      hint={
        name === 'crypto_withdrawal'
          ? [
              t('In the last 24 hours: {{amount}} {{unit}}', values),
              ...(resetsAt === null
                ? []
                : [t('More becomes available on {{time}}.', { time: formatDateTime(resetsAt) })]),
            ].join(' · ')
          : t('Today: {{amount}} {{unit}}', values)
      }
      state={limit === null ? t('Unlimited') : t('{{amount}} {{unit}} daily', { amount: formatCompact(limit), unit })}
    />
  );
}
