/** Shows exactly what will happen and asks for the transaction password, unless the session is unlocked. */

import { Button, Checkbox, Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { usePreferences } from '../../../lib/preferences-store.ts';
import { type Confirmation, UNLOCK_MINUTES, type UnlockMinutes } from '../../../lib/trading-unlock.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { SecretInput } from '../../../ui/secret-input.tsx';
import type { SummaryLine } from './summary-lines.ts';
import classes from './ticket.module.css';

interface ConfirmDialogProps {
  readonly title: string;
  readonly opened: boolean;
  readonly lines: readonly SummaryLine[];
  /** What the person should know before they go on. */
  readonly warning?: string | undefined;
  readonly unlocked: boolean;
  readonly pending: boolean;
  readonly wrongPassword: boolean;
  readonly onCancel: () => void;
  readonly onConfirm: (confirmation: Confirmation) => void;
}

export default function ConfirmDialog({ title, opened, onCancel, ...body }: ConfirmDialogProps) {
  return (
    <Dialog opened={opened} onClose={onCancel} title={title} size={400}>
      <ConfirmForm onCancel={onCancel} {...body} />
    </Dialog>
  );
}

type ConfirmFormProps = Omit<ConfirmDialogProps, 'title' | 'opened'>;

function passwordError(touched: boolean, password: string, wrong: boolean): string | undefined {
  if (touched && password === '') return t('Password is required');
  return wrong ? t('Wrong transaction password') : undefined;
}

function ConfirmForm({ lines, warning, unlocked, pending, wrongPassword, onCancel, onConfirm }: ConfirmFormProps) {
  const [password, setPassword] = useState('');
  const [unlockFor, setUnlockFor] = useState<UnlockMinutes>();
  const [touched, setTouched] = useState(false);
  const [edited, setEdited] = useState(false);
  const { skipConfirmation, setSkipConfirmation } = usePreferences();
  const confirm = () => {
    setTouched(true);
    setEdited(false);
    if (unlocked) onConfirm({});
    else if (password !== '') onConfirm({ password, unlockFor });
  };
  return (
    <form
      className={classes.confirm}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        confirm();
      }}
    >
      <dl className={classes.lines}>
        {lines.map((line) => (
          <div key={line.title} className={classes.line}>
            <dt>{line.title}</dt>
            <dd>{line.value}</dd>
          </div>
        ))}
      </dl>
      {warning && (
        <p className={classes.warning} role="alert">
          {warning}
        </p>
      )}
      {unlocked ? (
        <Checkbox
          label={t('Place orders without this summary while trading is unlocked')}
          checked={skipConfirmation}
          onChange={(event) => setSkipConfirmation(event.currentTarget.checked)}
        />
      ) : (
        <>
          <SecretInput
            className={classes.password ?? ''}
            label={t('Transaction password')}
            autoComplete="off"
            data-autofocus
            value={password}
            error={passwordError(touched, password, wrongPassword && !edited)}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              setEdited(true);
            }}
          />
          <UnlockSelect value={unlockFor} onChange={setUnlockFor} />
        </>
      )}
      <Group grow>
        <Button variant="default" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={pending} {...(unlocked ? { 'data-autofocus': true } : {})}>
          {t('Confirm')}
        </Button>
      </Group>
    </form>
  );
}

interface UnlockSelectProps {
  readonly value: UnlockMinutes | undefined;
  readonly onChange: (minutes: UnlockMinutes | undefined) => void;
}

function UnlockSelect({ value, onChange }: UnlockSelectProps) {
  const options = UNLOCK_MINUTES.map((minutes) => ({
    value: String(minutes),
    label: t('Stay unlocked for {{minutes}} minutes', { minutes }),
  }));
  return (
    <NativeSelect
      label={t('After this order, on this device')}
      value={String(value ?? '')}
      data={[{ value: '', label: t('Ask for every order') }, ...options]}
      onChange={({ currentTarget }) => onChange(UNLOCK_MINUTES.find((entry) => String(entry) === currentTarget.value))}
    />
  );
}
