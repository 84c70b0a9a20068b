import { TextInput } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import { IconSearch } from '../../ui/icons.ts';

interface MarketSearchProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

export function MarketSearch({ value, onChange }: MarketSearchProps) {
  return (
    <TextInput
      aria-label={t('Search markets')}
      placeholder={t('Search')}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
