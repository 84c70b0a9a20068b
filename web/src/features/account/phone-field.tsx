/** A phone number with the country's dial code before it; United States unless the person says otherwise. */
import { countries } from '@cambist/contract/sign-in.ts';
import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import { t, useLocale } from '../../lib/i18n.ts';
import { DEFAULT_COUNTRY, digitsOf, type Phone } from './phone.ts';
import classes from './phone-field.module.css';

const MAX_LENGTH = 14;

function useCountries() {
  const locale = useLocale(({ name }) => name);
  return useQuery({
    queryKey: ['countries', locale],
    queryFn: ({ signal }) => call(countries, { query: { locale }, signal }),
    select: (answer) => answer.countries,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The number as it goes to the server: `+14155550100`. Until the list is there, the country's own default stands in. */
export function usePhoneText(): (phone: Phone) => string {
  const list = useCountries().data;
  return ({ country, number }) => {
    const dial = list?.find(({ code }) => code === country)?.dial_code ?? '1';
    return `+${dial}${digitsOf(number)}`;
  };
}

interface PhoneFieldProps {
  readonly value: Phone;
  readonly error?: string | null | undefined;
  readonly optional?: boolean;
  readonly onChange: (phone: Phone) => void;
}

export function PhoneField({ value, error, optional = false, onChange }: PhoneFieldProps) {
  const list = useCountries().data ?? [];
  return (
    <div className={classes.field}>
      <Select
        label={t('Country')}
        size="md"
        searchable
        allowDeselect={false}
        maxDropdownHeight={260}
        comboboxProps={{ width: 280, position: 'bottom-start' }}
        data={list.map(({ code, name, dial_code: dial }) => ({ value: code, label: `${name} +${dial}` }))}
        value={value.country}
        onChange={(country) => onChange({ ...value, country: country ?? DEFAULT_COUNTRY })}
      />
      <TextInput
        label={t('Phone number')}
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        size="md"
        maxLength={MAX_LENGTH}
        placeholder={optional ? t('Optional') : ''}
        value={value.number}
        error={error}
        onChange={(event) => onChange({ ...value, number: event.currentTarget.value })}
      />
    </div>
  );
}
