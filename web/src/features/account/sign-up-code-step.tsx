import { sendCode, verifyRegisterCode } from '@cambist/contract/accounts.ts';
import { Anchor, Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../lib/api-client.ts';
import { messageOf } from '../../lib/api-problem.ts';
import { t } from '../../lib/i18n.ts';
import { useIsDevelopment } from '../../lib/queries/platform.ts';
import { toFirstError } from '../../ui/first-error.ts';
import { noticeError, noticeSuccess } from '../../ui/notices.ts';
import classes from './entry-frame.module.css';
import { codeDigits, codeError, isWholeCode } from './validation.ts';

interface CodeStepProps {
  readonly email: string;
  readonly error: string | undefined;
  readonly onCode: (code: string) => void;
  readonly onBack: () => void;
}

/** Asks whether the code is right, so that a wrong one is said here and not after two passwords. */
function useCodeCheck(email: string, onCode: (code: string) => void, onWrong: () => void) {
  return useMutation({
    mutationFn: (code: string) => call(verifyRegisterCode, { body: { email, code } }),
    onError: (problem) => noticeError(t('Error!'), messageOf(problem)),
    onSuccess: ({ message }, code) => (message === 'SUCCESS' ? onCode(code) : onWrong()),
  });
}

export function CodeStep({ email, error, onCode, onBack }: CodeStepProps) {
  const isDevelopment = useIsDevelopment();
  const form = useForm({
    initialValues: { code: '' },
    initialErrors: error ? { code: error } : {},
    validate: { code: codeError },
  });
  const check = useCodeCheck(email, onCode, () => form.setFieldError('code', t('Verification code does not match')));
  const type = (text: string) => {
    const code = codeDigits(text);
    form.setFieldValue('code', code);
    // The last digit sends it; a code that was pasted is sent as well.
    if (isWholeCode(code) && !check.isPending) check.mutate(code);
  };
  return (
    <form onSubmit={form.onSubmit(({ code }) => check.mutate(code), toFirstError)} noValidate>
      <TextInput
        label={t('Verification code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        size="md"
        autoFocus
        {...form.getInputProps('code')}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <Button type="submit" size="md" loading={check.isPending}>
        {t('Next')}
      </Button>
      <Group justify="space-between">
        <ResendButton email={email} />
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onBack}>
          {t('Change email')}
        </Button>
      </Group>
      {isDevelopment && (
        <Anchor href={`/dev/outbox?to=${encodeURIComponent(email)}`} target="_blank" className={classes.quiet}>
          {t('Development mailbox')}
        </Anchor>
      )}
    </form>
  );
}

const FIRST_PAUSE_S = 60;

function ResendButton({ email }: { readonly email: string }) {
  const [left, setLeft] = useState(FIRST_PAUSE_S);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  const resend = useMutation({
    mutationFn: () => call(sendCode, { query: { email } }),
    onError: (error) => noticeError(t('Error!'), messageOf(error)),
    onSuccess: (answer) => {
      setLeft(answer.resend_after_s);
      noticeSuccess(t('Success'), t("We've sent a new code"));
    },
  });
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      disabled={left > 0}
      loading={resend.isPending}
      onClick={() => resend.mutate()}
    >
      {left > 0 ? t('Send again in {{seconds}} s', { seconds: left }) : t('Send again')}
    </Button>
  );
}
