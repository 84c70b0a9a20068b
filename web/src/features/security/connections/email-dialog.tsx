/** An account that came by wallet gets its e-mail address, and a password to sign in with. */
import { EMAIL } from '@cambist/contract/email.ts';
import { bindEmail, bindEmailCode } from '@cambist/contract/sign-in.ts';
import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { ensureSent, messageOf } from '../../../lib/api-problem.ts';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { toFirstError } from '../../../ui/first-error.ts';
import { noticeSuccess } from '../../../ui/notices.ts';
import { SecretInput } from '../../../ui/secret-input.tsx';
import { CodeDialog } from '../code-dialog.tsx';
import classes from '../parts.module.css';
import { MINIMUM_LENGTH } from '../passwords/password-rules.ts';
import { useAct } from '../use-act.ts';

export function EmailDialog({ onClose }: { readonly onClose: () => void }) {
  const [asksCode, setAsksCode] = useState(false);
  const [codeError, setCodeError] = useState<string>();
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (EMAIL.test(value.trim()) ? null : t('E-mail must be valid')),
      password: (value) => (value.length < MINIMUM_LENGTH ? t('Password must be at least 6 characters') : null),
    },
  });
  const send = useMutation({
    mutationFn: (email: string) => ensureSent(() => call(bindEmailCode, { body: { email } })),
    onError: (problem) => form.setFieldError('email', messageOf(problem)),
    onSuccess: () => setAsksCode(true),
  });
  const bind = useAct(
    (code: string) => call(bindEmail, { body: { ...form.getValues(), code } }),
    ({ message }) => {
      if (message === 'CODE_DOES_NOT_MATCH') return setCodeError(t('Code do not Match'));
      if (message === 'USER_ALREADY_EXIST') {
        setAsksCode(false);
        return form.setFieldError('email', t('Email already exist'));
      }
      noticeSuccess(t('Success'), t('You can now log in with your email address.'));
      onClose();
    },
  );
  if (asksCode) {
    return (
      <CodeDialog
        title={t('Add an email address')}
        sentTo={form.getValues().email}
        error={codeError}
        isPending={bind.isPending}
        onCode={bind.mutate}
        onBack={() => setAsksCode(false)}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog onClose={onClose} title={t('Add an email address')} size="sm">
      <form
        className={classes.form}
        noValidate
        onSubmit={form.onSubmit(({ email }) => send.mutate(email.trim()), toFirstError)}
      >
        <TextInput label={t('Email')} type="email" data-autofocus {...form.getInputProps('email')} />
        <SecretInput label={t('New password')} autoComplete="new-password" {...form.getInputProps('password')} />
        <Button type="submit" loading={send.isPending}>
          {t('Send code')}
        </Button>
      </form>
    </Dialog>
  );
}
