import { usernameCheck } from '@cambist/contract/accounts.ts';
import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { messageOf } from '../../lib/api-problem.ts';
import { t } from '../../lib/i18n.ts';
import { useTitle } from '../../lib/use-title.ts';
import { noticeError } from '../../ui/notices.ts';
import { SecretInput } from '../../ui/secret-input.tsx';
import classes from './entry-frame.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { useSignIn } from './use-sign-in.ts';
import { emailError, signInPasswordError } from './validation.ts';

export function SignInPage() {
  useTitle(t('Sign in'));
  const { search } = useLocation();
  const [username, setUsername] = useState<string>();
  const footer = (
    <>
      {t('New to Cambist?')}{' '}
      <Link to={`/signup${search}`} className={classes.link}>
        {t('Create an account')}
      </Link>
    </>
  );
  return (
    <EntryFrame title={t('Sign in')} hint={username ?? 'Welcome back.'} footer={footer}>
      {username === undefined ? (
        <EmailStep onFound={setUsername} />
      ) : (
        <PasswordStep username={username} onBack={() => setUsername(undefined)} />
      )}
    </EntryFrame>
  );
}

function EmailStep({ onFound }: { readonly onFound: (username: string) => void }) {
  const form = useForm({ initialValues: { email: '' }, validate: { email: emailError } });
  const check = useMutation({
    mutationFn: (email: string) => call(usernameCheck, { query: { username: email } }),
    onError: (error) => noticeError('Error!', messageOf(error)),
    onSuccess: ({ message }, email) => {
      if (message === 'exist') return onFound(email);
      form.setFieldError('email', 'Email not found');
      noticeError(t('Error!'), t('Email not found'));
    },
  });
  return (
    <form onSubmit={form.onSubmit(({ email }) => check.mutate(email.trim()))} noValidate>
      <TextInput
        label={t('E-mail')}
        type="email"
        autoComplete="username"
        autoFocus
        size="md"
        {...form.getInputProps('email')}
      />
      <Button type="submit" size="md" disabled={form.values.email.trim() === ''} loading={check.isPending}>
        {t('Next')}
      </Button>
    </form>
  );
}

interface PasswordStepProps {
  readonly username: string;
  readonly onBack: () => void;
}

function PasswordStep({ username, onBack }: PasswordStepProps) {
  const signIn = useSignIn();
  const form = useForm({ initialValues: { password: '' }, validate: { password: signInPasswordError } });
  return (
    <form onSubmit={form.onSubmit(({ password }) => signIn.mutate({ username, password }))} noValidate>
      <input type="hidden" autoComplete="username" value={username} readOnly />
      <SecretInput
        label={t('Password')}
        autoComplete="current-password"
        size="md"
        autoFocus
        {...form.getInputProps('password')}
      />
      <Button type="submit" size="md" disabled={form.values.password === ''} loading={signIn.isPending}>
        {t('Sign in')}
      </Button>
      <Button variant="subtle" color="gray" onClick={onBack}>
        {t('Use another e-mail')}
      </Button>
    </form>
  );
}
