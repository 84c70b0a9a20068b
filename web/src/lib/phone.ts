/** A phone number as people give it: a country, and ten national digits. */
import { countries } from '@cambist/contract/sign-in.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from './api-client.ts';
import { t, useLocale } from './i18n.ts';

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

/** Countries with their dial codes, in the person's language; none until the list is there. */
export function useCountries() {
  const locale = useLocale().name;
  const list = useQuery({
    queryKey: ['countries', locale],
    queryFn: ({ signal }) => call(countries, { query: { locale }, signal }),
    select: (answer) => answer.countries,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return list.data ?? [];
}

export type Country = ReturnType<typeof useCountries>[number];

/** The number as it goes to the server: `+14155550100`. Until the list is there, the country's own default stands in. */
export function phoneText({ country, number }: Phone, list: readonly Country[]): string {
  const dial = list.find(({ code }) => code === country)?.dial_code ?? '1';
  return `+${dial}${digitsOf(number)}`;
}
