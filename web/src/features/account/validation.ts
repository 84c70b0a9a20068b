/** What the entry forms check before they ask the server, with the exact texts of the specification. */
import { EMAIL, KNOWN_EMAIL } from '@cambist/contract/email.ts';
import { t } from '../../lib/i18n.ts';

export function emailError(value: string): string | null {
  const text = value.trim();
  if (text === '') return t('E-mail is required');
  return EMAIL.test(text) ? null : t('E-mail must be valid');
}

/** Of an account that is there already: it may be older than the present grammar. */
export function knownEmailError(value: string): string | null {
  const text = value.trim();
  if (text === '') return t('E-mail is required');
  return KNOWN_EMAIL.test(text) ? null : t('E-mail must be valid');
}

export function signInPasswordError(value: string): string | null {
  return value.length < 6 ? t('Password must be at least 6 characters') : null;
}

export function newPasswordError(value: string): string | null {
  return value.length < 9 ? t('Password must be at least 9 characters') : null;
}

export function transactionPasswordError(value: string, password: string): string | null {
  if (value.length < 6) return t('Transaction password must be at least 6 characters');
  return value === password ? t('The transaction password may not equal the password') : null;
}

/** The digits of a code as it is typed or pasted, spaces and words aside. */
export const codeDigits = (text: string): string => text.replaceAll(/\D/g, '').slice(0, 6);

export const isWholeCode = (code: string): boolean => /^\d{6}$/.test(code);

export function codeError(value: string): string | null {
  return value.trim() === '' ? t('This field is required') : null;
}
