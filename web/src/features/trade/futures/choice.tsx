/** Choices among few words that need a name before them. */
import type { TriggerSource } from '@cambist/contract/conditional-orders.ts';
import type { ComponentProps } from 'react';
import { t } from '../../../lib/i18n.ts';
import { Segments } from '../../../ui/panel.tsx';
import { shortSourceLabel } from '../ticket/triggers.ts';
import classes from './futures.module.css';

/** Segments behind their name, which alone say too little here. */
export function Choice<Value extends string>(props: ComponentProps<typeof Segments<Value>>) {
  return (
    <div className={classes.choice}>
      <span aria-hidden>{props.label}</span>
      <Segments<Value> {...props} />
    </div>
  );
}

const SOURCES: readonly TriggerSource[] = ['mark', 'last', 'index'];

interface TriggerChoiceProps {
  readonly value: TriggerSource;
  readonly onChange: (source: TriggerSource) => void;
}

/** The price that triggers an order of a perpetual. */
export function TriggerChoice({ value, onChange }: TriggerChoiceProps) {
  const options = SOURCES.map((source) => ({ value: source, label: shortSourceLabel(source) }));
  return <Choice<TriggerSource> label={t('Triggered by')} value={value} options={options} onChange={onChange} />;
}
