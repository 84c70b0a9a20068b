/** What is connected to the account: Google, Apple, the mobile number, a wallet, and the e-mail address itself. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { disconnectProvider } from '@cambist/contract/oauth.ts';
import type { bindAccounts } from '@cambist/contract/profile.ts';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { messageOf } from '../../../lib/api-problem.ts';
import { t } from '../../../lib/i18n.ts';
import { goToProvider } from '../../../lib/provider.ts';
import { useSession } from '../../../lib/session-store.ts';
import { noticeError, noticeSuccess } from '../../../ui/notices.ts';
import { Chip, Loaded, Row, Section } from '../parts.tsx';
import { connectionsQuery } from '../queries.ts';
import { SubPage } from '../sub-page.tsx';
import { useAct } from '../use-act.ts';
import { EmailDialog } from './email-dialog.tsx';
import { MobileDialog } from './mobile-dialog.tsx';

type Connections = AnswerOf<typeof bindAccounts>;

export function ConnectionsPage() {
  const connections = useQuery(connectionsQuery);
  return (
    <SubPage title={t('Account connections')}>
      <Loaded query={connections} rows={4}>
        {(data) => <List connections={data} />}
      </Loaded>
    </SubPage>
  );
}

function List({ connections: { gmail, apple, mobile, wallet } }: { readonly connections: Connections }) {
  const [open, setOpen] = useState<'mobile' | 'email'>();
  const close = () => setOpen(undefined);
  const isVerified = mobile.status === 'Verified';
  return (
    <Section title={t('Connected accounts')}>
      <Row title={t('Email')} hint={mobile.email || t('Not Set')}>
        {mobile.email === '' && (
          <Button variant="default" size="xs" onClick={() => setOpen('email')}>
            {t('Add an email address')}
          </Button>
        )}
      </Row>
      <ProviderRow provider="google" name={t('Google')} connection={gmail} />
      <ProviderRow provider="apple" name={t('Apple')} connection={apple} />
      <Row
        title={t('Mobile number')}
        hint={mobile.number || t('Not Set')}
        state={<Chip good={isVerified} text={isVerified ? t('Verified') : t('Unverified')} />}
      >
        <Button variant="default" size="xs" onClick={() => setOpen('mobile')}>
          {isVerified ? t('Change') : t('Add number')}
        </Button>
      </Row>
      <Row
        title={t('Wallet')}
        hint={wallet.address}
        state={
          <Chip
            good={wallet.status === 'Connected'}
            text={wallet.status === 'Connected' ? t('Connected') : t('Not connected')}
          />
        }
      />
      {open === 'mobile' && <MobileDialog onClose={close} />}
      {open === 'email' && <EmailDialog onClose={close} />}
    </Section>
  );
}

interface ProviderRowProps {
  readonly provider: 'google' | 'apple';
  readonly name: string;
  readonly connection: Connections['gmail'];
}

function ProviderRow({ provider, name, connection: { email, status } }: ProviderRowProps) {
  const clientId = useSession((session) => session.client?.id);
  const connect = useMutation({
    mutationFn: async () => {
      if (clientId !== undefined) await goToProvider(provider, clientId);
    },
    onError: (problem) => noticeError(t('Action failed'), messageOf(problem)),
  });
  const disconnect = useAct(
    () => call(disconnectProvider, { params: { provider } }),
    () => noticeSuccess(t('Success'), t('{{name}} disconnected.', { name })),
  );
  const texts = {
    Connected: t('Connected'),
    'Not connected': t('Not connected'),
    'Not available': t('Not available here'),
  };
  return (
    <Row title={name} hint={email} state={<Chip good={status === 'Connected'} text={texts[status]} />}>
      {status === 'Connected' && (
        <Button variant="default" size="xs" loading={disconnect.isPending} onClick={() => disconnect.mutate(undefined)}>
          {t('Disconnect')}
        </Button>
      )}
      {status === 'Not connected' && (
        <Button variant="default" size="xs" loading={connect.isPending} onClick={() => connect.mutate()}>
          {t('Connect')}
        </Button>
      )}
    </Row>
  );
}
