/** The page behind the link of `npm run operator`: an operator sets both passwords, once. */
import { readOperatorLink, useOperatorLink as spendOperatorLink } from '@cambist/contract/operators.ts';
import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { ApiProblem, messageOf } from '../../lib/api-problem.ts';
import { formatDateTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { signInPath } from '../../lib/return-path.ts';
import { useTitle } from '../../lib/use-title.ts';
import { toFirstError } from '../../ui/first-error.ts';
import { noticeError } from '../../ui/notices.ts';
import { SecretInput } from '../../ui/secret-input.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './entry-frame.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { newPasswordError, transactionPasswordError } from './validation.ts';

const CENTRE = '/account/security';
const TOKEN = /^#([\w-]{43})$/;

const isInvalid = (error: unknown) => error instanceof ApiProblem && error.code === 'LINK_INVALID';

export function OperatorSetupPage() {
  useTitle(t('Operator account'));
  // Read once: the address bar loses it when it is used.
  const [token] = useState(() => TOKEN.exec(window.location.hash)?.[1]);
  const [state, setState] = useState<'open' | 'used' | 'invalid'>(token === undefined ? 'invalid' : 'open');
  const link = useQuery({
    queryKey: ['operator-link', token],
    queryFn: () => call(readOperatorLink, { body: { token: token ?? '' } }),
    enabled: state === 'open',
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (state === 'used') return <Done />;
  if (state === 'invalid' || isInvalid(link.error)) return <Invalid />;
  if (!link.isSuccess) {
    return (
      <Frame title={t('Operator account')}>
        {link.isPending ? (
          <SkeletonRows rows={3} columns={1} />
        ) : (
          <ErrorState error={link.error} onRetry={() => void link.refetch()} />
        )}
      </Frame>
    );
  }
  const { email, expires_at } = link.data;
  const hint = t('For {{email}}. This link works once and expires on {{time}}.', {
    email,
    time: formatDateTime(expires_at),
  });
  return (
    <Frame title={t('Set your passwords')} hint={hint}>
      <PasswordsForm
        email={email}
        token={token ?? ''}
        onDone={() => {
          window.history.replaceState(window.history.state, '', window.location.pathname);
          setState('used');
        }}
        onInvalid={() => setState('invalid')}
      />
    </Frame>
  );
}

function Frame(props: { readonly title: string; readonly hint?: string; readonly children?: ReactNode }) {
  const footer = (
    <Link to="/signin" className={classes.link}>
      {t('Log in')}
    </Link>
  );
  return (
    <EntryFrame title={props.title} hint={props.hint} footer={footer}>
      {props.children}
    </EntryFrame>
  );
}

function Invalid() {
  const hint = t('It has been used, has expired, or was replaced by a newer one. Ask for a new link.');
  return <Frame title={t('This link is not valid')} hint={hint} />;
}

function Done() {
  return (
    <EntryFrame
      title={t('Your passwords are set')}
      hint={t('Log in now and connect an authenticator app in the security center: operators need one.')}
      footer={null}
    >
      <Button component={Link} to={signInPath(CENTRE)} size="md" mt={28} fullWidth>
        {t('Log in')}
      </Button>
    </EntryFrame>
  );
}

interface PasswordsFormProps {
  readonly email: string;
  readonly token: string;
  readonly onDone: () => void;
  readonly onInvalid: () => void;
}

function PasswordsForm({ email, token, onDone, onInvalid }: PasswordsFormProps) {
  const form = useForm({
    initialValues: { password: '', transactionPassword: '' },
    validate: {
      password: newPasswordError,
      transactionPassword: (value, { password }) => transactionPasswordError(value, password),
    },
  });
  const save = useMutation({
    mutationFn: ({ password, transactionPassword }: typeof form.values) =>
      call(spendOperatorLink, { body: { token, password, transaction_password: transactionPassword } }),
    onSuccess: onDone,
    onError: (error) => {
      if (isInvalid(error)) onInvalid();
      else if (error instanceof ApiProblem && error.code === 'STOLEN_PASSWORD') {
        form.setFieldError('password', messageOf(error));
      } else noticeError(t('Error!'), messageOf(error));
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values), toFirstError)} noValidate>
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <SecretInput
        label={t('Password')}
        description={t('At least 9 characters')}
        autoComplete="new-password"
        size="md"
        {...form.getInputProps('password')}
      />
      <SecretInput
        label={t('Transaction password')}
        description={t('At least 6 characters, different from the password.')}
        autoComplete="off"
        size="md"
        {...form.getInputProps('transactionPassword')}
      />
      <Button type="submit" size="md" loading={save.isPending}>
        {t('Set passwords')}
      </Button>
    </form>
  );
}
