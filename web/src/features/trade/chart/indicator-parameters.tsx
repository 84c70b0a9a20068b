/** The periods of one indicator, each in a field. */
import { NumberInput } from '@mantine/core';
import '@mantine/core/styles/NumberInput.layer.css';
import { t } from '../../../lib/i18n.ts';
import classes from './chart.module.css';
import { pairChart, useChartStore } from './chart-store.ts';
import { type IndicatorChoice, LARGEST_PERIOD, setParameter } from './indicators.ts';

interface IndicatorParametersProps {
  readonly symbol: string;
  readonly choice: IndicatorChoice;
}

export function IndicatorParameters({ symbol, choice }: IndicatorParametersProps) {
  const change = (index: number, text: string) => {
    const store = useChartStore.getState();
    store.setIndicators(symbol, setParameter(pairChart(store, symbol).indicators, choice.name, index, text));
  };
  return (
    <span className={classes.parameters}>
      {choice.params.map((value, index) => (
        <NumberInput
          key={`parameter-${index.toString()}`}
          aria-label={t('{{name}}, period {{number}}', { name: choice.name, number: index + 1 })}
          size="xs"
          w={64}
          min={1}
          max={LARGEST_PERIOD}
          allowDecimal={false}
          allowNegative={false}
          value={value}
          onChange={(next) => change(index, String(next))}
        />
      ))}
    </span>
  );
}

export default IndicatorParameters;
