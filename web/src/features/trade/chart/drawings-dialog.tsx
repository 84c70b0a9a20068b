/** What is drawn on a pair's chart, with the prices of each drawing and a way to remove it. Loaded when it is opened. */
import { ActionIcon } from '@mantine/core';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { IconTrash } from '../../../ui/icons.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { Empty } from '../../../ui/states.tsx';
import classes from './chart.module.css';
import { type Drawing, pairChart, useChartStore } from './chart-store.ts';
import { TOOLS } from './drawing-tools.ts';

interface DrawingsDialogProps {
  readonly symbol: string;
  /** Decimals of a price. */
  readonly scale: number;
  readonly onClose: () => void;
}

export default function DrawingsDialog({ symbol, scale, onClose }: DrawingsDialogProps) {
  const drawings = useChartStore((store) => pairChart(store, symbol).drawings);
  const set = useChartStore((store) => store.setDrawings);
  return (
    <Dialog onClose={onClose} size={460} title={t('Drawings of {{pair}}', { pair: symbol })}>
      {drawings.length === 0 && <Empty title={t('No drawings yet. Choose a tool beside the chart.')} />}
      <ul className={classes.drawings}>
        {drawings.map((drawing, index) => (
          <DrawingRow
            key={drawing.id}
            drawing={drawing}
            number={index + 1}
            scale={scale}
            onChange={(changed) => set(symbol, drawings.with(index, changed))}
            onRemove={() => set(symbol, drawings.toSpliced(index, 1))}
          />
        ))}
      </ul>
    </Dialog>
  );
}

interface DrawingRowProps {
  readonly drawing: Drawing;
  readonly number: number;
  readonly scale: number;
  readonly onChange: (drawing: Drawing) => void;
  readonly onRemove: () => void;
}

function DrawingRow({ drawing, number, scale, onChange, onRemove }: DrawingRowProps) {
  const tool = TOOLS.find(({ name }) => name === drawing.name);
  const name = `${number}. ${tool ? t(tool.label) : drawing.name}`;
  const { points } = drawing;
  const change = (index: number, text: string) => {
    const value = Number(text);
    if (text === '' || !Number.isFinite(value)) return;
    onChange({ ...drawing, points: points.with(index, { ...points[index], value }) });
  };
  return (
    <li className={classes.drawing}>
      <div className={classes.drawingHead}>
        {name}
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          aria-label={t('Remove {{name}}', { name })}
          onClick={onRemove}
        >
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      </div>
      <div className={classes.drawingPrices}>
        {points.slice(0, tool?.prices ?? 0).map((point, index) => (
          <NumberField
            key={`point-${index.toString()}`}
            size="xs"
            aria-label={t('{{name}}, price {{number}}', { name, number: index + 1 })}
            value={point.value?.toFixed(scale) ?? ''}
            scale={scale}
            onChange={(text) => change(index, text)}
          />
        ))}
      </div>
    </li>
  );
}
