/** What stands under a history: its filter, and the same rows as a file. */
import { Button, NativeSelect, Popover, TextInput } from '@mantine/core';
import { t } from '../../../lib/i18n.ts';
import { usePairs } from '../../../lib/market/pairs.ts';
import { ExportButton } from './export-button.tsx';
import { filterCount, type HistoryFilter, isBackwards, NO_FILTER, useHistoryFilters } from './history-filter.ts';
import classes from './orders.module.css';

type ListName = 'orders' | 'trades';

export function HistoryTools({ list }: { readonly list: ListName }) {
  const filter = useHistoryFilters((store) => store[list]);
  const count = filterCount(filter);
  return (
    <div className={classes.tools}>
      <Popover position="top-start" width={300} trapFocus withRoles>
        <Popover.Target>
          <Button size="compact-xs" variant="default">
            {count > 0 ? t('Filter ({{number}})', { number: count }) : t('Filter')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <FilterForm list={list} filter={filter} />
        </Popover.Dropdown>
      </Popover>
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
}

function FilterForm({ list, filter }: FilterFormProps) {
  const store = useHistoryFilters();
  const change = (part: Partial<HistoryFilter>) => store.change(list, part);
  const pairs = usePairs().data ?? [];
  const names = pairs.map(({ pair_name: name }) => name).sort();
  // Each select has the words of one field, so what it gives back is one of them.
  const select = <Field extends 'pair' | 'side' | 'type' | 'state' | 'role'>(
    field: Field,
    label: string,
    choices: readonly { readonly value: HistoryFilter[Field]; readonly label: string }[],
  ) => (
    <NativeSelect
      size="xs"
      label={label}
      value={filter[field]}
      data={[{ value: '', label: t('All') }, ...choices]}
      onChange={({ currentTarget }) => change({ [field]: currentTarget.value })}
    />
  );
  const date = (field: 'from' | 'to', label: string, error?: string) => (
    <TextInput
      size="xs"
      type="date"
      label={label}
      value={filter[field]}
      error={error}
      onChange={({ currentTarget }) => change({ [field]: currentTarget.value })}
    />
  );
  return (
    <div className={classes.filter}>
      {select(
        'pair',
        t('Pair'),
        names.map((name) => ({ value: name, label: name })),
      )}
      {select('side', t('Side'), [
        { value: 'BUY', label: t('Buy') },
        { value: 'SELL', label: t('Sell') },
      ])}
      {list === 'orders' &&
        select('type', t('Type'), [
          { value: 'limit', label: t('Limit') },
          { value: 'market', label: t('Market') },
          { value: 'conditional', label: t('Conditional') },
        ])}
      {list === 'orders' &&
        select('state', t('State'), [
          { value: 'APPROVED', label: t('Filled') },
          { value: 'DISSAPROVED', label: t('Cancelled') },
        ])}
      {list === 'trades' &&
        select('role', t('Role'), [
          { value: 'maker', label: t('Maker') },
          { value: 'taker', label: t('Taker') },
        ])}
      <div className={classes.dates}>
        {date('from', t('From date'))}
        {date('to', t('To date'), isBackwards(filter) ? t('Before the first date') : undefined)}
      </div>
      <Button
        size="compact-sm"
        variant="default"
        disabled={filterCount(filter) === 0}
        onClick={() => change(NO_FILTER)}
      >
        {t('Clear filter')}
      </Button>
    </div>
  );
}
