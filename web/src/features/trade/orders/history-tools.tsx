/** What stands under a history: its filter, and the same rows as a file. */

import { Button, Group, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isBackwards } from '../../../lib/date-span.ts';
import { t } from '../../../lib/i18n.ts';
import { useMarkets } from '../terminal.ts';
import { ExportButton } from './export-button.tsx';
import { filterCount, type HistoryFilter, NO_FILTER, useHistoryFilters } from './history-filter.ts';
import classes from './orders.module.css';

type ListName = 'orders' | 'trades';

export function HistoryTools({ list }: { readonly list: ListName }) {
  const filter = useHistoryFilters((store) => store[list]);
  const [isOpen, setOpen] = useState(false);
  const count = filterCount(filter);
  return (
    <div className={classes.tools}>
      <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
        {count > 0 ? t('Filter ({{number}})', { number: count }) : t('Filter')}
      </Button>
      {/* Not beside the button, which moves as the list grows and shrinks. */}
      <Modal opened={isOpen} onClose={() => setOpen(false)} size={360} title={t('Filter')}>
        <FilterForm list={list} filter={filter} onDone={() => setOpen(false)} />
      </Modal>
      <ExportButton list={list} filter={filter} />
    </div>
  );
}

export function ClearFilter({ list }: { readonly list: ListName }) {
  const change = useHistoryFilters((store) => store.change);
  return (
    <Button size="compact-sm" variant="default" onClick={() => change(list, NO_FILTER)}>
      {t('Clear filter')}
    </Button>
  );
}

interface FilterFormProps {
  readonly list: ListName;
  readonly filter: HistoryFilter;
  readonly onDone: () => void;
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value | '';
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value | '') => void;
}

function Choice<Value extends string>({ label, value, choices, onChange }: ChoiceProps<Value>) {
  return (
    <NativeSelect
      label={label}
      value={value}
      data={[{ value: '', label: t('All') }, ...choices]}
      onChange={({ currentTarget }) => onChange(choices.find((one) => one.value === currentTarget.value)?.value ?? '')}
    />
  );
}

const sides = () => [
  { value: 'BUY' as const, label: t('Buy') },
  { value: 'SELL' as const, label: t('Sell') },
];
const types = () => [
  { value: 'limit' as const, label: t('Limit') },
  { value: 'market' as const, label: t('Market') },
  { value: 'conditional' as const, label: t('Conditional') },
  { value: 'twap' as const, label: t('TWAP') },
  { value: 'convert' as const, label: t('Convert') },
];
const states = () => [
  { value: 'APPROVED' as const, label: t('Filled') },
  { value: 'DISSAPROVED' as const, label: t('Cancelled') },
];
const roles = () => [
  { value: 'maker' as const, label: t('Maker') },
  { value: 'taker' as const, label: t('Taker') },
];

function FilterForm({ list, filter, onDone }: FilterFormProps) {
  const store = useHistoryFilters();
  const change = (part: Partial<HistoryFilter>) => store.change(list, part);
  const names = (useMarkets().data ?? []).map(({ pair_name: name }) => ({ value: name, label: name }));
  const pairs = names.sort((left, right) => (left.value < right.value ? -1 : 1));
  const isWrong = isBackwards(filter);
  const date = (field: 'from' | 'to', label: string, error?: string) => (
    <TextInput
      type="date"
      label={label}
      value={filter[field]}
      error={error}
      onChange={({ currentTarget }) => change({ [field]: currentTarget.value })}
    />
  );
  return (
    <div className={classes.filter}>
      <Choice label={t('Pair')} value={filter.pair} choices={pairs} onChange={(pair) => change({ pair })} />
      <Choice label={t('Side')} value={filter.side} choices={sides()} onChange={(side) => change({ side })} />
      {list === 'orders' ? (
        <>
          <Choice label={t('Type')} value={filter.type} choices={types()} onChange={(type) => change({ type })} />
          <Choice label={t('State')} value={filter.state} choices={states()} onChange={(state) => change({ state })} />
        </>
      ) : (
        <Choice label={t('Role')} value={filter.role} choices={roles()} onChange={(role) => change({ role })} />
      )}
      <div className={classes.dates}>
        {date('from', t('From date'))}
        {date('to', t('To date'), isWrong ? t('Before the first date') : undefined)}
      </div>
      <Group grow>
        <Button variant="default" disabled={filterCount(filter) === 0} onClick={() => change(NO_FILTER)}>
          {t('Clear filter')}
        </Button>
        <Button disabled={isWrong} onClick={onDone}>
          {t('Show')}
        </Button>
      </Group>
    </div>
  );
}
