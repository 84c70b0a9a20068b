/** Drawing tools beside the chart. Loaded when somebody wants to draw. */
import { ActionIcon, Tooltip } from '@mantine/core';
import {
  IconArrowUpRight,
  IconChartArrows,
  IconLine,
  IconLineHeight,
  IconMinus,
  IconMinusVertical,
  IconPencil,
  IconSeparatorHorizontal,
  IconSlashes,
  IconTag,
  IconTrash,
} from '@tabler/icons-react';
import type { Chart } from 'klinecharts';
import { useState } from 'react';
import { msg, t } from '../../../lib/i18n.ts';
import classes from './chart.module.css';
import { clearDrawings, startDrawing } from './drawings.ts';

const TOOLS = [
  { name: 'segment', label: msg('Trend line'), Icon: IconLine },
  { name: 'rayLine', label: msg('Ray'), Icon: IconArrowUpRight },
  { name: 'horizontalStraightLine', label: msg('Horizontal line'), Icon: IconMinus },
  { name: 'verticalStraightLine', label: msg('Vertical line'), Icon: IconMinusVertical },
  { name: 'parallelStraightLine', label: msg('Parallel lines'), Icon: IconSlashes },
  { name: 'priceChannelLine', label: msg('Price channel'), Icon: IconSeparatorHorizontal },
  { name: 'priceLine', label: msg('Price line'), Icon: IconLineHeight },
  { name: 'fibonacciLine', label: msg('Fibonacci retracement'), Icon: IconChartArrows },
  { name: 'simpleTag', label: msg('Price tag'), Icon: IconTag },
  { name: 'brush', label: msg('Brush'), Icon: IconPencil },
] as const;

interface DrawingBarProps {
  readonly chart: Chart;
  readonly symbol: string;
}

export default function DrawingBar({ chart, symbol }: DrawingBarProps) {
  const [last, setLast] = useState<string>();
  const start = (name: string) => {
    setLast(name);
    startDrawing(chart, symbol, name);
  };
  return (
    <div className={classes.tools} role="toolbar" aria-label={t('Drawing tools')} aria-orientation="vertical">
      {TOOLS.map(({ name, label, Icon }) => (
        <Tooltip key={name} label={t(label)} position="right">
          <ActionIcon
            variant="subtle"
            color={name === last ? 'accent' : 'gray'}
            size={28}
            aria-label={t(label)}
            onClick={() => start(name)}
          >
            <Icon size={17} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      ))}
      <Tooltip label={t('Remove all drawings')} position="right">
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={t('Remove all drawings')}
          onClick={() => clearDrawings(chart, symbol)}
        >
          <IconTrash size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
