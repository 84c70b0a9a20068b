/** Chooses a coin by its code; typing finds it. */

import { t } from '../../lib/i18n.ts';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { Select } from '../../ui/select.tsx';
import classes from './coin-select.module.css';

export interface CoinOption {
  readonly code: string;
  readonly name: string;
  /** Right of the name, such as the balance. */
  readonly aside?: string;
}

interface CoinSelectProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly coins: readonly CoinOption[];
  readonly value: string;
  readonly onChange: (code: string) => void;
}

const DROPDOWN = { width: 300, position: 'bottom-start' } as const;

export function CoinSelect({ label, hideLabel = false, coins, value, onChange }: CoinSelectProps) {
  const byCode = new Map(coins.map((coin) => [coin.code, coin]));
  const search = (wanted: string) => (code: string) =>
    `${code} ${byCode.get(code)?.name ?? ''}`.toLowerCase().includes(wanted.trim().toLowerCase());
  return (
    <Select
      {...(hideLabel ? { 'aria-label': label } : { label })}
      searchable
      allowDeselect={false}
      maxDropdownHeight={300}
      comboboxProps={hideLabel ? DROPDOWN : {}}
      nothingFoundMessage={t('No coin matches.')}
      leftSection={<CoinIcon code={value} size={20} />}
      data={coins.map(({ code }) => code)}
      filter={({ options, search: wanted }) => {
        // The code that is chosen stands in the field until something else is typed; it finds everything.
        const isFound = wanted === value ? () => true : search(wanted);
        return options.filter((option) => 'value' in option && isFound(option.value));
      }}
      renderOption={({ option }) => {
        const coin = byCode.get(option.value);
        return (
          <span className={classes.option}>
            <CoinIcon code={option.value} size={22} />
            <span className={classes.code}>{option.value}</span>
            <span className={classes.name}>{coin?.name}</span>
            {coin?.aside && <span className={classes.aside}>{coin.aside}</span>}
          </span>
        );
      }}
      value={value}
      onChange={(code) => code && onChange(code)}
    />
  );
}
