/** Forgotten password: a mailed code, then a new password. Each is a dialog over the sign-in. */
import { forgotSendCode, forgotVerify, resetPassword } from '@cambist/contract/sign-in.ts';
import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api-client.ts';
import { ApiProblem, ensureSent, messageOf } from '../../lib/api-problem.ts';
import { t } from '../../lib/i18n.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { noticeError, noticeSuccess } from '../../ui/notices.ts';
import { SecretInput } from '../../ui/secret-input.tsx';
import classes from './entry-frame.module.css';
import { FactorField, LostFactors } from './factor-field.tsx';
import { codeError, knownEmailError, signInPasswordError } from './validation.ts';

type Stage = 'email' | 'code' | 'password';

/** In memory alone. */
interface Given {
  /** Where the code went. */
  readonly email: string;
  readonly code: string;
  /** For which the right code was exchanged, which is used up by that. */
  readonly proof?: { readonly code: string; readonly token: string };
}

interface ForgotPasswordProps {
  /** Empty for those who sign in by phone: the code goes by mail, so they say where. */
  readonly email: string;
}

export function ForgotPassword({ email }: ForgotPasswordProps) {
  const [stage, setStage] = useState<Stage>();
  const [given, setGiven] = useState<Given>({ email, code: '' });
  const close = () => setStage(undefined);
  const send = useMutation({
    mutationFn: (address: string) => ensureSent(() => call(forgotSendCode, { query: { email: address } })),
    onError: (problem) => noticeError(t('Error!'), messageOf(problem)),
    onSuccess: (_answer, address) => {
      setGiven({ email: address, code: '' });
      setStage('code');
    },
  });
  const begin = () => {
    setGiven({ email, code: '' });
    if (email) send.mutate(email);
    else setStage('email');
  };
  return (
    <>
      <p className={classes.footer}>
        <UnstyledButton className={classes.link ?? ''} disabled={send.isPending} onClick={begin}>
          {t('Forgot password?')}
        </UnstyledButton>
      </p>
      {stage === 'email' && (
        <AddressDialog initial={given.email} busy={send.isPending} onSend={send.mutate} onClose={close} />
      )}
      {stage === 'code' && (
        <CodeDialog
          given={given}
          onType={(code) => setGiven((now) => ({ ...now, code }))}
          onVerified={(proof) => {
            setGiven((now) => ({ ...now, proof }));
            setStage('password');
          }}
          onBack={email ? close : () => setStage('email')}
          onClose={close}
        />
      )}
      {stage === 'password' && given.proof && (
        <PasswordDialog email={given.email} token={given.proof.token} onBack={() => setStage('code')} onClose={close} />
      )}
    </>
  );
}

interface AddressDialogProps {
  readonly initial: string;
  readonly busy: boolean;
  readonly onSend: (email: string) => void;
  readonly onClose: () => void;
}

function AddressDialog({ initial, busy, onSend, onClose }: AddressDialogProps) {
  const [email, setEmail] = useState(initial);
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
  readonly given: Given;
  readonly onType: (code: string) => void;
  readonly onVerified: (proof: NonNullable<Given['proof']>) => void;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

function CodeDialog({ given: { email, code, proof }, onType, onVerified, onBack, onClose }: CodeDialogProps) {
  const [error, setError] = useState<string | null>(null);
  const verify = useMutation({
    mutationFn: (entered: string) => call(forgotVerify, { query: { email, code: entered } }),
    onError: (problem) => setError(messageOf(problem)),
    onSuccess: ({ message, reset_token: token }, entered) => {
      if (message === 'success' && token) return onVerified({ code: entered, token });
      setError(t('Code do not Match'));
    },
  });
  const submit = () => {
    const wrong = codeError(code);
    setError(wrong);
    if (wrong !== null) return;
    if (proof?.code === code.trim()) onVerified(proof);
    else verify.mutate(code.trim());
  };
  return (
    <Dialog onClose={onClose} onBack={onBack} title={t('Verify Email')} size="sm">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
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
          onChange={(event) => onType(event.currentTarget.value)}
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
  readonly onBack: () => void;
  readonly onClose: () => void;
}

function PasswordDialog({ email, token, onBack, onClose }: PasswordDialogProps) {
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
    <Dialog onClose={onClose} onBack={onBack} title={t('New Password')} size="sm">
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
