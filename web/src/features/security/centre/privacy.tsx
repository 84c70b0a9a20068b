/** The person's own data: all of it in a file, or gone. */
import { dataExport, deleteAccount, fetchDataExport } from '@cambist/contract/privacy.ts';
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { saveJson } from '../../../lib/save-file.ts';
import { useSession } from '../../../lib/session-store.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { noticeError, noticeSuccess } from '../../../ui/notices.ts';
import classes from '../parts.module.css';
import { Row, Section } from '../parts.tsx';
import { exportsQuery } from '../queries.ts';
import { useAct } from '../use-act.ts';

const CONFIRMATION = 'DELETE';

const STATES = { waiting: msg('Preparing'), ready: msg('Ready'), failed: msg('Failed') } as const;

export function Privacy() {
  const exports = useQuery(exportsQuery);
  const [deleting, setDeleting] = useState(false);
  const deletionAt = useSession((session) => session.client?.deletion_at) ?? null;
  const ask = useAct(
    () => call(dataExport),
    () => noticeSuccess(t('Success'), t("We're preparing your data. You can download it here for seven days.")),
  );
  return (
    <Section title={t('Your data')}>
      <Row title={t('Export')} hint={t('Everything we store about you, as one JSON file.')}>
        <Button variant="default" size="xs" loading={ask.isPending} onClick={() => ask.mutate(undefined)}>
          {t('Request an export')}
        </Button>
      </Row>
      {exports.data?.exports.map(({ id, state, asked_at: askedAt }) => (
        <Row key={id} title={t('Export of {{time}}', { time: formatDateTime(askedAt) })} state={t(STATES[state])}>
          {state === 'ready' && <Download id={id} />}
        </Row>
      ))}
      <Row
        title={t('Delete account')}
        hint={
          deletionAt === null
            ? t('After 14 days. Log in before then to keep the account.')
            : t('The account will be deleted on {{time}}.', { time: formatDateTime(deletionAt) })
        }
      >
        <Button variant="default" size="xs" onClick={() => setDeleting(true)}>
          {t('Delete account')}
        </Button>
      </Row>
      {deleting && <DeletionDialog onClose={() => setDeleting(false)} />}
    </Section>
  );
}

function Download({ id }: { readonly id: number }) {
  const fetchFile = useAct(
    () => call(fetchDataExport, { params: { id: String(id) } }),
    (data) => saveJson(`cambist-export-${id}.json`, JSON.stringify(data, null, 2)),
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
        return noticeError(t('Action failed'), t('There are still funds in this account. Withdraw them first.'));
      }
      noticeSuccess(t('Success'), t('The account will be deleted on {{time}}.', { time: formatDateTime(at) }));
      onClose();
    },
  );
  return (
    <Dialog onClose={onClose} title={t('Delete account')} size="sm">
      <div className={classes.form}>
        <p className={classes.note}>
          {t(
            "All devices are logged out now. After 14 days your personal data is erased for good; the exchange's ledger keeps amounts without your name. Log in before then to keep the account.",
          )}
        </p>
        <TextInput
          label={t('Type DELETE')}
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
          {t('Delete account')}
        </Button>
      </div>
    </Dialog>
  );
}
