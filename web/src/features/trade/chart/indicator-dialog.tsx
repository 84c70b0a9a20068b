/** Which indicators the chart shows, and with which periods. Loaded when it is opened. */
import { Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import classes from './chart.module.css';
import { pairChart, useChartStore } from './chart-store.ts';
import { indicatorName } from './indicator-names.ts';
import IndicatorParameters from './indicator-parameters.tsx';
import { INDICATORS, toggleIndicator } from './indicators.ts';

interface IndicatorDialogProps {
  readonly symbol: string;
  readonly onClose: () => void;
}

export default function IndicatorDialog({ symbol, onClose }: IndicatorDialogProps) {
  const chosen = useChartStore((store) => pairChart(store, symbol).indicators);
  const set = useChartStore((store) => store.setIndicators);
  return (
    <Dialog onClose={onClose} size={460} title={t('Indicators of {{pair}}', { pair: symbol })}>
      <ul className={classes.indicatorList}>
        {INDICATORS.map(({ name }) => {
          const choice = chosen.find((entry) => entry.name === name);
          return (
            <li key={name}>
              <Switch
                label={
                  <>
                    {indicatorName(name)} <span className={classes.shortName}>{name}</span>
                  </>
                }
                checked={choice !== undefined}
                onChange={() => set(symbol, toggleIndicator(chosen, name))}
              />
              {choice && <IndicatorParameters symbol={symbol} choice={choice} />}
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
