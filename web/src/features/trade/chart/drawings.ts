/** Lines that a person draws: put on the chart from what is kept, and kept again when they change. */
import type { Chart, OverlayCreate } from 'klinecharts';
import { useEffect } from 'react';
import { type Drawing, pairChart, useChartStore } from './chart-store.ts';

const GROUP = 'drawings';

function readDrawings(chart: Chart): Drawing[] {
  return chart
    .getOverlays({ groupId: GROUP })
    .filter(({ currentStep }) => currentStep === -1)
    .map(({ id, name, points }) => ({
      id,
      name,
      points: points.map(({ timestamp, value }) => ({
        ...(timestamp === undefined ? {} : { timestamp }),
        ...(value === undefined ? {} : { value }),
      })),
    }));
}

function overlayOf(chart: Chart, symbol: string, drawing: Pick<Drawing, 'name'> & Partial<Drawing>): OverlayCreate {
  const keep = () => useChartStore.getState().setDrawings(symbol, readDrawings(chart));
  // The overlay still counts as being drawn when this is called.
  const keepSoon = () => void setTimeout(keep);
  return {
    ...(drawing.id === undefined ? {} : { id: drawing.id }),
    name: drawing.name,
    groupId: GROUP,
    points: (drawing.points ?? []).map((point) => ({ ...point })),
    onDrawEnd: keepSoon,
    onPressedMoveEnd: keep,
    // A right click removes a drawing; that it is gone is kept as well.
    onRightClick: ({ overlay }) => {
      chart.removeOverlay({ id: overlay.id });
      keepSoon();
    },
  };
}

/** Begins a drawing; the pointer sets its points. */
export function startDrawing(chart: Chart, symbol: string, name: string): void {
  chart.createOverlay(overlayOf(chart, symbol, { name }));
}

export function clearDrawings(chart: Chart, symbol: string): void {
  chart.removeOverlay({ groupId: GROUP });
  useChartStore.getState().setDrawings(symbol, []);
}

/** Most often the chart has what is kept already, from the person's own hand. */
function showKept(chart: Chart, symbol: string): void {
  const shown = readDrawings(chart);
  const { drawings } = pairChart(useChartStore.getState(), symbol);
  if (JSON.stringify(shown) === JSON.stringify(drawings)) return;
  for (const { id } of shown) chart.removeOverlay({ id });
  chart.createOverlay(drawings.map((drawing) => overlayOf(chart, symbol, drawing)));
}

/**
 * Puts the kept drawings of the pair on the chart, once its candles are there, and again when another tab keeps others: with
 * the next change all that this chart has is kept in their place.
 */
export function useDrawings(chart: Chart | undefined, symbol: string, ready: boolean): void {
  useEffect(() => {
    if (!chart || !ready) return;
    const show = () => showKept(chart, symbol);
    show();
    const leave = useChartStore.subscribe(show);
    return () => {
      leave();
      chart.removeOverlay({ groupId: GROUP });
    };
  }, [chart, symbol, ready]);
}
