/** One deposit in all its digits: how far it is, and where to find it on the chain. */
import type { Deposit } from '@cambist/contract/deposits.ts';
import { Modal } from '@mantine/core';
import { decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { CopyField } from '../../../ui/copy-field.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { IconAlertTriangle, IconCheck } from '../../../ui/icons.ts';
import classes from './deposit-dialog.module.css';
import { type Step, type StepName, stepsOf } from './deposit-states.ts';

const STEPS: Readonly<Record<StepName, string>> = {
  seen: msg('Seen on the network'),
  credited: msg('Credited to your spot wallet'),
  unlocked: msg('Available to withdraw'),
  below: msg('Below the minimum deposit: recorded but not credited'),
  reversed: msg('Reversed: its block is no longer part of the chain'),
};

const PROGRESS: Readonly<Record<Step['progress'], string>> = {
  done: msg('Done'),
  current: msg('In progress'),
  ahead: msg('Awaiting'),
  failed: msg('Stopped'),
};

interface DepositDialogProps {
  readonly deposit: Deposit;
  readonly onClose: () => void;
}

export function DepositDialog({ deposit, onClose }: DepositDialogProps) {
  return (
    <Modal opened onClose={onClose} title={t('Deposit details')} size={460}>
      <p className={classes.amount}>
        {formatExact(decimal(deposit.recharge_amount))} <span>{deposit.coin}</span>
      </p>
      <ol className={classes.steps} aria-label={t('Progress')}>
        {stepsOf(deposit).map((step) => (
          <TimelineStep key={step.name} step={step} />
        ))}
      </ol>
      <Facts
        className={classes.facts}
        fact={classes.fact}
        facts={[
          { name: t('Network'), value: deposit.network },
          { name: t('Confirmations'), value: deposit.confirmations },
        ]}
      />
      <div className={classes.copies}>
        <CopyField label={t('Transaction')} value={deposit.transaction} />
        <CopyField label={t('Address')} value={deposit.wallet_address} />
      </div>
    </Modal>
  );
}

function TimelineStep({ step: { name, progress, time, awaited } }: { readonly step: Step }) {
  return (
    <li className={classes.step} data-progress={progress} aria-current={progress === 'current' ? 'step' : undefined}>
      <span className={classes.mark} aria-hidden>
        {progress === 'done' && <IconCheck size={12} stroke={3} />}
        {progress === 'failed' && <IconAlertTriangle size={12} />}
      </span>
      <span className={classes.words}>
        {t(STEPS[name])}
        <span className="visually-hidden">{t(PROGRESS[progress])}</span>
        {time !== undefined && <span className={classes.small}>{formatDateTime(time)}</span>}
        {awaited && <Awaited {...awaited} />}
      </span>
    </li>
  );
}

function Awaited({ count, required }: { readonly count: number; readonly required: number }) {
  const words = t('{{count}} of {{required}} confirmations', { count, required });
  return (
    <>
      <span className={classes.small}>{words}</span>
      <span
        className={classes.bar}
        role="progressbar"
        aria-label={words}
        aria-valuemin={0}
        aria-valuemax={required}
        aria-valuenow={count}
      >
        <i style={{ width: `${(100 * count) / required}%` }} />
      </span>
    </>
  );
}
