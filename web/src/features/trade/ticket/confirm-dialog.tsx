/** Shows exactly what will happen and asks for the transaction password, unless the session is unlocked. */

import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { usePreferences } from '../../../lib/preferences-store.ts';
import { SecretInput } from '../../../ui/secret-input.tsx';
import classes from './ticket.module.css';
import type { Confirmation } from './use-submit-order.ts';

export interface SummaryLine {
  readonly title: string;
  readonly value: string;
}

interface ConfirmDialogProps {
  readonly title: string;
  readonly opened: boolean;
  readonly lines: readonly SummaryLine[];
  readonly unlocked: boolean;
  readonly pending: boolean;
  readonly wrongPassword: boolean;
  readonly onCancel: () => void;
  readonly onConfirm: (confirmation: Confirmation) => void;
}

export function ConfirmDialog({ title, opened, onCancel, ...body }: ConfirmDialogProps) {
  return (
    <Modal opened={opened} onClose={onCancel} title={title} size={400} closeButtonProps={{ 'aria-label': 'Close' }}>
      <ConfirmForm onCancel={onCancel} {...body} />
    </Modal>
  );
}

type ConfirmFormProps = Omit<ConfirmDialogProps, 'title' | 'opened'>;

function ConfirmForm({ lines, unlocked, pending, wrongPassword, onCancel, onConfirm }: ConfirmFormProps) {
  const [password, setPassword] = useState('');
  const [keepUnlocked, setKeepUnlocked] = useState(false);
  const [touched, setTouched] = useState(false);
  const [edited, setEdited] = useState(false);
  const { skipConfirmation, setSkipConfirmation } = usePreferences();
  const error =
    touched && password === '' ? 'Password is required' : wrongPassword && !edited && 'Wrong transaction password';
  const confirm = () => {
    setTouched(true);
    setEdited(false);
    if (unlocked) onConfirm({});
    else if (password !== '') onConfirm({ password, keepUnlocked });
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
      {unlocked ? (
        <Checkbox
          label={t('Skip this summary while unlocked')}
          checked={skipConfirmation}
          onChange={(event) => setSkipConfirmation(event.currentTarget.checked)}
        />
      ) : (
        <>
          <SecretInput
            label={t('Transaction password')}
            autoComplete="off"
            data-autofocus
            value={password}
            error={error || undefined}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              setEdited(true);
            }}
          />
          <Checkbox
            label={t('Keep unlocked for 15 minutes on this device')}
            checked={keepUnlocked}
            onChange={(event) => setKeepUnlocked(event.currentTarget.checked)}
          />
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
