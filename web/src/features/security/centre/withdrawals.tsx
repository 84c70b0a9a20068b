/** What withdrawals must obey: a limit, a list of addresses, and how much may go in one step. */
import { ONE_STEP_LIMIT_USDT, updateWithdrawalSettings } from '@cambist/contract/security.ts';
import { Button, Switch } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { formatDecimal, localizeNumber } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { noticeSuccess } from '../../../ui/notices.ts';
import { Row, Section } from '../parts.tsx';
import type { Overview } from '../queries.ts';
import { useAct } from '../use-act.ts';
import { WhitelistDialog } from './whitelist-dialog.tsx';
import { WithdrawLimitDialog } from './withdraw-limit-dialog.tsx';

type Open = 'limit' | 'whitelist' | undefined;
type Change = { readonly one_step?: boolean; readonly whitelist_only?: boolean; readonly withdraw_limit?: null };

function useSettings() {
  return useAct(
    (body: Change) => call(updateWithdrawalSettings, { body }),
    () => noticeSuccess(t('Success'), t('Saved')),
  );
}

export function Withdrawals({ overview }: { readonly overview: Overview }) {
  const { withdraw_limit: limit, one_step: oneStep, whitelist_only: only, whitelist_count: count } = overview;
  const [open, setOpen] = useState<Open>();
  const settings = useSettings();
  const close = () => setOpen(undefined);
  return (
    <Section
      title={t('Withdrawals')}
      aside={
        <Button component={Link} to="/wallet/withdraw" variant="default" size="xs">
          {t('Withdraw')}
        </Button>
      }
    >
      <Row
        title={t('Crypto withdrawal limit')}
        hint={t('The most that can leave in 24 hours.')}
        state={limit === null ? t('Not Set') : t('{{limit}} USDT in 24 hours', { limit: String(limit) })}
      >
        <Button variant="default" size="xs" onClick={() => setOpen('limit')}>
          {limit === null ? t('Enable') : t('Change')}
        </Button>
        {limit !== null && (
          <Button
            variant="subtle"
            size="xs"
            loading={settings.isPending}
            onClick={() => settings.mutate({ withdraw_limit: null })}
          >
            {t('Remove limit')}
          </Button>
        )}
      </Row>
      <Toggle
        title={t('One-step withdrawal (optional)')}
        hint={t('Up to {{limit}} USDT per 24h without an email code. Used so far: {{used}} USDT.', {
          limit: localizeNumber(String(ONE_STEP_LIMIT_USDT)),
          used: formatDecimal(oneStep.used_usdt, 2),
        })}
        checked={oneStep.enabled}
        busy={settings.isPending}
        onChange={(one_step) => settings.mutate({ one_step })}
      />
      <Toggle
        title={t('Whitelist-only withdrawal (optional)')}
        hint={t('Coins can only leave to addresses that have been on your list for 24 hours.')}
        checked={only}
        busy={settings.isPending}
        onChange={(whitelist_only) => settings.mutate({ whitelist_only })}
      />
      <Row
        title={t('Withdrawal addresses')}
        hint={t('A new address can be used after 24 hours. Adding one pauses withdrawals for the same time.')}
        state={t('{{count}} on the list', { count })}
      >
        <Button variant="default" size="xs" onClick={() => setOpen('whitelist')}>
          {t('Manage')}
        </Button>
      </Row>
      {open === 'limit' && <WithdrawLimitDialog current={limit} onClose={close} />}
      {open === 'whitelist' && <WhitelistDialog onClose={close} />}
    </Section>
  );
}

interface ToggleProps {
  readonly title: string;
  readonly hint: ReactNode;
  readonly checked: boolean;
  readonly busy: boolean;
  readonly onChange: (on: boolean) => void;
}

function Toggle({ title, hint, checked, busy, onChange }: ToggleProps) {
  return (
    <Row title={title} hint={hint}>
      <Switch
        aria-label={title}
        checked={checked}
        disabled={busy}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Row>
  );
}
