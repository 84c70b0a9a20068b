/** Short notices in a corner, where what shows them is fetched with the first. How long each stays is the specification's. */
import { t } from '../lib/i18n.ts';
import { useShell } from '../lib/shell-store.ts';

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

async function show(notice: Notice): Promise<void> {
  useShell.setState({ noticed: true });
  const { notifications } = await import('@mantine/notifications');
  notifications.show({ ...notice, withBorder: true, closeButtonProps: { 'aria-label': t('Dismiss') } });
}

export function noticeSuccess(title: string, message: string, autoClose: number = NOTICE_MS.success): void {
  void show({ title, message, autoClose, color: 'teal' });
}

export function noticeError(title: string, message: string, autoClose: number = NOTICE_MS.default): void {
  void show({ title, message, autoClose, color: 'red' });
}
