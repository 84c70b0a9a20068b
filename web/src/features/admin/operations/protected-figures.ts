/** Figures that protect clients and the exchange, in the words of the forms that change them. */
import type { ProtectedFigure } from '@cambist/contract/pending-changes.ts';
import { decimal, parseDecimal } from '../../../lib/decimal.ts';
import { formatExact, withPercent } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';

export function figureName(figure: ProtectedFigure): string {
  const names: Readonly<Record<ProtectedFigure, () => string>> = {
    approval_usdt: () => t('One approval from'),
    four_eyes_usdt: () => t('Two approvals from'),
    hourly_count: () => t('Withdrawals an hour'),
    median_factor: () => t('Times the usual amount'),
    credited_at: () => t('Confirmations to credit'),
    unlocked_at: () => t('Confirmations to unlock'),
    withdraw_confirmations: () => t('Confirmations to settle'),
    low: () => t('Refill below'),
    target: () => t('Target'),
    high: () => t('Send to cold above'),
    refused: () => t('Refused'),
    price_band_percent: () => t('Price band'),
    maximum_quantity: () => t('Largest quantity'),
    tiers: () => t('Tiers by the value of a position'),
    mark_clamp_percent: () => t('Mark within'),
    cap_percent: () => `${t('Funding', { context: 'rate' })}: ${t('Cap')}`,
  };
  return names[figure]();
}

/** What a figure counts in. */
function unitOf(figure: ProtectedFigure, coin: string): string {
  if (figure.endsWith('_usdt')) return ' USDT';
  if (figure === 'maximum_quantity') return ` ${coin.split('-')[0]}`;
  return figure === 'low' || figure === 'target' || figure === 'high' ? ` ${coin}` : '';
}

/** @param coin of the subject: a coin, or a pair that begins with one */
export function figureText(figure: ProtectedFigure, value: string | null | undefined, coin: string): string {
  if (figure === 'refused') return value == null ? t('No') : t('Yes');
  if (value == null) return '–';
  // A tier is a sentence of its own.
  if (parseDecimal(value) === undefined) return value;
  const number = formatExact(decimal(value));
  return figure.endsWith('_percent') ? withPercent(number) : `${number}${unitOf(figure, coin)}`;
}
