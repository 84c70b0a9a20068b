/** Says in amounts what will happen, and asks for the transaction password before it does. */
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../lib/i18n.ts';
import classes from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';
import { type Fact, Facts } from './facts.tsx';
import { SecretInput } from './secret-input.tsx';

interface PasswordDialogProps {
  readonly title: string;
  readonly facts: readonly Fact[];
  /** Below the facts: what the person should know before they go on. */
  readonly note?: ReactNode;
  readonly busy: boolean;
  /** The password of the last attempt was wrong. */
  readonly wrong: boolean;
  /** No password is needed now; `onConfirm` gets an empty one. */
  readonly unlocked?: boolean;
  /** In place of Confirm, while what is shown no longer holds. */
  readonly renewal?: { readonly label: string; readonly onRenew: () => void } | undefined;
  readonly onClose: () => void;
  readonly onConfirm: (password: string) => void;
}

export function PasswordDialog({ title, onClose, ...form }: PasswordDialogProps) {
  return (
    <Dialog onClose={onClose} title={title} size={420}>
      <PasswordForm onClose={onClose} {...form} />
    </Dialog>
  );
}

function problemOf(tried: boolean, password: string, wrong: boolean): string | undefined {
  if (tried && password === '') return t('Password is required');
  return wrong ? t('Wrong transaction password') : undefined;
}

type PasswordFormProps = Omit<PasswordDialogProps, 'title'>;

function PasswordForm(props: PasswordFormProps) {
  const { facts, note, busy, wrong, unlocked = false, renewal, onClose, onConfirm } = props;
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  /** Since the last attempt, so that its refusal no longer stands under another password. */
  const [edited, setEdited] = useState(false);
  const submit = () => {
    if (renewal) return renewal.onRenew();
    setTried(true);
    setEdited(false);
    if (unlocked) onConfirm('');
    else if (password !== '') onConfirm(password);
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) submit();
      }}
    >
      <Facts look="rows" facts={facts} className={classes.box} outdated={renewal !== undefined} />
      {note && <div className={classes.note}>{note}</div>}
      {!unlocked && (
        <SecretInput
          label={t('Transaction password')}
          autoComplete="off"
          data-autofocus
          value={password}
          error={problemOf(tried, password, wrong && !edited)}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setEdited(true);
          }}
        />
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={busy} data-autofocus={unlocked || undefined}>
          {renewal ? renewal.label : t('Confirm')}
        </Button>
      </div>
    </form>
  );
}
