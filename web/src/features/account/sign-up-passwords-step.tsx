import { login, register } from '@cambist/contract/accounts.ts';
import { checkPassword } from '@cambist/contract/sign-in.ts';
import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../lib/api-client.ts';
import { ApiProblem, messageOf } from '../../lib/api-problem.ts';
import { t } from '../../lib/i18n.ts';
import { digitsOf, type Phone, phoneError, phoneText, useCountries } from '../../lib/phone.ts';
import { toFirstError } from '../../ui/first-error.ts';
import { noticeError } from '../../ui/notices.ts';
import { PhoneField } from '../../ui/phone-field.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { useEntry } from './use-entry.ts';
import { newPasswordError, transactionPasswordError } from './validation.ts';

interface PasswordsStepProps {
  readonly email: string;
  readonly code: string;
  readonly referral: string;
  /** What was typed before. */
  readonly draft: Passwords;
  readonly onPhone: (phone: Phone) => void;
  readonly onWrongCode: (message: string, typed: Passwords) => void;
}

export interface Passwords {
  readonly phone: Phone;
  readonly password: string;
  readonly transactionPassword: string;
}

/** May stay empty: no phone is needed to trade. */
const optionalPhoneError = (phone: Phone) => (digitsOf(phone.number) === '' ? null : phoneError(phone));

function useRegister({ email, code, referral, onWrongCode }: PasswordsStepProps) {
  const countries = useCountries();
  const { enter, isPending } = useEntry();
  /** An answer may have been lost, and with it that the account is there and its code used up. */
  const mayExist = useRef(false);
  const create = useMutation({
    mutationFn: async ({ phone, password, transactionPassword }: Passwords) => {
      const answer = await call(register, {
        body: {
          code,
          username: email,
          mobile_number: digitsOf(phone.number) === '' ? '' : phoneText(phone, countries),
          referral,
          password,
          password_confirmation: password,
          transaction_password: transactionPassword,
        },
      });
      const signIn = () => call(login, { body: { username: email, password } });
      if (answer.message === 'SUCCESS') return { ...answer, signIn };
      const session = mayExist.current ? await signIn().catch(() => undefined) : undefined;
      return { ...answer, signIn: session && (() => Promise.resolve(session)) };
    },
    onError: (error) => {
      if (error instanceof ApiProblem && error.undecided) mayExist.current = true;
      const refused = error instanceof ApiProblem && error.status < 500;
      noticeError(t('Signup Failed'), refused ? messageOf(error) : t('Please try again.'));
    },
    onSuccess: ({ message, signIn }, typed) => {
      // Whether the sign-in that follows gets an answer is not known either.
      if (message === 'SUCCESS') mayExist.current = true;
      if (signIn) return enter(signIn);
      const wrongCode = message === 'CODE_DOES_NOT_MATCH';
      const text = wrongCode ? t('Verification code does not match') : t('User already exist');
      // It is said at its field, which comes back.
      if (wrongCode) onWrongCode(text, typed);
      else noticeError(t('Error!'), text);
    },
  });
  return { create: create.mutate, pending: create.isPending || isPending };
}

/** Known from a leak: asked when the field is left, so that it is said before the end. */
function useStolen() {
  return useMutation({ mutationFn: (password: string) => call(checkPassword, { body: { password } }) });
}

export function PasswordsStep(props: PasswordsStepProps) {
  const { create, pending } = useRegister(props);
  const stolen = useStolen();
  const countries = useCountries();
  const form = useForm<Passwords>({
    initialValues: props.draft,
    onValuesChange: ({ phone }) => props.onPhone(phone),
    validate: {
      phone: optionalPhoneError,
      password: newPasswordError,
      transactionPassword: (value, { password }) => transactionPasswordError(value, password),
    },
  });
  const { password } = form.values;
  const passwordInput = form.getInputProps('password');
  return (
    <form onSubmit={form.onSubmit((values) => create(values), toFirstError)} noValidate>
      <input type="hidden" autoComplete="username" value={props.email} readOnly />
      {/* The field that had the focus has gone with its step. */}
      <PhoneField
        optional
        autoFocus
        countries={countries}
        value={form.values.phone}
        error={form.errors.phone as string | undefined}
        onChange={(phone) => form.setFieldValue('phone', phone)}
      />
      <SecretInput
        label={t('Password')}
        description={t('At least 9 characters')}
        autoComplete="new-password"
        size="md"
        {...passwordInput}
        error={
          passwordInput.error ??
          (stolen.data?.stolen && t('This password has appeared in a data breach. Choose another one.'))
        }
        onBlur={() => newPasswordError(password) === null && stolen.mutate(password)}
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
