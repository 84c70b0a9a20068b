/** The person's own data: all of it in a file, or gone. */
import { dataExport, deleteAccount, fetchDataExport } from '@cambist/contract/privacy.ts';
import { Button, Modal, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { useSession } from '../../../lib/session-store.ts';
import { noticeError, noticeSuccess } from '../../../ui/notices.ts';
import classes from '../parts.module.css';
import { Row, Section } from '../parts.tsx';
import { exportsQuery } from '../queries.ts';
import { useAct } from '../use-act.ts';

const CONFIRMATION = 'DELETE';

const STATES = { waiting: msg('Being gathered'), ready: msg('Ready'), failed: msg('Failed') } as const;

export function Privacy() {
  const exports = useQuery(exportsQuery);
  const [deleting, setDeleting] = useState(false);
  const deletionAt = useSession((session) => session.client?.deletion_at) ?? null;
  const ask = useAct(
    () => call(dataExport),
    () => noticeSuccess(t('Success'), t('We are gathering your data. It can be fetched here for seven days.')),
  );
  return (
    <Section title={t('Your data')}>
      <Row title={t('Export')} hint={t('Everything that we keep about you, as one JSON file.')}>
        <Button variant="default" size="xs" loading={ask.isPending} onClick={() => ask.mutate(undefined)}>
          {t('Ask for an export')}
        </Button>
      </Row>
      {exports.data?.exports.map(({ id, state, asked_at: askedAt }) => (
        <Row key={id} title={t('Export of {{time}}', { time: formatDateTime(askedAt) })} state={t(STATES[state])}>
          {state === 'ready' && <Download id={id} />}
        </Row>
      ))}
      <Row
        title={t('Delete the account')}
        hint={
          deletionAt === null
            ? t('After 14 days. Signing in before then keeps the account.')
            : t('The account will be deleted on {{time}}.', { time: formatDateTime(deletionAt) })
        }
      >
        <Button variant="default" size="xs" onClick={() => setDeleting(true)}>
          {t('Delete the account')}
        </Button>
      </Row>
      {deleting && <DeletionDialog onClose={() => setDeleting(false)} />}
    </Section>
  );
}

function Download({ id }: { readonly id: number }) {
  const fetchFile = useAct(
    () => call(fetchDataExport, { params: { id: String(id) } }),
    (data) => {
      const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
      const link = Object.assign(document.createElement('a'), { href: url, download: `cambist-export-${id}.json` });
      link.click();
      URL.revokeObjectURL(url);
    },
  );
  return (
    <Button size="xs" loading={fetchFile.isPending} onClick={() => fetchFile.mutate(undefined)}>
      {t('Download')}
    </Button>
  );
}

function DeletionDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const remove = useAct(
    () => call(deleteAccount, { body: { confirm: CONFIRMATION } }),
    ({ message, deletion_at: at }) => {
      if (message === 'balance_left' || at === null) {
        return noticeError(t('Not done'), t('There are still funds in this account. Withdraw them first.'));
      }
      noticeSuccess(t('Success'), t('The account will be deleted on {{time}}.', { time: formatDateTime(at) }));
      onClose();
    },
  );
  return (
    <Modal opened onClose={onClose} title={t('Delete the account')} size="sm">
      <div className={classes.form}>
        <p className={classes.note}>
          {t(
            'All devices are signed out now. After 14 days your personal data is erased for good; the books of the exchange keep amounts without your name. Signing in before then keeps the account.',
          )}
        </p>
        <TextInput
          label={t('Write DELETE')}
          autoComplete="off"
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button
          color="red"
          disabled={text !== CONFIRMATION}
          loading={remove.isPending}
          onClick={() => remove.mutate(undefined)}
        >
          {t('Delete the account')}
        </Button>
      </div>
    </Modal>
  );
}
