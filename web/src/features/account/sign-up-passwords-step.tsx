import { register } from '@cambist/contract/accounts.ts';
import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import { ApiProblem, messageOf } from '../../lib/api-problem.ts';
import { t } from '../../lib/i18n.ts';
import { noticeError } from '../../ui/notices.ts';
import { SecretInput } from '../../ui/secret-input.tsx';
import { useSignIn } from './use-sign-in.ts';
import { newPasswordError, phoneError, transactionPasswordError } from './validation.ts';

interface PasswordsStepProps {
  readonly email: string;
  readonly code: string;
  readonly referral: string;
  /** What was typed before a wrong code led back a step. */
  readonly draft: Passwords | undefined;
  readonly onWrongCode: (message: string, typed: Passwords) => void;
}

export interface Passwords {
  readonly phone: string;
  readonly password: string;
  readonly transactionPassword: string;
}

function useRegister({ email, code, referral, onWrongCode }: PasswordsStepProps) {
  const signIn = useSignIn();
  const create = useMutation({
    mutationFn: ({ phone, password, transactionPassword }: Passwords) =>
      call(register, {
        body: {
          code,
          username: email,
          mobile_number: phone.replace(/\s/g, ''),
          referral,
          password,
          password_confirmation: password,
          transaction_password: transactionPassword,
        },
      }),
    onError: (error) => {
      const refused = error instanceof ApiProblem && error.status < 500;
      noticeError('Signup Failed', refused ? messageOf(error) : 'Please try again.');
    },
    onSuccess: ({ message }, typed) => {
      if (message === 'SUCCESS') return signIn.mutate({ username: email, password: typed.password });
      const text = message === 'CODE_DOES_NOT_MATCH' ? 'Verification code does not match' : 'User already exist';
      noticeError('Error!', text);
      if (message === 'CODE_DOES_NOT_MATCH') onWrongCode(text, typed);
    },
  });
  return { create: create.mutate, pending: create.isPending || signIn.isPending };
}

export function PasswordsStep(props: PasswordsStepProps) {
  const { create, pending } = useRegister(props);
  const form = useForm<Passwords>({
    initialValues: props.draft ?? { phone: '', password: '', transactionPassword: '' },
    validate: {
      phone: phoneError,
      password: newPasswordError,
      transactionPassword: (value, { password }) => transactionPasswordError(value, password),
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => create(values))} noValidate>
      <input type="hidden" autoComplete="username" value={props.email} readOnly />
      <TextInput
        label={t('Phone number')}
        description={t('Optional')}
        type="tel"
        autoComplete="tel"
        maxLength={14}
        placeholder="415 555 0100"
        size="md"
        {...form.getInputProps('phone')}
      />
      <SecretInput
        label={t('Password')}
        description={t('At least 9 characters')}
        autoComplete="new-password"
        size="md"
        {...form.getInputProps('password')}
      />
      <SecretInput
        label={t('Transaction password')}
        description={t('At least 6 characters, different from the password. Confirms orders and withdrawals.')}
        autoComplete="off"
        size="md"
        {...form.getInputProps('transactionPassword')}
      />
      <Button type="submit" size="md" loading={pending}>
        {t('Create account')}
      </Button>
    </form>
  );
}
