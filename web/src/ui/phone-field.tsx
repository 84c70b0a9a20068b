/** A phone number with the country's dial code before it; United States unless the person says otherwise. */
import { TextInput } from '@mantine/core';
import { t } from '../lib/i18n.ts';
import { type Country, DEFAULT_COUNTRY, type Phone } from '../lib/phone.ts';
import classes from './phone-field.module.css';
import { Select } from './select.tsx';

const MAX_LENGTH = 14;

interface PhoneFieldProps {
  readonly countries: readonly Country[];
  readonly value: Phone;
  readonly error?: string | true | null | undefined;
  readonly optional?: boolean;
  readonly autoFocus?: boolean;
  readonly onChange: (phone: Phone) => void;
}

const nameFirst = (country: Country | undefined) => country && `${country.name} +${country.dial_code}`;

export function PhoneField({
  countries,
  value,
  error,
  optional = false,
  autoFocus = false,
  onChange,
}: PhoneFieldProps) {
  return (
    <div className={classes.field}>
      <Select
        label={t('Country')}
        size="md"
        searchable
        allowDeselect={false}
        maxDropdownHeight={260}
        comboboxProps={{ width: 280, position: 'bottom-start' }}
        // The code first: the field is narrower than many a name.
        data={countries.map(({ code, name, dial_code: dial }) => ({ value: code, label: `+${dial} ${name}` }))}
        renderOption={({ option }) => nameFirst(countries.find(({ code }) => code === option.value))}
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
        autoFocus={autoFocus}
        placeholder={optional ? t('Optional') : ''}
        value={value.number}
        error={error}
        onChange={(event) => onChange({ ...value, number: event.currentTarget.value })}
      />
    </div>
  );
}
