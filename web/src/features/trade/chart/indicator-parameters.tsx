/** The periods of one indicator, each in a field. */
import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import classes from './chart.module.css';
import { pairChart, useChartStore } from './chart-store.ts';
import { type IndicatorChoice, setParameter } from './indicators.ts';

interface IndicatorParametersProps {
  readonly symbol: string;
  readonly choice: IndicatorChoice;
}

export default function IndicatorParameters({ symbol, choice }: IndicatorParametersProps) {
  const change = (index: number, text: string) => {
    const store = useChartStore.getState();
    store.setIndicators(symbol, setParameter(pairChart(store, symbol).indicators, choice.name, index, text));
  };
  return (
    <span className={classes.parameters}>
      {choice.params.map((value, index) => (
        <Period
          key={`parameter-${index.toString()}`}
          label={t('{{name}}, period {{number}}', { name: choice.name, number: index + 1 })}
          first={value}
          onChange={(text) => change(index, text)}
        />
      ))}
    </span>
  );
}

interface PeriodProps {
  readonly label: string;
  readonly first: number;
  readonly onChange: (text: string) => void;
}

/** Keeps what is typed: an emptied field is none that the chart could be drawn with, and may be filled again. */
function Period({ label, first, onChange }: PeriodProps) {
  const [text, setText] = useState(String(first));
  return (
    <NumberField
      className={classes.parameter}
      aria-label={label}
      size="xs"
      scale={0}
      steps={false}
      value={text}
      onChange={(entry) => {
        setText(entry);
        onChange(entry);
      }}
    />
  );
}
