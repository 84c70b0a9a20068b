/** The head of the profile and of the fee page: who it is, at which level, and whether they are verified. */

import { NO_BADGE } from '@cambist/contract/accounts.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { accountSummary } from '@cambist/contract/profile.ts';
import { Badge, Button } from '@mantine/core';
import { Link } from 'react-router';
import { formatDate } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { IconCrown } from '../../../ui/icons.ts';
import classes from '../parts.module.css';
import { Chip, Section } from '../parts.tsx';

export type Summary = AnswerOf<typeof accountSummary>;

const TYPES = { Personal: msg('Personal'), Operator: msg('Operator') } as const;

export function StatusChip({ status }: { readonly status: Summary['account_status'] }) {
  const isVerified = status === 'Verified';
  return <Chip good={isVerified} text={isVerified ? t('Verified') : t('Unverified')} />;
}

export function LevelChip({ level }: { readonly level: string }) {
  return (
    <Badge
      variant="default"
      size="sm"
      tt="none"
      fw={500}
      leftSection={level !== NO_BADGE && <IconCrown size={12} aria-hidden />}
    >
      {level === NO_BADGE ? t('no badge') : level}
    </Badge>
  );
}

/** Without a level there is no chip for it. */
export function AccountSummary({ summary }: { readonly summary: Summary }) {
  const { email, account_status: status, membership_level: level } = summary;
  return (
    <Section
      title={t('Account summary')}
      aside={
        status === 'Unverified' && (
          <Button component={Link} to="/account/verify" size="xs">
            {t('Verify Now')}
          </Button>
        )
      }
    >
      <div className={classes.chips}>
        <strong>{email || t('Not Set')}</strong>
        <StatusChip status={status} />
        {level !== NO_BADGE && <LevelChip level={level} />}
      </div>
      <dl className={classes.facts}>
        <Fact name={t('User ID')} value={summary.user_unique_id} />
        <Fact name={t('VIP level')} value={`VIP ${summary.vip_level}`} />
        <Fact name={t('User type')} value={t(TYPES[summary.user_type])} />
        <Fact name={t('Member since')} value={formatDate(summary.joined_at)} />
      </dl>
    </Section>
  );
}

export function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
