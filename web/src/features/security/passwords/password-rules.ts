/** What is checked before the server is asked, and what is said about each of the two passwords. */
import { msg, t } from '../../../lib/i18n.ts';

export type PasswordKind = 'password' | 'transaction-password';

export interface Values {
  readonly old: string;
  readonly next: string;
  readonly again: string;
}

export const MINIMUM_LENGTH = 6;

export const validation = {
  old: (value: string) => (value === '' ? t('Field is required') : null),
  next: (value: string) => (value.length < MINIMUM_LENGTH ? t('Password must be at least 6 characters') : null),
  again: (value: string, { next }: Values) => (value === next ? null : t('Password does not match')),
};

export const passwordTexts = {
  password: {
    title: msg('Change password'),
    note: msg(
      "We'll email you a code to confirm the change. Other devices are logged out, and withdrawals are paused for 24 hours.",
    ),
    old: msg('Old password'),
    next: msg('New password'),
    wrongOld: msg('Old password dont match'),
    changed: msg('Password successfully changed'),
  },
  'transaction-password': {
    title: msg('Change transaction password'),
    note: msg("We'll email you a code to confirm the change. Withdrawals are paused for 24 hours."),
    old: msg('Old transaction password'),
    next: msg('New transaction password'),
    wrongOld: msg('Invalid Old Password'),
    changed: msg('Transaction password successfully changed'),
  },
} as const;
