/** Drawing tools beside the chart. Loaded on demand. */

import type { Chart } from 'klinecharts';
import { type MouseEvent, Suspense, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { announce } from '../../../ui/announcer.tsx';
import { IconTrash } from '../../../ui/icons.ts';
import { lazyPart } from '../../../ui/part.tsx';
import { moveRowFocus } from '../../../ui/row-focus.ts';
import { IconList } from '../icons.ts';
import { ToolButton } from '../tool-button.tsx';
import classes from './chart.module.css';
import './chart-more.ts';
import { placeDrawing, TOOLS } from './drawing-tools.ts';
import { clearDrawings, startDrawing } from './drawings.ts';

const DrawingsDialog = lazyPart(() => import('./drawings-dialog.tsx'), 'over');

/** All of them have room beside a chart of usual height. */
const SIZE = 26;

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
  const [listed, setListed] = useState(false);
  const start = ({ detail }: MouseEvent, { name, label, points }: (typeof TOOLS)[number]) => {
    setLast(name);
    // A key has no pointer to set points with.
    if (detail > 0 || points === 0) return startDrawing(chart, symbol, name);
    if (placeDrawing(chart, symbol, name, points))
      announce(t('{{name}} is on the chart. The list of drawings has its prices.', { name: t(label) }));
  };
  return (
    <div className={classes.toolList} role="toolbar" aria-label={t('Drawing tools')} aria-orientation="vertical">
      {TOOLS.map((tool) => (
        <ToolButton
          key={tool.name}
          {...stop(tool.name)}
          label={t(tool.label)}
          labelAt="right"
          Icon={tool.Icon}
          size={SIZE}
          highlighted={tool.name === last}
          onClick={(event) => start(event, tool)}
        />
      ))}
      <ToolButton
        {...stop('list')}
        label={t('List of drawings')}
        labelAt="right"
        Icon={IconList}
        size={SIZE}
        onClick={() => setListed(true)}
      />
      <ToolButton
        {...stop('clear')}
        label={t('Remove all drawings')}
        labelAt="right"
        Icon={IconTrash}
        size={SIZE}
        onClick={() => clearDrawings(chart, symbol)}
      />
      <Suspense>
        {listed && (
          <DrawingsDialog
            symbol={symbol}
            scale={chart.getSymbol()?.pricePrecision ?? 2}
            onClose={() => setListed(false)}
          />
        )}
      </Suspense>
    </div>
  );
}
