import { sendCode, usernameCheck } from '@cambist/contract/accounts.ts';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import { messageOf } from '../../lib/api-problem.ts';
import { t } from '../../lib/i18n.ts';
import { noticeError } from '../../ui/notices.ts';
import { emailError } from './validation.ts';

interface EmailStepProps {
  readonly initial: string;
  readonly onSent: (email: string) => void;
}

type Sent = 'sent' | 'exist' | 'failed';

/** Only an address without an account gets a code. */
async function checkAndSend(email: string): Promise<Sent> {
  const { message } = await call(usernameCheck, { query: { username: email } });
  if (message === 'exist') return 'exist';
  return call(sendCode, { query: { email } }).then(
    () => 'sent',
    () => 'failed',
  );
}

export function EmailStep({ initial, onSent }: EmailStepProps) {
  const form = useForm({
    initialValues: { email: initial, agreed: false },
    validate: {
      email: emailError,
      agreed: (agreed) => (agreed ? null : 'Please agree before you go on'),
    },
  });
  const send = useMutation({
    mutationFn: checkAndSend,
    onError: (error) => noticeError('Error!', messageOf(error)),
    onSuccess: (result, email) => {
      if (result === 'sent') return onSent(email);
      const text = result === 'exist' ? 'Email already exist' : 'Email not found';
      form.setFieldError('email', text);
      noticeError('Error!', text);
    },
  });
  return (
    <form onSubmit={form.onSubmit(({ email }) => send.mutate(email.trim()))} noValidate>
      <TextInput label={t('E-mail')} type="email" autoComplete="email" size="md" {...form.getInputProps('email')} />
      <Checkbox
        label={t('I am of legal age where I live, and I understand that trading can lose money.')}
        {...form.getInputProps('agreed', { type: 'checkbox' })}
      />
      <Button type="submit" size="md" disabled={form.values.email.trim() === ''} loading={send.isPending}>
        {t('Next')}
      </Button>
    </form>
  );
}
