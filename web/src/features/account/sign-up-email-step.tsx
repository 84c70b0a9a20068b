import { sendCode, usernameCheck } from '@cambist/contract/accounts.ts';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { ApiProblem, messageOf } from '../../lib/api-problem.ts';
import { t } from '../../lib/i18n.ts';
import { toFirstError } from '../../ui/first-error.ts';
import { noticeError } from '../../ui/notices.ts';
import classes from './entry-frame.module.css';
import { emailError } from './validation.ts';

export interface Typed {
  readonly email: string;
  readonly agreed: boolean;
}

interface EmailStepProps {
  readonly initial: Typed;
  readonly onType: (typed: Typed) => void;
  readonly onSent: (email: string) => void;
}

type Sent = 'sent' | 'exist' | 'failed';

/** A code that was sent within the last minute is still good: who asks again has one. */
export async function sendSignUpCode(email: string): Promise<Exclude<Sent, 'exist'>> {
  return call(sendCode, { query: { email } }).then(
    () => 'sent',
    (problem: unknown) => (problem instanceof ApiProblem && problem.code === 'CODE_SENT_RECENTLY' ? 'sent' : 'failed'),
  );
}

/** Only an address without an account gets a code. */
async function checkAndSend(email: string): Promise<Sent> {
  const { message } = await call(usernameCheck, { query: { username: email } });
  if (message === 'exist') return 'exist';
  return sendSignUpCode(email);
}

export function EmailStep({ initial, onType, onSent }: EmailStepProps) {
  const form = useForm<Typed>({
    initialValues: { email: initial.email, agreed: initial.agreed },
    onValuesChange: onType,
    validate: {
      email: emailError,
      agreed: (agreed) => (agreed ? null : t('Please agree to continue')),
    },
  });
  const send = useMutation({
    mutationFn: checkAndSend,
    onError: (error) => noticeError(t('Error!'), messageOf(error)),
    onSuccess: (result, email) => {
      if (result === 'sent') return onSent(email);
      const text = result === 'exist' ? t('Email already exist') : t('Email not found');
      // Only an address that is taken is told beside its field as well; the notice says the other, once.
      form.setFieldError('email', result === 'exist' ? text : true);
      noticeError(t('Error!'), text);
    },
  });
  return (
    <form onSubmit={form.onSubmit(({ email }) => send.mutate(email.trim()), toFirstError)} noValidate>
      <TextInput
        label={t('Email')}
        type="email"
        autoComplete="email"
        size="md"
        autoFocus
        {...form.getInputProps('email')}
      />
      <Checkbox
        label={t(
          'I am of legal age where I live, I understand that trading can lose money, and I agree to the terms of use and the privacy policy.',
        )}
        {...form.getInputProps('agreed', { type: 'checkbox' })}
      />
      <p className={classes.legal}>
        <Link to="/legal-center/terms" target="_blank" className={classes.link}>
          {t('Terms of use')}
        </Link>
        <Link to="/legal-center/privacy" target="_blank" className={classes.link}>
          {t('Privacy policy')}
        </Link>
      </p>
      <Button type="submit" size="md" disabled={form.values.email.trim() === ''} loading={send.isPending}>
        {t('Next')}
      </Button>
    </form>
  );
}
