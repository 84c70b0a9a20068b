/** Short notices in a corner; three seconds, as the specification says. */
import { notifications } from '@mantine/notifications';

const SHOWN_MS = 3_000;

export function noticeSuccess(title: string, message: string): void {
  notifications.show({ title, message, color: 'teal', autoClose: SHOWN_MS, withBorder: true });
}

export function noticeError(title: string, message: string): void {
  notifications.show({ title, message, color: 'red', autoClose: SHOWN_MS, withBorder: true });
}
