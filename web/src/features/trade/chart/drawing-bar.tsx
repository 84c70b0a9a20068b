/** Drawing tools beside the chart. Loaded on demand. */

import type { Chart } from 'klinecharts';
import { useState } from 'react';
import { msg, t } from '../../../lib/i18n.ts';
import { IconArrowUpRight } from '../../../ui/first-icons.ts';
import { IconPencil, IconTrash } from '../../../ui/icons.ts';
import { moveRowFocus } from '../../../ui/row-focus.ts';
import {
  IconChartArrows,
  IconLine,
  IconLineHeight,
  IconMinus,
  IconMinusVertical,
  IconSeparatorHorizontal,
  IconSlashes,
  IconTag,
} from '../icons.ts';
import { ToolButton } from '../tool-button.tsx';
import classes from './chart.module.css';
import './chart-more.ts';
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

const SIZE = 28;

interface DrawingBarProps {
  readonly chart: Chart;
  readonly symbol: string;
}

export default function DrawingBar({ chart, symbol }: DrawingBarProps) {
  const [last, setLast] = useState<string>();
  const [reached, setReached] = useState<string>(TOOLS[0].name);
  const stop = (name: string) => ({
    tabIndex: name === reached ? 0 : -1,
    onKeyDown: moveRowFocus,
    onFocus: () => setReached(name),
  });
  const start = (name: string) => {
    setLast(name);
    startDrawing(chart, symbol, name);
  };
  return (
    <div className={classes.toolList} role="toolbar" aria-label={t('Drawing tools')} aria-orientation="vertical">
      {TOOLS.map(({ name, label, Icon }) => (
        <ToolButton
          key={name}
          {...stop(name)}
          label={t(label)}
          labelAt="right"
          Icon={Icon}
          size={SIZE}
          highlighted={name === last}
          onClick={() => start(name)}
        />
      ))}
      <ToolButton
        {...stop('clear')}
        label={t('Remove all drawings')}
        labelAt="right"
        Icon={IconTrash}
        size={SIZE}
        onClick={() => clearDrawings(chart, symbol)}
      />
    </div>
  );
}
