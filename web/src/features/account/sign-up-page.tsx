import { useEffect, useEffectEvent, useState } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { useVisitorDraft } from '../../lib/drafts.ts';
import { msg, t } from '../../lib/i18n.ts';
import { NO_PHONE, type Phone } from '../../lib/phone.ts';
import { takeKeptEmail } from '../../lib/provider.ts';
import { useSteps } from '../../lib/steps.ts';
import { useTitle } from '../../lib/use-title.ts';
import { noticeError } from '../../ui/notices.ts';
import classes from './entry-frame.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { CodeStep } from './sign-up-code-step.tsx';
import { EmailStep, sendSignUpCode, type Typed } from './sign-up-email-step.tsx';
import { type Passwords, PasswordsStep } from './sign-up-passwords-step.tsx';

interface Draft extends Typed {
  /** Where the code went; empty until one was sent. */
  readonly sentTo: string;
  readonly phone: Phone;
}

const BLANK: Draft = { email: '', agreed: false, sentTo: '', phone: NO_PHONE };

/** In memory alone. */
interface Secrets {
  readonly code?: string | undefined;
  /** What was wrong with the last code. */
  readonly error?: string | undefined;
  readonly passwords?: Passwords;
}

const TITLES = [msg('Create your account'), msg('Confirm your email'), msg('Protect your account')] as const;

function useSignUp() {
  const [draft, setDraft] = useVisitorDraft('sign-up', BLANK);
  const [secrets, setSecrets] = useState<Secrets>({});
  const steps = useSteps(draft.sentTo === '' ? 0 : secrets.code === undefined ? 1 : 2);
  const type = (change: Partial<Draft>) => setDraft((typed) => ({ ...typed, ...change }));
  return {
    draft,
    secrets,
    type,
    step: steps.step as 0 | 1 | 2,
    back: steps.back,
    sent(to: string): void {
      type({ sentTo: to });
      setSecrets({});
      steps.next(0);
    },
    proven(code: string): void {
      setSecrets((known) => ({ ...known, code, error: undefined }));
      steps.next(1);
    },
    /** Leads back to the step of the code. */
    disproven: (error: string, passwords: Passwords) => setSecrets({ error, passwords }),
  };
}

type SignUp = ReturnType<typeof useSignUp>;

/** A third-party sign-in that failed left the address: the code is sent at once. @returns it */
function useKeptEmail({ type, sent }: SignUp): string {
  const [kept, setKept] = useState('');
  const resume = useEffectEvent((email: string) => {
    setKept(email);
    type({ ...BLANK, email });
    void sendSignUpCode(email).then((result) => {
      if (result === 'sent') sent(email);
      else noticeError(t('Error!'), t('Email not found'));
    });
  });
  useEffect(() => {
    const email = takeKeptEmail();
    if (email) resume(email);
  }, []);
  return kept;
}

export function SignUpPage() {
  useTitle(t('Sign up'));
  const { referralCode = '' } = useParams();
  const { search } = useLocation();
  const signUp = useSignUp();
  const kept = useKeptEmail(signUp);
  const { draft, secrets, step, type } = signUp;
  const footer = (
    <>
      {t('Have an account?')}{' '}
      <Link to={`/signin${search}`} className={classes.link}>
        {t('Log in')}
      </Link>
    </>
  );
  return (
    <EntryFrame title={t(TITLES[step])} hint={hintOf(step, draft.sentTo, referralCode)} footer={footer}>
      <Steps current={step} />
      {step === 0 && <EmailStep key={kept} initial={draft} onType={type} onSent={signUp.sent} />}
      {step === 1 && (
        <CodeStep email={draft.sentTo} error={secrets.error} onCode={signUp.proven} onBack={signUp.back} />
      )}
      {step === 2 && (
        <PasswordsStep
          email={draft.sentTo}
          code={secrets.code ?? ''}
          referral={referralCode}
          draft={{ password: '', transactionPassword: '', ...secrets.passwords, phone: draft.phone }}
          onPhone={(phone) => type({ phone })}
          onWrongCode={signUp.disproven}
        />
      )}
    </EntryFrame>
  );
}

function hintOf(step: number, sentTo: string, referral: string): string {
  if (step === 0)
    return referral ? t('Invited with code {{code}}.', { code: referral }) : t('All you need is an email address.');
  if (step === 1) return t('We sent a six-digit code to {{email}}.', { email: sentTo });
  return t('One password to log in, another to confirm orders.');
}

function Steps({ current }: { readonly current: number }) {
  return (
    <div style={{ marginTop: 24 }}>
      <ol className={classes.steps} aria-label={t('Step {{step}} of 3', { step: current + 1 })}>
        {TITLES.map((title, step) => (
          <li key={title} className={step <= current ? `${classes.step} ${classes.done}` : classes.step} />
        ))}
      </ol>
    </div>
  );
}
