/** What acts for the person without their password: API keys, and apps that were given access. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { type appAuthorization, createApiKey, revokeApiKey } from '@cambist/contract/security.ts';
import { Button, Checkbox, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { formatDate, formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { CopyField } from '../../../ui/copy-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { toFirstError } from '../../../ui/first-error.ts';
import { noticeSuccess } from '../../../ui/notices.ts';
import { Empty } from '../../../ui/states.tsx';
import classes from '../parts.module.css';
import { Loaded, Row, Section } from '../parts.tsx';
import { authorizationQuery } from '../queries.ts';
import { SubPage } from '../sub-page.tsx';
import { useAct } from '../use-act.ts';

type Authorization = AnswerOf<typeof appAuthorization>;
type Permission = Authorization['api_keys'][number]['permissions'][number];

const PERMISSIONS: Readonly<Record<string, string>> = {
  read: msg('Read'),
  trade: msg('Trade'),
  'sign-in': msg('Log in'),
};
const permissionText = (names: readonly string[]) => names.map((name) => t(PERMISSIONS[name] ?? name)).join(', ');

const DAYS = 90;
const MAXIMUM_NETWORKS = 20;
/** Of either kind of address; the server looks closer. */
const NETWORK = /^[\da-f:.]*[:.][\da-f:.]*(\/\d{1,3})?$/i;

export function AuthorizationPage() {
  const authorization = useQuery(authorizationQuery);
  const [making, setMaking] = useState(false);
  return (
    <SubPage title={t('App authorization')}>
      <Section
        title={t('Apps and keys')}
        aside={
          <Button size="xs" variant="default" onClick={() => setMaking(true)}>
            {t('Create an API key')}
          </Button>
        }
      >
        <Loaded query={authorization} rows={3}>
          {(data) => <Granted authorization={data} />}
        </Loaded>
        <Row
          title={t('For programs')}
          hint={t(
            'A program sends its key as a bearer token. Every call, the websocket, and two programs to start from.',
          )}
        >
          <Button component="a" href="/docs" target="_blank" rel="noreferrer" size="xs" variant="default">
            {t('API documentation')}
          </Button>
        </Row>
      </Section>
      {making && <KeyDialog onClose={() => setMaking(false)} />}
    </SubPage>
  );
}

function Granted({ authorization: { api_keys: keys, apps } }: { readonly authorization: Authorization }) {
  const revoke = useAct(
    (id: number) => call(revokeApiKey, { params: { id: String(id) } }),
    () => noticeSuccess(t('Success'), t('Key revoked.')),
  );
  if (keys.length === 0 && apps.length === 0) {
    return <Empty title={t('No apps or services have permission to your account.')} />;
  }
  return (
    <>
      {apps.map(({ id, name, permissions, since }) => (
        <Row
          key={id}
          title={name}
          hint={permissionText(permissions)}
          state={t('Since {{time}}', { time: formatDate(since) })}
        />
      ))}
      {keys.map(({ id, label, prefix, permissions, networks, last_used_at: used, expires_at: expires }) => (
        <Row
          key={id}
          title={`${label} (${prefix}…)`}
          hint={[
            permissionText(permissions),
            t('Expires {{time}}', { time: formatDate(expires) }),
            ...(networks.length > 0 ? [t('Only from {{addresses}}', { addresses: networks.join(', ') })] : []),
          ].join(' · ')}
          state={used === null ? t('Never used') : t('Last used {{time}}', { time: formatDateTime(used) })}
        >
          <Button size="xs" variant="default" disabled={revoke.isPending} onClick={() => revoke.mutate(id)}>
            {t('Revoke')}
          </Button>
        </Row>
      ))}
    </>
  );
}

function KeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [key, setKey] = useState<string>();
  const form = useForm({
    initialValues: { label: '', permissions: ['read'] as Permission[], networks: [] as string[] },
    validate: {
      label: (value) => (value.trim() === '' ? t('Field is required') : null),
      permissions: (value) => (value.length === 0 ? t('Choose at least one permission') : null),
      networks: (value) =>
        value.every((text) => NETWORK.test(text)) ? null : t('Use addresses or networks, such as 203.0.113.0/24'),
    },
  });
  const create = useAct(
    () => call(createApiKey, { body: { ...form.getValues(), days: DAYS } }),
    (answer) => setKey(answer.key),
  );
  return (
    <Dialog
      onClose={onClose}
      title={t('Create an API key')}
      size="sm"
      closeOnClickOutside={key === undefined}
      closeOnEscape={key === undefined}
    >
      {key ? (
        <div className={classes.form}>
          <p className={classes.note}>{t('This key is shown once. Anyone who has it can use its permissions.')}</p>
          <CopyField label={t('API key')} value={key} />
          <Button onClick={onClose}>{t("I've saved the key")}</Button>
        </div>
      ) : (
        <form
          className={classes.form}
          noValidate
          onSubmit={form.onSubmit(() => create.mutate(undefined), toFirstError)}
        >
          <TextInput
            label={t('Name')}
            description={t('Expires in {{days}} days. Keys can never withdraw.', { days: DAYS })}
            maxLength={60}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('label')}
          />
          <Checkbox.Group label={t('Permissions')} {...form.getInputProps('permissions')}>
            <Checkbox mt="xs" value="read" label={t('Read')} />
            <Checkbox mt="xs" value="trade" label={t('Trade')} />
          </Checkbox.Group>
          <TagsInput
            label={t('Allowed addresses (optional)')}
            description={t('IP addresses or networks, such as 203.0.113.7 or 203.0.113.0/24. If empty, any address.')}
            maxTags={MAXIMUM_NETWORKS}
            splitChars={[',', ' ']}
            acceptValueOnBlur
            {...form.getInputProps('networks')}
          />
          <Button type="submit" loading={create.isPending}>
            {t('Create key')}
          </Button>
        </form>
      )}
    </Dialog>
  );
}
