/** Phone numbers by the exchange's own rule: ten national digits behind a dial code, that of the United States by default. */
import type { LocaleName } from '@cambist/contract/locales.ts';
import { LOCALES } from '@cambist/contract/locales.ts';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';

const NATIONAL_DIGITS = 10;
const DEFAULT_DIAL_CODE = '1';

export type ParsedPhone =
  | { readonly ok: true /** E.164, such as `+14155550100`. */; readonly number: string }
  | { readonly ok: false; readonly error: 'too-short' | 'invalid' };

function national(digits: string, dialCode: string): ParsedPhone {
  if (digits.length < NATIONAL_DIGITS) return { ok: false, error: 'too-short' };
  if (digits.length > NATIONAL_DIGITS) return { ok: false, error: 'invalid' };
  return { ok: true, number: `+${dialCode}${digits}` };
}

/** @param text digits with or without a plus, as `phone` of the contract leaves them */
export function parsePhone(text: string): ParsedPhone {
  if (!text.startsWith('+')) return national(text, DEFAULT_DIAL_CODE);
  const parsed = parsePhoneNumberFromString(text);
  if (parsed === undefined) return { ok: false, error: text.length <= NATIONAL_DIGITS ? 'too-short' : 'invalid' };
  return national(parsed.nationalNumber, parsed.countryCallingCode);
}

export interface Country {
  readonly code: string;
  readonly name: string;
  readonly dial_code: string;
}

const known = new Map<LocaleName, Country[]>();

/** Every country that has a dial code, by name. */
export function countriesIn(locale: LocaleName): Country[] {
  const made = known.get(locale);
  if (made !== undefined) return made;
  const { tag } = LOCALES.find(({ name }) => name === locale) ?? LOCALES[0];
  const names = new Intl.DisplayNames(tag, { type: 'region' });
  const list = getCountries()
    .map((code) => ({ code, name: names.of(code) ?? code, dial_code: getCountryCallingCode(code) }))
    .sort((a, b) => a.name.localeCompare(b.name, tag));
  known.set(locale, list);
  return list;
}
