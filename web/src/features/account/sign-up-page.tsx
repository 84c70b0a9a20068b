import { useState } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { useTitle } from '../../lib/use-title.ts';
import classes from './entry-frame.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { CodeStep } from './sign-up-code-step.tsx';
import { EmailStep } from './sign-up-email-step.tsx';
import { type Passwords, PasswordsStep } from './sign-up-passwords-step.tsx';

type Progress =
  | { readonly step: 0; readonly email: string }
  | { readonly step: 1; readonly email: string; readonly error?: string }
  | { readonly step: 2; readonly email: string; readonly code: string };

const TITLES = ['Create your account', 'Confirm your e-mail', 'Protect your account'] as const;

export function SignUpPage() {
  useTitle(t('Sign up'));
  const { referralCode = '' } = useParams();
  const { search } = useLocation();
  const [progress, setProgress] = useState<Progress>({ step: 0, email: '' });
  const [draft, setDraft] = useState<Passwords>();
  const { email } = progress;
  const footer = (
    <>
      {t('Have an account?')}{' '}
      <Link to={`/signin${search}`} className={classes.link}>
        {t('Sign in')}
      </Link>
    </>
  );
  return (
    <EntryFrame title={TITLES[progress.step]} hint={hintOf(progress, referralCode)} footer={footer}>
      <Steps current={progress.step} />
      {progress.step === 0 && (
        <EmailStep initial={email} onSent={(address) => setProgress({ step: 1, email: address })} />
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
  if (progress.step === 0) return referral ? `Invited with code ${referral}.` : 'An e-mail address is all it takes.';
  if (progress.step === 1) return `We sent a six-digit code to ${progress.email}.`;
  return 'One password to sign in, another to confirm orders.';
}

function Steps({ current }: { readonly current: number }) {
  return (
    <div style={{ marginTop: 24 }}>
      <ol className={classes.steps} aria-label={`Step ${current + 1} of 3`}>
        {TITLES.map((title, step) => (
          <li key={title} className={step <= current ? `${classes.step} ${classes.done}` : classes.step} />
        ))}
      </ol>
    </div>
  );
}
