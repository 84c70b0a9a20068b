/** What a history is filtered by. Loaded when it is opened. */
import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { isBackwards } from '../../../lib/date-span.ts';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useMarkets } from '../terminal.ts';
import { filterCount, type HistoryFilter, type ListName, NO_FILTER, useHistoryFilters } from './history-filter.ts';
import classes from './orders.module.css';

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

/** Not beside its button, which moves as the list grows and shrinks. */
export default function HistoryFilterDialog(props: FilterFormProps) {
  return (
    <Dialog onClose={props.onDone} size={360} title={t('Filter')}>
      <FilterForm {...props} />
    </Dialog>
  );
}

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
