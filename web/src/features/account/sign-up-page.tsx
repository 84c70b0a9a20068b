import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { msg, t } from '../../lib/i18n.ts';
import { takeKeptEmail } from '../../lib/provider.ts';
import { useTitle } from '../../lib/use-title.ts';
import { noticeError } from '../../ui/notices.ts';
import classes from './entry-frame.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { CodeStep } from './sign-up-code-step.tsx';
import { EmailStep, sendSignUpCode } from './sign-up-email-step.tsx';
import { type Passwords, PasswordsStep } from './sign-up-passwords-step.tsx';

type Progress =
  | { readonly step: 0; readonly email: string }
  | { readonly step: 1; readonly email: string; readonly error?: string }
  | { readonly step: 2; readonly email: string; readonly code: string };

const TITLES = [msg('Create your account'), msg('Confirm your email'), msg('Protect your account')] as const;

export function SignUpPage() {
  useTitle(t('Sign up'));
  const { referralCode = '' } = useParams();
  const { search } = useLocation();
  const [progress, setProgress] = useState<Progress>({ step: 0, email: '' });
  const [draft, setDraft] = useState<Passwords>();
  const { email } = progress;
  const resume = useRef((kept: string) => {
    setProgress({ step: 0, email: kept });
    void sendSignUpCode(kept).then((sent) => {
      if (sent === 'sent') setProgress({ step: 1, email: kept });
      else noticeError(t('Error!'), t('Email not found'));
    });
  });
  useEffect(() => {
    // A third-party sign-in that failed left the address: the code is sent at once.
    const kept = takeKeptEmail();
    if (kept) resume.current(kept);
  }, []);
  const footer = (
    <>
      {t('Have an account?')}{' '}
      <Link to={`/signin${search}`} className={classes.link}>
        {t('Log in')}
      </Link>
    </>
  );
  return (
    <EntryFrame title={t(TITLES[progress.step])} hint={hintOf(progress, referralCode)} footer={footer}>
      <Steps current={progress.step} />
      {progress.step === 0 && (
        <EmailStep key={email} initial={email} onSent={(address) => setProgress({ step: 1, email: address })} />
      )}
      {progress.step === 1 && (
        <CodeStep
          email={email}
          error={progress.error}
          onCode={(code) => setProgress({ step: 2, email, code })}
          onBack={() => setProgress({ step: 0, email })}
        />
      )}
      {progress.step === 2 && (
        <PasswordsStep
          email={email}
          code={progress.code}
          referral={referralCode}
          draft={draft}
          onWrongCode={(error, typed) => {
            setDraft(typed);
            setProgress({ step: 1, email, error });
          }}
        />
      )}
    </EntryFrame>
  );
}

function hintOf(progress: Progress, referral: string): string {
  if (progress.step === 0)
    return referral ? t('Invited with code {{code}}.', { code: referral }) : t('All you need is an email address.');
  if (progress.step === 1) return t('We sent a six-digit code to {{email}}.', { email: progress.email });
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
