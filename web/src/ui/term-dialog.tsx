/** Why a position with a term is not closed yet, and when it will be. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { closePosition } from '@cambist/contract/futures.ts';
import { Button } from '@mantine/core';
import { formatDateTime, formatDecimal } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import classes from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';
import { Facts } from './facts.tsx';
import { noticeError } from './notices.ts';

/** The documented answer. */
export type TermRunning = Extract<AnswerOf<typeof closePosition>, { message: 'closePositionError' }>;

/** Of USDT in sentences. */
const DIGITS = 2;

const titleText = () => t('This position has a fixed term');

function earlyText({ futureTarget, futureFundsToAdd }: TermRunning): string {
  const [target, floor] = [futureTarget, futureFundsToAdd].map((amount) => formatDecimal(amount, DIGITS));
  return t(
    'You can close it early once its income is at or above {{target}} USDT, or its total assets are at or below {{floor}} USDT.',
    { target: target ?? '', floor: floor ?? '' },
  );
}

/** For who has closed the dialog before the answer came: the position is open still. */
export function noticeTerm(term: TermRunning): void {
  noticeError(titleText(), earlyText(term));
}

interface TermDialogProps {
  readonly term: TermRunning;
  readonly onClose: () => void;
}

export function TermDialog({ term, onClose }: TermDialogProps) {
  return (
    <Dialog onClose={onClose} size={400} title={titleText()}>
      <div className={classes.form}>
        <p>
          <strong>{t('Remaining days: {{days}}', { days: term.daysLeft })}</strong>
        </p>
        <Facts
          look="rows"
          facts={[
            { name: t('Target income'), value: `${formatDecimal(term.futureTarget, DIGITS)} USDT` },
            { name: t('Floor of total assets'), value: `${formatDecimal(term.futureFundsToAdd, DIGITS)} USDT` },
            { name: t('End date'), value: formatDateTime(term.end_date) },
          ]}
        />
        <p>{earlyText(term)}</p>
        <p>{t('After the term ends you can close it at any time. Liquidation may occur then, as it may before.')}</p>
        <Button onClick={onClose}>{t('OK')}</Button>
      </div>
    </Dialog>
  );
}
