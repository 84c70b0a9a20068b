/** Why a position with a term is not closed yet, and when it will be. */
import { Button } from '@mantine/core';
import { formatDateTime, formatDecimal } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import ticketClasses from '../ticket/ticket.module.css';
import type { TermRunning } from './use-position-act.ts';

/** Of USDT in sentences. */
const DIGITS = 2;

interface TermDialogProps {
  readonly term: TermRunning;
  readonly onClose: () => void;
}

export function TermDialog({ term, onClose }: TermDialogProps) {
  const target = formatDecimal(term.futureTarget, DIGITS);
  const floor = formatDecimal(term.futureFundsToAdd, DIGITS);
  return (
    <Dialog onClose={onClose} size={400} title={t('This position has a fixed term')}>
      <div className={ticketClasses.confirm}>
        <p>
          <strong>{t('Remaining days: {{days}}', { days: term.daysLeft })}</strong>
        </p>
        <Facts
          look="rows"
          facts={[
            { name: t('Target income'), value: `${target} USDT` },
            { name: t('Floor of total assets'), value: `${floor} USDT` },
            { name: t('End date'), value: formatDateTime(term.end_date) },
          ]}
        />
        <p>
          {t(
            'You can close it early once its income is at or above {{target}} USDT, or its total assets are at or below {{floor}} USDT.',
            { target, floor },
          )}
        </p>
        <p>{t('After the term ends you can close it at any time. Liquidation may occur then, as it may before.')}</p>
        <Button onClick={onClose}>{t('OK')}</Button>
      </div>
    </Dialog>
  );
}
