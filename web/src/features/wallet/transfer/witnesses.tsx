/** What confirms a transfer, and how far that is. */

import type { Transfer, WitnessName } from '@cambist/contract/transfers.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { IconCheck } from '../../../ui/icons.ts';
import { walletLabel } from '../wallets.ts';
import classes from './witnesses.module.css';

const WITNESSES: Readonly<Record<WitnessName, string>> = {
  JOURNAL: msg('Committed to the journal'),
  TABLES: msg('Written to the ledger'),
  BALANCES: msg('Both balances read back'),
  RECONCILER: msg('Accounts reconciled'),
  SNAPSHOT: msg('Confirmed by a second computation'),
};

export const amountOf = ({ amount, coin }: Transfer): string => `${formatExact(decimal(amount))} ${coin}`;

export const routeOf = ({ from, to }: Transfer): string =>
  t('{{from}} to {{to}}', { from: walletLabel(from), to: walletLabel(to) });

export const progressOf = ({ confirmations, confirmations_required: required }: Transfer): string =>
  t('{{count}} of {{required}} confirmations', { count: confirmations, required });

/** The body of the notice that stays while a transfer is underway. */
export function TransferProgress({ transfer }: { readonly transfer: Transfer }) {
  const { confirmations, confirmations_required: required, witnesses } = transfer;
  return (
    <div className={classes.progress}>
      <p className={classes.line}>
        {amountOf(transfer)} · {routeOf(transfer)}
      </p>
      <p className={classes.line}>
        {transfer.state === 'PENDING'
          ? t('Awaiting confirmation from {{required}} ledger witnesses.', { required })
          : t('Confirmed by all {{required}} ledger witnesses.', { required })}
      </p>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label={progressOf(transfer)}
        aria-valuemin={0}
        aria-valuemax={required}
        aria-valuenow={confirmations}
      >
        {witnesses.map(({ name, confirmed_at: at }) => (
          <i key={name} data-done={at !== null} />
        ))}
      </div>
      <ol className={classes.witnesses} aria-label={progressOf(transfer)}>
        {witnesses.map(({ name, confirmed_at: at }) => (
          <li key={name} data-done={at !== null}>
            <span className={classes.mark}>{at !== null && <IconCheck size={12} stroke={3} aria-hidden />}</span>
            {t(WITNESSES[name])}
            <span className="visually-hidden">{at === null ? t('Awaiting') : t('Confirmed')}</span>
          </li>
        ))}
      </ol>
      <p className={classes.count}>{progressOf(transfer)}</p>
    </div>
  );
}
