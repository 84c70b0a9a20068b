/** Asks for the transaction password, and a second factor of who has one, before a sensitive call is let through. */
import { passkeyConfirmOptions } from '@cambist/contract/passkeys.ts';
import { stepUp, stepUpCode } from '@cambist/contract/step-up.ts';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../lib/api-client.ts';
import { ensureSent, messageOf } from '../lib/api-problem.ts';
import { t } from '../lib/i18n.ts';
import { type StepUpNeed, useStepUp } from '../lib/step-up-store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SecretInput } from '../ui/secret-input.tsx';
import classes from './step-up-dialog.module.css';

type Body = Parameters<typeof call<typeof stepUp>>[1] & {};
type Purpose = NonNullable<Body['body']>['purpose'];

async function showPasskey() {
  const [{ startAuthentication }, begun] = await Promise.all([
    import('@simplewebauthn/browser'),
    call(passkeyConfirmOptions),
  ]);
  const response = await startAuthentication({ optionsJSON: begun.options as never });
  return { challenge_id: begun.challenge_id, response: response as never };
}

export function StepUpDialog({ need }: { readonly need: StepUpNeed }) {
  const answer = useStepUp((state) => state.answer);
  return (
    <Dialog onClose={() => answer(false)} title={t("Verify it's you")} size="sm" zIndex={300}>
      <StepUpForm need={need} onConfirmed={() => answer(true)} />
    </Dialog>
  );
}

type WrongField = 'transaction_password' | 'email_code' | 'second_factor';

function useConfirm({ purpose, act }: StepUpNeed, onConfirmed: () => void) {
  const [wrong, setWrong] = useState<Partial<Record<WrongField, string>>>({});
  const confirm = useMutation({
    mutationFn: async (given: { password: string; mailed: string; code: string; withPasskey: boolean }) => {
      const proof = given.withPasskey ? { passkey: await showPasskey() } : { second_factor: given.code };
      const mail = given.mailed === '' ? {} : { email_code: given.mailed };
      const shown = { transaction_password: given.password, ...mail, ...proof };
      return call(stepUp, { body: { purpose: purpose as Purpose, act, ...shown } });
    },
    onError: (problem, { withPasskey }) =>
      setWrong({
        [withPasskey ? 'second_factor' : 'transaction_password']:
          problem instanceof DOMException || problem.name === 'NotAllowedError'
            ? t('The passkey was not used.')
            : messageOf(problem),
      }),
    onSuccess: ({ message }) => {
      if (message === 'success') onConfirmed();
      else if (message === 'wrong_transaction_password') {
        setWrong({ transaction_password: t('Wrong transaction password') });
      } else if (message === 'wrong_email_code') {
        setWrong({ email_code: t('This code does not match') });
      } else {
        const wasUsed = message === 'used_second_factor';
        const text = wasUsed
          ? t('This code has just been used. Wait for the next one.')
          : t('This code does not match');
        setWrong({ second_factor: text });
      }
    },
  });
  return { wrong, setWrong, confirm };
}

interface MailedCodeProps {
  readonly value: string;
  readonly wrong: string | undefined;
  readonly onChange: (code: string) => void;
}

/** The code is mailed when the person asks for it: they may still have one. */
function MailedCode({ value, wrong, onChange }: MailedCodeProps) {
  const send = useMutation({ mutationFn: () => ensureSent(() => call(stepUpCode)) });
  return (
    <TextInput
      label={t('Email code')}
      {...(send.isSuccess ? { description: t('We sent you a code by email.') } : {})}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      value={value}
      error={send.isError ? messageOf(send.error) : wrong}
      rightSectionWidth={130}
      rightSection={
        <Button variant="subtle" size="compact-sm" loading={send.isPending} onClick={() => send.mutate()}>
          {t('Send code')}
        </Button>
      }
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface StepUpFormProps {
  readonly need: StepUpNeed;
  readonly onConfirmed: () => void;
}

function StepUpForm({ need, onConfirmed }: StepUpFormProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [mailed, setMailed] = useState('');
  const { wrong, setWrong, confirm } = useConfirm(need, onConfirmed);
  const asksFactor = need.needs.includes('second_factor');
  const asksMail = need.needs.includes('email_code');
  const takesCode = asksFactor && need.second_factors.includes('totp');
  const send = (withPasskey: boolean) => {
    if (password === '') return setWrong({ transaction_password: t('Field is required') });
    confirm.mutate({ password, mailed: mailed.trim(), code: code.trim(), withPasskey });
  };
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        send(asksFactor && !takesCode);
      }}
    >
      <SecretInput
        label={t('Transaction password')}
        autoComplete="off"
        data-autofocus
        value={password}
        error={wrong.transaction_password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {asksMail && <MailedCode value={mailed} wrong={wrong.email_code} onChange={setMailed} />}
      {takesCode && (
        <TextInput
          label={t('Authenticator code')}
          description={t('Or one of your recovery codes.')}
          autoCapitalize="none"
          spellCheck={false}
          autoComplete="one-time-code"
          maxLength={40}
          value={code}
          error={wrong.second_factor}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      )}
      {asksFactor && !takesCode && wrong.second_factor && (
        <p className={classes.wrong} role="alert">
          {wrong.second_factor}
        </p>
      )}
      <Button
        type="submit"
        fullWidth
        loading={confirm.isPending}
        disabled={(takesCode && code.trim() === '') || (asksMail && mailed.trim() === '')}
      >
        {asksFactor && !takesCode ? t('Confirm with a passkey') : t('Confirm')}
      </Button>
      {takesCode && need.second_factors.includes('passkey') && (
        <Button variant="default" fullWidth disabled={confirm.isPending} onClick={() => send(true)}>
          {t('Confirm with a passkey')}
        </Button>
      )}
    </form>
  );
}
