/** One withdrawal in all its digits: everything that has happened to it, where it went, and a way to take it back. */
import { cancelWithdrawal, type Withdrawal } from '@cambist/contract/withdrawals.ts';
import { Alert, Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { messageOf, titleOf } from '../../../lib/api-problem.ts';
import { every } from '../../../lib/away.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { privateStream, useStale } from '../../../lib/streams.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { type Fact, Facts } from '../../../ui/facts.tsx';
import { noticeError } from '../../../ui/notices.ts';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from '../movement-dialog.module.css';
import { Timeline } from '../timeline.tsx';
import { readWithdrawalsAgain, withdrawalQuery } from './withdraw-queries.ts';
import { hasEnded, stepsOf } from './withdrawal-states.ts';

const STALE_POLL_MS = 5_000;

interface WithdrawalDialogProps {
  /** As the list has it, which follows the stream. */
  readonly withdrawal: Withdrawal;
  readonly onClose: () => void;
}

export function WithdrawalDialog({ withdrawal, onClose }: WithdrawalDialogProps) {
  const isStale = useStale(privateStream);
  const detail = useQuery({
    ...withdrawalQuery(withdrawal.id),
    refetchInterval: isStale && !hasEnded(withdrawal) ? every(STALE_POLL_MS) : false,
  });
  const events = detail.data?.events;
  return (
    <Dialog onClose={onClose} title={t('Withdrawal details')} size={480}>
      <p className={classes.amount}>
        {formatExact(decimal(withdrawal.withdraw_amount))} <span>{withdrawal.coin}</span>
      </p>
      <Reason withdrawal={withdrawal} />
      {events && <Timeline steps={stepsOf(withdrawal, events)} />}
      {detail.isPending && <SkeletonRows rows={4} columns={1} />}
      {detail.isError && !events && <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />}
      <Facts look="rows" className={classes.facts} facts={factsOf(withdrawal)} />
      <div className={classes.copies}>
        <CopyField label={t('Address')} value={withdrawal.withdraw_address} />
        {withdrawal.transaction && <CopyField label={t('Transaction')} value={withdrawal.transaction} />}
      </div>
      {withdrawal.can_cancel && <Cancelling withdrawal={withdrawal} />}
    </Dialog>
  );
}

/** Why it waits, was refused or has failed. */
function Reason({ withdrawal: { reason, state } }: Pick<WithdrawalDialogProps, 'withdrawal'>) {
  if (!reason) return null;
  const isOver = state === 'REFUSED' || state === 'FAILED' || state === 'FREEZE';
  return (
    <Alert mb="md" color={isOver ? 'red' : 'yellow'}>
      {reason}
    </Alert>
  );
}

function factsOf(withdrawal: Withdrawal): Fact[] {
  const { coin, network, fee, receive_amount: arrives, is_internal: isInternal } = withdrawal;
  const inCoin = (amount: string) => `${formatExact(decimal(amount))} ${coin}`;
  const isFree = decimal(fee).units === 0n;
  return [
    { name: t('Network'), value: isInternal ? t('Within Cambist, no blockchain') : network },
    { name: t('Fee'), value: isFree ? t('None') : inCoin(fee) },
    { name: t('Receive amount'), value: inCoin(arrives) },
    ...(isInternal ? [] : [{ name: t('Confirmations'), value: withdrawal.confirmations }]),
  ];
}

function Cancelling({ withdrawal: { id, coin, withdraw_amount: amount } }: Pick<WithdrawalDialogProps, 'withdrawal'>) {
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  // That it was done is the server's own notice to tell.
  const cancel = useMutation({
    mutationFn: () => call(cancelWithdrawal, { params: { id } }),
    onError: (error) => noticeError(titleOf(error, t('Not cancelled')), messageOf(error)),
    onSettled: () => {
      setAsking(false);
      readWithdrawalsAgain(queries);
    },
  });
  const whole = `${formatExact(decimal(amount))} ${coin}`;
  return (
    <>
      <Button mt="md" fullWidth variant="default" onClick={() => setAsking(true)}>
        {t('Cancel withdrawal')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('Cancel this withdrawal?')}
        facts={[{ name: t('Returns to your spot wallet'), value: whole }]}
        action={t('Cancel withdrawal')}
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
