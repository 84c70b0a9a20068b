/** Forgotten password: a mailed code, then a new password. Each is a dialog over the sign-in. */
import { forgotSendCode, forgotVerify, resetPassword } from '@cambist/contract/sign-in.ts';
import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api-client.ts';
import { ApiProblem, messageOf } from '../../lib/api-problem.ts';
import { t } from '../../lib/i18n.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { noticeError, noticeSuccess } from '../../ui/notices.ts';
import { SecretInput } from '../../ui/secret-input.tsx';
import classes from './entry-frame.module.css';
import { FactorField, LostFactors } from './factor-field.tsx';
import { codeError, knownEmailError, signInPasswordError } from './validation.ts';

type Stage =
  | { readonly name: 'email'; readonly email: string }
  | { readonly name: 'code'; readonly email: string }
  | { readonly name: 'password'; readonly email: string; readonly token: string };

interface ForgotPasswordProps {
  /** Empty for those who sign in by phone: the code goes by mail, so they say where. */
  readonly email: string;
}

export function ForgotPassword({ email }: ForgotPasswordProps) {
  const [stage, setStage] = useState<Stage>();
  const close = () => setStage(undefined);
  const send = useMutation({
    mutationFn: (address: string) => call(forgotSendCode, { query: { email: address } }),
    onError: (problem) => noticeError(t('Error!'), messageOf(problem)),
    onSuccess: (_answer, address) => setStage({ name: 'code', email: address }),
  });
  return (
    <>
      <p className={classes.footer}>
        <UnstyledButton
          className={classes.link ?? ''}
          disabled={send.isPending}
          onClick={() => (email ? send.mutate(email) : setStage({ name: 'email', email: '' }))}
        >
          {t('Forgot password?')}
        </UnstyledButton>
      </p>
      {stage?.name === 'email' && <AddressDialog busy={send.isPending} onSend={send.mutate} onClose={close} />}
      {stage?.name === 'code' && (
        <CodeDialog
          email={stage.email}
          onVerified={(token) => setStage({ name: 'password', email: stage.email, token })}
          onClose={close}
        />
      )}
      {stage?.name === 'password' && <PasswordDialog email={stage.email} token={stage.token} onClose={close} />}
    </>
  );
}

interface AddressDialogProps {
  readonly busy: boolean;
  readonly onSend: (email: string) => void;
  readonly onClose: () => void;
}

function AddressDialog({ busy, onSend, onClose }: AddressDialogProps) {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string | null>(null);
  return (
    <Dialog onClose={onClose} title={t('Forgot password?')} size="sm">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const wrong = knownEmailError(email);
          setError(wrong);
          if (wrong === null) onSend(email.trim());
        }}
      >
        <TextInput
          label={t('Email of your account')}
          type="email"
          data-autofocus
          value={email}
          error={error}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth mt="md" loading={busy}>
          {t('Send code')}
        </Button>
      </form>
    </Dialog>
  );
}

interface CodeDialogProps {
  readonly email: string;
  readonly onVerified: (token: string) => void;
  readonly onClose: () => void;
}

function CodeDialog({ email, onVerified, onClose }: CodeDialogProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const verify = useMutation({
    mutationFn: () => call(forgotVerify, { query: { email, code: code.trim() } }),
    onError: (problem) => setError(messageOf(problem)),
    onSuccess: ({ message, reset_token: token }) => {
      if (message === 'success' && token) return onVerified(token);
      setError(t('Code do not Match'));
    },
  });
  return (
    <Dialog onClose={onClose} title={t('Verify Email')} size="sm">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const wrong = codeError(code);
          setError(wrong);
          if (wrong === null) verify.mutate();
        }}
      >
        <TextInput
          label={t('Verification code')}
          description={t("If {{email}} has an account, we've sent a code to it.", { email })}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          data-autofocus
          value={code}
          error={error}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth mt="md" loading={verify.isPending}>
          {t('Next')}
        </Button>
      </form>
    </Dialog>
  );
}

interface PasswordDialogProps {
  readonly email: string;
  readonly token: string;
  readonly onClose: () => void;
}

function PasswordDialog({ email, token, onClose }: PasswordDialogProps) {
  const [password, setPassword] = useState('');
  const [factor, setFactor] = useState<string>();
  const [error, setError] = useState<string | null>(null);
  const [wrongFactor, setWrongFactor] = useState<string | null>(null);
  const reset = useMutation({
    mutationFn: () =>
      call(resetPassword, {
        query: {
          email,
          password,
          reset_token: token,
          ...(factor ? { second_factor: factor } : {}),
        },
      }),
    onError: (problem) => {
      const code = problem instanceof ApiProblem ? problem.code : '';
      if (code === 'SECOND_FACTOR_REQUIRED') return setFactor('');
      if (code === 'SECOND_FACTOR_WRONG') return setWrongFactor(messageOf(problem));
      setError(messageOf(problem));
    },
    onSuccess: ({ message }) => {
      if (message !== 'success') return setError(t('The transaction password may not equal the password'));
      noticeSuccess(t('Success'), t('Password successfully changed'));
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={t('New Password')} size="sm">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const wrong = signInPasswordError(password);
          setError(wrong);
          setWrongFactor(null);
          if (wrong === null) reset.mutate();
        }}
      >
        <SecretInput
          label={t('New password')}
          description={t('At least 6 characters. Withdrawals are paused for 24 hours after the change.')}
          autoComplete="new-password"
          data-autofocus
          value={password}
          error={error}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {factor !== undefined && (
          <FactorField mt="sm" autoFocus value={factor} error={wrongFactor} onChange={setFactor} />
        )}
        <Button type="submit" fullWidth mt="md" loading={reset.isPending}>
          {t('Change password')}
        </Button>
        {factor !== undefined && <LostFactors onLeave={onClose} />}
      </form>
    </Dialog>
  );
}
