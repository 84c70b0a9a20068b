/** Sign-in in two steps: who, then the password; or by Google, a wallet extension or a passkey at once. */
import { login, usernameCheck } from '@cambist/contract/accounts.ts';
import { mobileCheck, mobileLogin } from '@cambist/contract/sign-in.ts';
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { messageOf } from '../../lib/api-problem.ts';
import { useVisitorDraft } from '../../lib/drafts.ts';
import { t } from '../../lib/i18n.ts';
import { digitsOf, NO_PHONE, type Phone, phoneError, phoneText, useCountries } from '../../lib/phone.ts';
import { useSteps } from '../../lib/steps.ts';
import { useTitle } from '../../lib/use-title.ts';
import { noticeError } from '../../ui/notices.ts';
import { PhoneField } from '../../ui/phone-field.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import classes from './entry-frame.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { ForgotPassword } from './forgot-password.tsx';
import { OtherWays } from './other-ways.tsx';
import { SecondFactorDialog } from './second-factor-dialog.tsx';
import { useEntry } from './use-entry.ts';
import { knownEmailError, signInPasswordError } from './validation.ts';

const PHONE_DELAY_MS = 1_500;

type By = 'email' | 'phone';

export interface Identifier {
  readonly by: By;
  /** An address, or a number as `+14155550100`. */
  readonly username: string;
}

interface Draft {
  readonly by: By;
  readonly email: string;
  readonly phone: Phone;
  /** Whom the server knows. */
  readonly found: Identifier | undefined;
}

const BLANK: Draft = { by: 'email', email: '', phone: NO_PHONE, found: undefined };

export function SignInPage() {
  useTitle(t('Log in'));
  const { search } = useLocation();
  const [draft, setDraft] = useVisitorDraft('sign-in', BLANK);
  const { step, next, back } = useSteps(draft.found ? 1 : 0);
  const identifier = step === 0 ? undefined : draft.found;
  const type = (change: Partial<Draft>) => setDraft((typed) => ({ ...typed, ...change }));
  const find = (found: Identifier) => {
    type({ found });
    next(0);
  };
  const footer = (
    <>
      {t('New to Cambist?')}{' '}
      <Link to={`/signup${search}`} className={classes.link}>
        {t('Create an account')}
      </Link>
    </>
  );
  return (
    <EntryFrame title={t('Log in')} hint={identifier?.username ?? t('Welcome back.')} footer={footer}>
      {identifier === undefined ? (
        <>
          <IdentifierStep draft={draft} onType={type} onFound={find} />
          <OtherWays />
        </>
      ) : (
        <PasswordStep identifier={identifier} onBack={back} />
      )}
    </EntryFrame>
  );
}

interface IdentifierStepProps {
  readonly draft: Draft;
  readonly onType: (change: Partial<Draft>) => void;
  readonly onFound: (identifier: Identifier) => void;
}

function IdentifierStep({ draft: { by, email, phone }, onType, onFound }: IdentifierStepProps) {
  /** True where the notice says what is wrong with the field. */
  const [error, setError] = useState<string | true | null>(null);
  const countries = useCountries();
  const check = useMutation({
    mutationFn: ({ username }: Identifier) =>
      call(by === 'email' ? usernameCheck : mobileCheck, { query: { username } }),
    onError: (problem) => noticeError(t('Error!'), messageOf(problem)),
    onSuccess: ({ message }, identifier) => {
      if (message === 'exist') return onFound(identifier);
      setError(true);
      noticeError(t('Error!'), t('Email not found'));
    },
  });
  const next = () => {
    const wrong = by === 'email' ? knownEmailError(email) : phoneError(phone);
    setError(wrong);
    if (wrong === null) check.mutate({ by, username: by === 'email' ? email.trim() : phoneText(phone, countries) });
  };
  const isEmpty = by === 'email' ? email.trim() === '' : digitsOf(phone.number) === '';
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        next();
      }}
    >
      <SegmentedControl
        aria-label={t('Log in with')}
        data={[
          { value: 'email', label: t('Email') },
          { value: 'phone', label: t('Phone') },
        ]}
        value={by}
        onChange={(value) => {
          onType({ by: value as By });
          setError(null);
        }}
      />
      {by === 'email' ? (
        <TextInput
          label={t('Email')}
          type="email"
          autoComplete="username"
          autoFocus
          size="md"
          value={email}
          error={error}
          onChange={(event) => onType({ email: event.currentTarget.value })}
        />
      ) : (
        <PhoneField countries={countries} value={phone} error={error} onChange={(value) => onType({ phone: value })} />
      )}
      <Button type="submit" size="md" disabled={isEmpty} loading={check.isPending}>
        {t('Next')}
      </Button>
    </form>
  );
}

interface PasswordStepProps {
  readonly identifier: Identifier;
  readonly onBack: () => void;
}

function PasswordStep({ identifier, onBack }: PasswordStepProps) {
  const { by, username } = identifier;
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const { enter, isPending, secondFactor } = useEntry({ delayMs: by === 'phone' ? PHONE_DELAY_MS : 0 });
  const submit = () => {
    const wrong = signInPasswordError(password);
    setError(wrong);
    if (wrong !== null) return;
    enter((code) => {
      const proof = { password, ...(code ? { second_factor: code } : {}) };
      return by === 'email'
        ? call(login, { body: { username, ...proof } })
        : call(mobileLogin, { body: { mobile: username, ...proof } });
    });
  };
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <input type="hidden" autoComplete="username" value={username} readOnly />
        <SecretInput
          label={t('Password')}
          autoComplete="current-password"
          size="md"
          autoFocus
          value={password}
          error={error}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" size="md" disabled={password === '' || isPending} loading={isPending}>
          {t('Log in')}
        </Button>
        <Button variant="subtle" color="gray" onClick={onBack}>
          {by === 'email' ? t('Use a different email') : t('Use a different number')}
        </Button>
      </form>
      <ForgotPassword email={by === 'email' ? username : ''} />
      <SecondFactorDialog {...secondFactor} />
    </>
  );
}
