/** One withdrawal as an operator judges it: what it is, why it was held up, who has approved, and what has happened. */
import { approveWithdrawal, refuseWithdrawal } from '@cambist/contract/admin-withdrawals.ts';
import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatDecimal, formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { CopyField } from '../../../ui/copy-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { type Fact, Facts } from '../../../ui/facts.tsx';
import classes from '../console.module.css';
import { isReason, REASON_LIMIT, useAct } from '../use-act.ts';
import { ACTORS, REASONS, STAGES } from './review-words.ts';
import own from './treasury.module.css';
import type { Reviewed } from './treasury-queries.ts';

interface ReviewDialogProps {
  readonly withdrawal: Reviewed;
  readonly onClose: () => void;
}

export function ReviewDialog({ withdrawal, onClose }: ReviewDialogProps) {
  const { stage, withdraw_address: address, transaction } = withdrawal;
  const canRefuse = stage === 'APPROVAL' || stage === 'APPROVED';
  return (
    <Dialog onClose={onClose} title={t('Withdrawal {{id}}', { id: withdrawal.id })} size="lg">
      <div className={own.form}>
        <Facts look="tiles" facts={factsOf(withdrawal)} className={own.facts} />
        <div className={own.copies}>
          <CopyField label={t('Address')} value={address} />
          {transaction && <CopyField label={t('Transaction')} value={transaction} />}
        </div>
        <Events withdrawal={withdrawal} />
        {canRefuse && <Decide withdrawal={withdrawal} onDone={onClose} />}
      </div>
    </Dialog>
  );
}

function factsOf(withdrawal: Reviewed): Fact[] {
  const { coin, client, reasons, approvals, network_cost: cost, is_internal: isInternal } = withdrawal;
  const inCoin = (amount: string) => `${formatExact(decimal(amount))} ${coin}`;
  return [
    { name: t('Client'), value: <Link to={`/admin/clients/${client.id}`}>{client.email || client.unique_id}</Link> },
    { name: t('Stage'), value: t(STAGES[withdrawal.stage], { context: 'withdrawal' }) },
    { name: t('Amount'), value: inCoin(withdrawal.withdraw_amount) },
    { name: t('Worth (USDT)'), value: formatDecimal(withdrawal.worth_usdt, 2) },
    { name: t('Fee'), value: inCoin(withdrawal.fee) },
    { name: t('Arrives'), value: inCoin(withdrawal.receive_amount) },
    { name: t('Network'), value: isInternal ? t('Internal') : withdrawal.network },
    {
      name: t('Confirmations'),
      value: isInternal ? '–' : `${withdrawal.confirmations}/${withdrawal.confirmations_required}`,
    },
    { name: t('Why it is reviewed'), value: reasons.map((reason) => t(REASONS[reason])).join(', ') || '–' },
    {
      name: t('Approved by'),
      value: approvals.map(({ by, at }) => `${by}, ${formatDateTime(at)}`).join(' · ') || '–',
    },
    {
      name: t('Cost of the network'),
      value: cost === null ? '–' : `${formatExact(decimal(cost.amount))} ${cost.coin}`,
    },
    ...(withdrawal.reason ? [{ name: t('Reason'), value: withdrawal.reason }] : []),
  ];
}

function Events({ withdrawal: { events } }: Pick<ReviewDialogProps, 'withdrawal'>) {
  return (
    <ol className={own.events} aria-label={t('Events')}>
      {events.map(({ at, actor, text, stage }) => (
        <li key={`${stage} ${at} ${text}`}>
          <strong>{t(STAGES[stage], { context: 'withdrawal' })}</strong>
          {/* What is said to the client of the client's own acts is no news here. */}
          {actor !== 'CLIENT' && <span>{text}</span>}
          <span className={own.small}>
            {t(ACTORS[actor])} · {formatDateTime(at)}
          </span>
        </li>
      ))}
    </ol>
  );
}

interface DecideProps {
  readonly withdrawal: Reviewed;
  readonly onDone: () => void;
}

/** One text for both: a refusal needs it, and the client sees it then. */
function Decide({ withdrawal: { id, stage, approvals, approvals_required: required }, onDone }: DecideProps) {
  const [note, setNote] = useState('');
  const params = { id };
  const approve = useAct(() => call(approveWithdrawal, { params, body: { note: note.trim() } }), onDone);
  const refuse = useAct(() => call(refuseWithdrawal, { params, body: { reason: note.trim() } }), onDone);
  const isBusy = approve.isPending || refuse.isPending;
  return (
    <>
      <Textarea
        label={t('Note, or the reason to refuse')}
        description={t('The client sees the reason of a refusal. Both are kept in the audit log.')}
        autosize
        minRows={2}
        maxLength={REASON_LIMIT}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className={classes.row}>
        {stage === 'APPROVAL' && (
          <Button disabled={isBusy} loading={approve.isPending} onClick={() => approve.mutate(undefined)}>
            {required > 1
              ? t('Approve ({{number}} of {{required}})', { number: approvals.length + 1, required })
              : t('Approve')}
          </Button>
        )}
        <Button
          color="red"
          variant="light"
          loading={refuse.isPending}
          disabled={isBusy || !isReason(note)}
          onClick={() => refuse.mutate(undefined)}
        >
          {t('Refuse')}
        </Button>
      </div>
    </>
  );
}
