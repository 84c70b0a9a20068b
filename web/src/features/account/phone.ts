/** A phone number as people give it: a country, and ten national digits. */
import { t } from '../../lib/i18n.ts';

export const DEFAULT_COUNTRY = 'US';
export interface Phone {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** As typed, national. */
  readonly number: string;
}

export const NO_PHONE: Phone = { country: DEFAULT_COUNTRY, number: '' };

/** Digits alone: spaces and signs are for the eye. */
export const digitsOf = (text: string) => text.replace(/[\s().-]/g, '');

/** Ten national digits, spaces and dial code aside. */
export function phoneError({ number }: Phone): string | null {
  const digits = digitsOf(number);
  if (/^\d{0,9}$/.test(digits)) return t('Phone number must have at least 10 characters');
  return /^\d{10}$/.test(digits) ? null : t('Please enter a valid phone number');
}
