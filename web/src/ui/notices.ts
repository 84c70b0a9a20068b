/** Short notices in a corner; three seconds, as the specification says. What shows them is fetched with the first. */
import { t } from '../lib/i18n.ts';
import { useShell } from '../lib/shell-store.ts';

const common = () => ({ autoClose: 3_000, withBorder: true, closeButtonProps: { 'aria-label': t('Dismiss') } });

async function show(title: string, message: string, color: string): Promise<void> {
  useShell.setState({ noticed: true });
  const { notifications } = await import('@mantine/notifications');
  notifications.show({ ...common(), title, message, color });
}

export function noticeSuccess(title: string, message: string): void {
  void show(title, message, 'teal');
}

export function noticeError(title: string, message: string): void {
  void show(title, message, 'red');
}
