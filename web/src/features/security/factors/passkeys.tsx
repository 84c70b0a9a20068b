/** Passkeys: a device or password manager that signs in and confirms without a password. */

import type { AnswerOf } from '@cambist/contract/call.ts';
import {
  addPasskey,
  deletePasskey,
  passkeyRegistration,
  type passkeys,
  renamePasskey,
} from '@cambist/contract/passkeys.ts';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { ApiProblem } from '../../../lib/api-problem.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { IconPencil, IconTrash } from '../../../ui/icons.ts';
import { noticeSuccess } from '../../../ui/notices.ts';
import classes from '../parts.module.css';
import { Row } from '../parts.tsx';
import { passkeysQuery } from '../queries.ts';
import { useAct } from '../use-act.ts';

type Passkey = AnswerOf<typeof passkeys>['passkeys'][number];

const LABEL_LENGTH = 60;

/** What the browser says of a device that has one of the account's already. */
function refusal(problem: unknown): unknown {
  if (!(problem instanceof Error) || problem.name !== 'InvalidStateError') return problem;
  const message = t('This device already has a passkey for your account.');
  return new ApiProblem({ status: 0, code: 'PASSKEY_EXISTS', detail: message, message });
}

async function makePasskey(label: string) {
  // The step-up comes first: the browser's own dialog would not wait for it.
  const [{ startRegistration }, begun] = await Promise.all([
    import('@simplewebauthn/browser'),
    call(passkeyRegistration),
  ]);
  const response = await startRegistration({ optionsJSON: begun.options as never }).catch((problem: unknown) => {
    throw refusal(problem);
  });
  return call(addPasskey, { body: { label, challenge_id: begun.challenge_id, response: response as never } });
}

/** A new one, or one that gets another name. */
type Naming = 'new' | Passkey | undefined;

export function Passkeys() {
  const list = useQuery(passkeysQuery).data?.passkeys ?? [];
  const [naming, setNaming] = useState<Naming>();
  return (
    <>
      <Row
        title={t('Passkeys')}
        hint={t('Your fingerprint, face or security key instead of a password. Counts as both factors.')}
        state={t('{{count}} connected', { count: list.length })}
      >
        <Button variant="default" size="xs" onClick={() => setNaming('new')}>
          {t('Add a passkey')}
        </Button>
      </Row>
      {list.map((passkey) => (
        <PasskeyRow key={passkey.id} passkey={passkey} onRename={() => setNaming(passkey)} />
      ))}
      {naming && <NameDialog naming={naming} onClose={() => setNaming(undefined)} />}
    </>
  );
}

interface PasskeyRowProps {
  readonly passkey: Passkey;
  readonly onRename: () => void;
}

function PasskeyRow({ passkey: { id, label, created_at: made, last_used_at: used }, onRename }: PasskeyRowProps) {
  const [removing, setRemoving] = useState(false);
  const remove = useAct(
    () => call(deletePasskey, { params: { id: String(id) } }),
    () => {
      noticeSuccess(t('Success'), t('Passkey removed.'));
      setRemoving(false);
    },
  );
  return (
    <Row
      title={label}
      hint={t('Added {{time}}', { time: formatDateTime(made) })}
      state={used === null ? t('Never used') : t('Last used {{time}}', { time: formatDateTime(used) })}
    >
      <ActionIcon variant="subtle" color="gray" aria-label={t('Rename {{name}}', { name: label })} onClick={onRename}>
        <IconPencil size={16} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('Remove {{name}}', { name: label })}
        onClick={() => setRemoving(true)}
      >
        <IconTrash size={16} />
      </ActionIcon>
      {removing && (
        <ConfirmDialog
          opened
          title={t('Remove {{name}}', { name: label })}
          facts={[
            { name: t('Logging in'), value: t('Not with this passkey') },
            { name: t('Withdrawals'), value: t('Paused for 24 hours') },
          ]}
          action={t('Remove')}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
          onClose={() => setRemoving(false)}
        />
      )}
    </Row>
  );
}

interface NameDialogProps {
  readonly naming: 'new' | Passkey;
  readonly onClose: () => void;
}

function NameDialog({ naming, onClose }: NameDialogProps) {
  const isNew = naming === 'new';
  const [label, setLabel] = useState(isNew ? '' : naming.label);
  const save = useAct(
    async () => {
      if (isNew) await makePasskey(label.trim());
      else await call(renamePasskey, { params: { id: String(naming.id) }, body: { label: label.trim() } });
    },
    () => {
      noticeSuccess(t('Success'), isNew ? t('Passkey added.') : t('Saved'));
      onClose();
    },
  );
  return (
    <Dialog
      onClose={onClose}
      title={isNew ? t('Add a passkey') : t('Rename {{name}}', { name: naming.label })}
      size="sm"
    >
      <form
        noValidate
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(undefined);
        }}
      >
        <TextInput
          label={t('Name')}
          description={isNew ? t('Withdrawals are paused for 24 hours after this.') : undefined}
          maxLength={LABEL_LENGTH}
          autoComplete="off"
          data-autofocus
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <Button type="submit" loading={save.isPending} disabled={label.trim() === ''}>
          {isNew ? t('Continue') : t('Save')}
        </Button>
      </form>
    </Dialog>
  );
}
