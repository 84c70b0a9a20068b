/** What dragging a panel does, a step at a time: for keys, and for who cannot drag. */
import { cloneLayout, type Layout, moveElement, verticalCompactor } from 'react-grid-layout/core';
import { COLUMNS, LEAST, type PanelId, type PanelPlace } from './panel-layouts.ts';

export const PANEL_MOVES = ['up', 'down', 'left', 'right', 'wider', 'narrower', 'taller', 'shorter'] as const;
export type PanelMove = (typeof PANEL_MOVES)[number];

export function placesOf(layout: Layout): PanelPlace[] {
  return layout.map(({ i, x, y, w, h }) => ({ i: i as PanelId, x, y, w, h }));
}

/** The others make room, and close the gaps, as when the panel is dragged. */
function withPanelAt(places: readonly PanelPlace[], { i, x, y, w, h }: PanelPlace): PanelPlace[] {
  const layout = cloneLayout(places).map((item) => (item.i === i ? { ...item, w, h } : item));
  const panel = layout.find((item) => item.i === i);
  const moved = panel ? moveElement(layout, panel, x, y, true, false, 'vertical', COLUMNS) : layout;
  return placesOf(verticalCompactor.compact(moved, COLUMNS));
}

/** As many rows as it takes to come past what is there; gaps close, and one row alone would often lead back. */
function movedRows(places: readonly PanelPlace[], panel: PanelPlace, direction: 1 | -1): readonly PanelPlace[] {
  const rows = Math.max(...places.map(({ y, h }) => y + h));
  for (let y = panel.y + direction; y >= 0 && y <= rows; y += direction) {
    const moved = withPanelAt(places, { ...panel, y });
    const now = moved.find(({ i }) => i === panel.i)?.y ?? panel.y;
    if (Math.sign(now - panel.y) === direction) return moved;
  }
  return places;
}

/** One cell to the right, or to the left where the grid ends. */
function widened(panel: PanelPlace): PanelPlace {
  if (panel.x + panel.w < COLUMNS) return { ...panel, w: panel.w + 1 };
  return panel.x === 0 ? panel : { ...panel, x: panel.x - 1, w: panel.w + 1 };
}

/** The places after a step; the same where there is no room for it. */
export function movedPanel(places: readonly PanelPlace[], id: PanelId, move: PanelMove): readonly PanelPlace[] {
  const panel = places.find(({ i }) => i === id);
  if (!panel) return places;
  if (move === 'up' || move === 'down') return movedRows(places, panel, move === 'up' ? -1 : 1);
  const steps: Readonly<Record<typeof move, PanelPlace>> = {
    left: { ...panel, x: Math.max(0, panel.x - 1) },
    right: { ...panel, x: Math.min(COLUMNS - panel.w, panel.x + 1) },
    wider: widened(panel),
    narrower: { ...panel, w: Math.max(LEAST[id].w, panel.w - 1) },
    taller: { ...panel, h: panel.h + 1 },
    shorter: { ...panel, h: Math.max(LEAST[id].h, panel.h - 1) },
  };
  return withPanelAt(places, steps[move]);
}
