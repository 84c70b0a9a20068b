/** What is drawn on a pair's chart, with the prices of each drawing and a way to remove it. Loaded when it is opened. */
import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
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
  const change = (index: number, value: number) =>
    onChange({ ...drawing, points: points.with(index, { ...points[index], value }) });
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
          <PriceField
            key={`point-${index.toString()}`}
            label={t('{{name}}, price {{number}}', { name, number: index + 1 })}
            price={point.value}
            scale={scale}
            onChange={(value) => change(index, value)}
          />
        ))}
      </div>
    </li>
  );
}

interface PriceFieldProps {
  readonly label: string;
  readonly price: number | undefined;
  readonly scale: number;
  readonly onChange: (price: number) => void;
}

/** It keeps what is typed: the price of a half-typed number, written with all its decimals, would come over the rest. */
function PriceField({ label, price, scale, onChange }: PriceFieldProps) {
  const [text, setText] = useState(price?.toFixed(scale) ?? '');
  const type = (typed: string) => {
    setText(typed);
    const value = Number(typed);
    if (typed !== '' && Number.isFinite(value)) onChange(value);
  };
  return <NumberField size="xs" aria-label={label} value={text} scale={scale} onChange={type} />;
}
