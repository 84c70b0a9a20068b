/** Changing one of the two passwords: the form, then the mailed code, then the change. */
import { passwordCode, updatePasswordWithCode, updateTransactionPassword } from '@cambist/contract/security.ts';
import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { ApiProblem, ensureSent, messageOf } from '../../../lib/api-problem.ts';
import { t } from '../../../lib/i18n.ts';
import { useSession } from '../../../lib/session-store.ts';
import { toFirstError } from '../../../ui/first-error.ts';
import { noticeError, noticeSuccess } from '../../../ui/notices.ts';
import { SecretInput } from '../../../ui/secret-input.tsx';
import { CodeDialog } from '../code-dialog.tsx';
import classes from '../parts.module.css';
import { isCancelled, useAct } from '../use-act.ts';
import { type PasswordKind, passwordTexts, type Values, validation } from './password-rules.ts';

interface PasswordFormProps {
  readonly kind: PasswordKind;
  readonly onChanged: () => void;
}

function change(kind: PasswordKind, { old, next }: Values, verification_code: string) {
  if (kind === 'password') {
    return call(updatePasswordWithCode, { query: { oldLoginPassword: old, password: next, verification_code } });
  }
  return call(updateTransactionPassword, {
    query: { oldTransactionPassword: old, transactionPassword: next, verification_code },
  });
}

interface Ends {
  readonly onChanged: () => void;
  readonly onWrongCode: (text: string) => void;
  readonly onRefused: (field: keyof Values, text: string) => void;
}

/** Sends the change with its code, and says what became of it where it belongs. */
function useChange(kind: PasswordKind, values: () => Values, { onChanged, onWrongCode, onRefused }: Ends) {
  const texts = passwordTexts[kind];
  return useAct(
    async (code: string) => {
      try {
        return await change(kind, values(), code);
      } catch (problem) {
        if (!(problem instanceof ApiProblem) || problem.fields.size === 0 || isCancelled(problem)) throw problem;
        return { message: 'refused' as const, text: messageOf(problem) };
      }
    },
    (answer) => {
      switch (answer.message) {
        case 'saved':
          noticeSuccess(t('Success'), t(texts.changed));
          return onChanged();
        case 'CODE_DOES_NOT_MATCH':
          return onWrongCode(t('Code do not Match'));
        case 'dont_match':
          return onRefused('old', t(texts.wrongOld));
        case 'same_previous_password':
          return onRefused('next', t('Recently used password. Please make another.'));
        case 'refused':
          return onRefused('next', answer.text);
        default:
          return onRefused('next', t('The transaction password may not equal the password'));
      }
    },
  );
}

export function PasswordForm({ kind, onChanged }: PasswordFormProps) {
  const email = useSession((session) => session.user?.email) ?? '';
  const texts = passwordTexts[kind];
  const [asksCode, setAsksCode] = useState(false);
  const [codeError, setCodeError] = useState<string>();
  const form = useForm<Values>({ initialValues: { old: '', next: '', again: '' }, validate: validation });
  const send = useMutation({
    mutationFn: () => ensureSent(() => call(passwordCode)),
    onError: (problem) => noticeError(t('Error!'), messageOf(problem)),
    onSuccess: () => {
      setCodeError(undefined);
      setAsksCode(true);
    },
  });
  const save = useChange(kind, form.getValues, {
    onChanged,
    onWrongCode: setCodeError,
    onRefused: (field, text) => {
      setAsksCode(false);
      form.setFieldError(field, text);
    },
  });
  return (
    <>
      <form className={classes.form} noValidate onSubmit={form.onSubmit(() => send.mutate(), toFirstError)}>
        <p className={classes.note}>{t(texts.note)}</p>
        <SecretInput label={t(texts.old)} autoComplete="current-password" {...form.getInputProps('old')} />
        <SecretInput label={t(texts.next)} autoComplete="new-password" {...form.getInputProps('next')} />
        <SecretInput
          label={t('Confirm the new password')}
          autoComplete="new-password"
          {...form.getInputProps('again')}
        />
        <Button type="submit" loading={send.isPending}>
          {t('Send code')}
        </Button>
      </form>
      {asksCode && (
        <CodeDialog
          title={t(texts.title)}
          sentTo={email}
          error={codeError}
          isPending={save.isPending}
          onCode={save.mutate}
          onClose={() => setAsksCode(false)}
        />
      )}
    </>
  );
}
