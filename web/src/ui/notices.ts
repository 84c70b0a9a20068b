/** Short notices in a corner. How long each stays is the specification's. */
import { notifications } from '@mantine/notifications';
import { t } from '../lib/i18n.ts';

export const NOTICE_MS = {
  default: 6_000,
  success: 2_000,
  /** Orders, conversions, transfers and what else the trading screens do. */
  trade: 3_000,
} as const;

interface Notice {
  readonly title: string;
  readonly message: string;
  readonly color: 'teal' | 'red';
  readonly autoClose: number;
}

function show(notice: Notice): void {
  notifications.show({ ...notice, withBorder: true, closeButtonProps: { 'aria-label': t('Dismiss') } });
}

export function noticeSuccess(title: string, message: string, autoClose: number = NOTICE_MS.success): void {
  show({ title, message, autoClose, color: 'teal' });
}

export function noticeError(title: string, message: string, autoClose: number = NOTICE_MS.default): void {
  show({ title, message, autoClose, color: 'red' });
}
