/** Which indicators the chart shows, and with which periods. Loaded when it is opened. */
import { Modal, NumberInput, Switch } from '@mantine/core';
import '@mantine/core/styles/NumberInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { t } from '../../../lib/i18n.ts';
import classes from './chart.module.css';
import { pairChart, useChartStore } from './chart-store.ts';
import { INDICATORS, type IndicatorChoice, setParameter, toggleIndicator } from './indicators.ts';

interface IndicatorDialogProps {
  readonly symbol: string;
  readonly onClose: () => void;
}

export default function IndicatorDialog({ symbol, onClose }: IndicatorDialogProps) {
  const chosen = useChartStore((store) => pairChart(store, symbol).indicators);
  const set = useChartStore((store) => store.setIndicators);
  return (
    <Modal
      opened
      onClose={onClose}
      size={460}
      title={t('Indicators of {{pair}}', { pair: symbol })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <ul className={classes.indicatorList}>
        {INDICATORS.map(({ name }) => {
          const choice = chosen.find((entry) => entry.name === name);
          return (
            <li key={name}>
              <Switch
                label={name}
                checked={choice !== undefined}
                onChange={() => set(symbol, toggleIndicator(chosen, name))}
              />
              {choice && (
                <Parameters
                  choice={choice}
                  onChange={(at, text) => set(symbol, setParameter(chosen, name, at, text))}
                />
              )}
            </li>
          );
        })}
      </ul>
    </Modal>
  );
}

interface ParametersProps {
  readonly choice: IndicatorChoice;
  readonly onChange: (index: number, text: string) => void;
}

function Parameters({ choice, onChange }: ParametersProps) {
  return (
    <span className={classes.parameters}>
      {choice.params.map((value, index) => (
        <NumberInput
          key={`parameter-${index.toString()}`}
          aria-label={t('{{name}}, period {{number}}', { name: choice.name, number: index + 1 })}
          size="xs"
          w={64}
          min={1}
          max={1_000}
          allowDecimal={false}
          allowNegative={false}
          value={value}
          onChange={(next) => onChange(index, String(next))}
        />
      ))}
    </span>
  );
}
