/** One deposit in all its digits: how far it is, and where to find it on the chain. */
import type { Deposit } from '@cambist/contract/deposits.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { CopyField } from '../../../ui/copy-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import classes from '../movement-dialog.module.css';
import { Timeline } from '../timeline.tsx';
import { type StepName, stepsOf } from './deposit-states.ts';

const STEPS: Readonly<Record<StepName, string>> = {
  received: msg('From another client'),
  seen: msg('Seen on the network'),
  credited: msg('Credited to your spot wallet'),
  unlocked: msg('Available to withdraw'),
  below: msg('Below the minimum deposit: recorded but not credited'),
  reversed: msg('Reversed: its block is no longer part of the chain'),
};

interface DepositDialogProps {
  readonly deposit: Deposit;
  readonly onClose: () => void;
}

export function DepositDialog({ deposit, onClose }: DepositDialogProps) {
  return (
    <Dialog onClose={onClose} title={t('Deposit details')} size={460}>
      <p className={classes.amount}>
        {formatExact(decimal(deposit.recharge_amount))} <span>{deposit.coin}</span>
      </p>
      <Timeline steps={stepsOf(deposit).map((step) => ({ ...step, key: step.name, text: t(STEPS[step.name]) }))} />
      <Facts
        look="rows"
        className={classes.facts}
        facts={
          deposit.is_internal
            ? [{ name: t('Network'), value: t('Within Cambist, no blockchain') }]
            : [
                { name: t('Network'), value: deposit.network },
                { name: t('Confirmations'), value: deposit.confirmations },
              ]
        }
      />
      <div className={classes.copies}>
        {deposit.transaction !== null && <CopyField label={t('Transaction')} value={deposit.transaction} />}
        <CopyField label={t('Address')} value={deposit.wallet_address} />
      </div>
    </Dialog>
  );
}
