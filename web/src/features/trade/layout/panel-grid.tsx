/** The panels where the person has put them. */
import type { ReactNode } from 'react';
import classes from './layout.module.css';
import type { PanelId, PanelPlace } from './panel-layouts.ts';

interface PanelGridProps {
  readonly places: readonly PanelPlace[];
  readonly panels: Readonly<Record<PanelId, ReactNode>>;
}

export function PanelGrid({ places, panels }: PanelGridProps) {
  return (
    <div className={classes.grid}>
      {places.map(({ i, x, y, w, h }) => (
        <div
          key={i}
          className={classes.cell}
          data-panel={i}
          style={{ gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}` }}
        >
          <div className={classes.fill}>{panels[i]}</div>
        </div>
      ))}
    </div>
  );
}
