/** Says what goes where before it does, and asks for the code and the transaction password. */
import { type WithdrawNetwork, withdrawalCode } from '@cambist/contract/withdrawals.ts';
import { Alert, Anchor, Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { messageOf, titleOf } from '../../../lib/api-problem.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { useIsDevelopment } from '../../../lib/queries/platform.ts';
import { useSession } from '../../../lib/session-store.ts';
import confirming from '../../../ui/confirm-dialog.module.css';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { noticeError } from '../../../ui/notices.ts';
import { SecretInput } from '../../../ui/secret-input.tsx';
import { AddressGroups } from '../address-groups.tsx';
import { type Review, useStartWithdrawal } from './use-withdraw.tsx';
import classes from './withdraw.module.css';

interface ConfirmWithdrawalProps {
  readonly review: Review;
  readonly network: WithdrawNetwork;
  readonly onClose: () => void;
  readonly onFraud: () => void;
  readonly onSent: () => void;
}

export function ConfirmWithdrawal(props: ConfirmWithdrawalProps) {
  return (
    <Dialog onClose={props.onClose} title={t('Confirm withdrawal')} size={460}>
      <ConfirmForm {...props} />
    </Dialog>
  );
}

function ConfirmForm({ review, network, onClose, onFraud, onSent }: ConfirmWithdrawalProps) {
  const [given, setGiven] = useState({ verification: '', password: '' });
  const [tried, setTried] = useState(false);
  const start = useStartWithdrawal({ onSent, onFraud, onOutdated: onClose, onWrong: () => undefined });
  const missing = (value: string) => (tried && value.trim() === '' ? t('Field is required') : undefined);
  const isWhole = given.password !== '' && (!review.code || given.verification.trim() !== '');
  return (
    <form
      className={confirming.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (isWhole && !start.isPending) start.mutate({ ...review, ...given, verification: given.verification.trim() });
      }}
    >
      <What review={review} network={network} />
      {review.code && (
        <CodeField
          sent={review.code}
          value={given.verification}
          error={missing(given.verification)}
          onChange={(verification) => setGiven((now) => ({ ...now, verification }))}
        />
      )}
      <SecretInput
        label={t('Transaction password')}
        autoComplete="off"
        {...(review.code ? {} : { 'data-autofocus': true })}
        value={given.password}
        error={missing(given.password)}
        onChange={({ currentTarget }) => setGiven((now) => ({ ...now, password: currentTarget.value }))}
      />
      <div className={confirming.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={start.isPending}>
          {t('Confirm')}
        </Button>
      </div>
    </form>
  );
}

function What({ review: { wish, check }, network }: Pick<ConfirmWithdrawalProps, 'review' | 'network'>) {
  const inCoin = (amount: string) => `${formatExact(decimal(amount))} ${wish.coin}`;
  const facts = [
    { name: t('Amount'), value: inCoin(wish.withdraw_amount), strong: true },
    { name: t('Network fee'), value: decimal(check.fee).units === 0n ? t('None') : inCoin(check.fee) },
    { name: t('Receive amount'), value: inCoin(check.receive_amount), strong: true },
    { name: t('Network'), value: check.is_internal ? t('Within Cambist, no blockchain') : network.name },
  ];
  return (
    <>
      <Facts look="rows" facts={facts} className={confirming.box} />
      <div className={classes.to}>
        <span className={classes.label}>{t('To', { context: 'withdrawal' })}</span>
        <AddressGroups address={wish.withdraw_address} ends />
        <span className={classes.small}>
          {t('Compare every group with the address you were given. A withdrawal on a blockchain cannot be undone.')}
        </span>
      </div>
      {check.is_new_address && !check.is_internal && (
        <Alert color="yellow">{t('You have not withdrawn to this address before.')}</Alert>
      )}
      {check.needs_review && (
        <p className={classes.note}>{t('Our team will review this withdrawal before it is sent.')}</p>
      )}
    </>
  );
}

const SECOND_MS = 1_000;

interface CodeFieldProps {
  readonly sent: NonNullable<Review['code']>;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (code: string) => void;
}

function CodeField({ sent, value, error, onChange }: CodeFieldProps) {
  const byMail = sent.by === 'mail';
  const email = useSession((session) => session.user?.email) ?? '';
  const isDevelopment = useIsDevelopment();
  return (
    <div>
      <TextInput
        label={byMail ? t('Verification code') : t('Authenticator code')}
        description={
          byMail
            ? t('We sent a six-digit code to {{to}}. It expires in ten minutes.', { to: email })
            : t('Six digits from your authenticator app.')
        }
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={40}
        data-autofocus
        value={value}
        error={error}
        rightSectionWidth="auto"
        rightSection={byMail && <Resend after={sent.resend_after_s} />}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {byMail && isDevelopment && (
        <Anchor href={`/dev/outbox?to=${encodeURIComponent(email)}`} target="_blank" size="sm">
          {t('Development mailbox')}
        </Anchor>
      )}
    </div>
  );
}

function Resend({ after }: { readonly after: number }) {
  const [left, setLeft] = useState(after);
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), SECOND_MS);
    return () => clearInterval(timer);
  }, [isOver]);
  const resend = useMutation({
    mutationFn: () => call(withdrawalCode),
    onSuccess: ({ resend_after_s }) => setLeft(resend_after_s),
    onError: (error) => noticeError(titleOf(error, t('Code not sent')), messageOf(error)),
  });
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      mr={4}
      disabled={!isOver}
      loading={resend.isPending}
      onClick={() => resend.mutate()}
    >
      {isOver ? t('Send again') : t('Send again in {{seconds}} s', { seconds: left })}
    </Button>
  );
}
