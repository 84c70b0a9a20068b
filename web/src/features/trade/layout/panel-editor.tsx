/** The panels as cards that can be dragged and resized. Loaded on demand. */

import { Button } from '@mantine/core';
import { GridLayout, type Layout, type LayoutItem, useContainerWidth } from 'react-grid-layout';
import 'react-grid-layout/css/styles.css';
import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { scaled } from '../../../ui/text-scale.ts';
import classes from './layout.module.css';
import { PanelHandle } from './panel-handle.tsx';
import {
  COLUMNS,
  LEAST,
  type PanelPlace,
  PRESETS,
  ROW_PX,
  type ScreenSize,
  STANDARD,
  useLayout,
} from './panel-layouts.ts';
import { placesOf } from './panel-moves.ts';

function itemOf(place: PanelPlace): LayoutItem {
  const { w: minW, h: minH } = LEAST[place.i];
  return { ...place, minW, minH };
}

export default function PanelEditor({ size }: { readonly size: ScreenSize }) {
  const { places, arrange, choose, edit } = useLayout();
  const [draft, setDraft] = useState<readonly PanelPlace[]>(places[size] ?? STANDARD[size]);
  const { width, containerRef, mounted } = useContainerWidth();
  // Not with each change: the grid also says, a moment later, what a step of a menu has made of it, over a step made since.
  const keep = (layout: Layout) => setDraft(placesOf(layout));
  const save = () => {
    arrange(size, draft);
    edit(false);
  };
  return (
    <section className={classes.editor} aria-label={t('Arrange the panels')}>
      <div className={classes.editorBar}>
        <p>{t('Drag panels to move them and their corners to resize them, or open the menu of a panel.')}</p>
        {PRESETS.map((preset) => (
          <Button
            key={preset.id}
            size="compact-sm"
            variant="default"
            onClick={() => setDraft(preset.places?.[size] ?? STANDARD[size])}
          >
            {t(preset.label)}
          </Button>
        ))}
        <span className={classes.space} />
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => choose({ id: 'standard', label: '', places: undefined })}
        >
          {t('Reset')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => edit(false)}>
          {t('Cancel')}
        </Button>
        <Button size="compact-sm" onClick={save}>
          {t('Save')}
        </Button>
      </div>
      <div ref={containerRef}>
        {mounted && (
          <GridLayout
            width={width}
            layout={draft.map(itemOf)}
            gridConfig={{ cols: COLUMNS, rowHeight: scaled(ROW_PX), margin: [4, 4], containerPadding: [4, 4] }}
            onDragStop={keep}
            onResizeStop={keep}
          >
            {draft.map(({ i }) => (
              <div key={i} className={classes.card} data-panel={i}>
                <PanelHandle id={i} places={draft} onMove={setDraft} />
              </div>
            ))}
          </GridLayout>
        )}
      </div>
    </section>
  );
}
