/** Short notices in a corner; three seconds, as the specification says. */
import { notifications } from '@mantine/notifications';

const COMMON = { autoClose: 3_000, withBorder: true, closeButtonProps: { 'aria-label': 'Dismiss' } } as const;

export function noticeSuccess(title: string, message: string): void {
  notifications.show({ ...COMMON, title, message, color: 'teal' });
}

export function noticeError(title: string, message: string): void {
  notifications.show({ ...COMMON, title, message, color: 'red' });
}
