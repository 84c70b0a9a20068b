/** Short notices in a corner; three seconds, as the specification says. */
import { notifications } from '@mantine/notifications';
import { t } from '../lib/i18n.ts';

const common = () => ({ autoClose: 3_000, withBorder: true, closeButtonProps: { 'aria-label': t('Dismiss') } });

export function noticeSuccess(title: string, message: string): void {
  notifications.show({ ...common(), title, message, color: 'teal' });
}

export function noticeError(title: string, message: string): void {
  notifications.show({ ...common(), title, message, color: 'red' });
}
