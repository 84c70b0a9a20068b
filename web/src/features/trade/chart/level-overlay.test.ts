import type { OverlayTemplate } from 'klinecharts';
import { expect, test, vi } from 'vitest';

const registered: OverlayTemplate[] = [];
vi.mock('klinecharts', () => ({ registerOverlay: (template: OverlayTemplate) => registered.push(template) }));
const text = vi.hoisted(() => ({ scale: 1 }));
vi.mock('../../../ui/text-scale.ts', () => ({ scaled: (px: number) => px * text.scale }));
await import('./level-overlay.ts');

interface Level {
  readonly label: string;
  /** Pixels from the top of the chart. */
  readonly at: number;
}

/** What is written for each level on a chart of this width, with its height; the price of a level is its height here. */
function names(widthPx: number, ...levels: readonly Level[]): unknown[] {
  const overlays = levels.map(({ label, at }, index) => ({
    id: String(index),
    points: [{ value: at }],
    extendData: { label, color: '' },
  }));
  return overlays.flatMap((overlay, index) => {
    const drawn = {
      chart: { getOverlays: () => overlays },
      overlay,
      coordinates: [{ x: 0, y: levels[index]?.at }],
      bounding: { width: widthPx, height: 300 },
      yAxis: { convertToPixel: (price: number) => price },
    };
    const figures = [registered[0]?.createPointFigures?.(drawn as never) ?? []].flat();
    return figures
      .filter(({ type }) => type === 'text')
      .map(({ attrs }) => {
        const { text, y } = attrs as { text: string; y: number };
        return [text, y];
      });
  });
}

test('a level has its name at its line, but below the prices that are written at the top', () => {
  expect(names(350, { label: 'Long entry', at: 150 })).toEqual([['Long entry', 150]]);
  expect(names(350, { label: 'Long entry', at: 12 })).toEqual([['Long entry', 52]]);
  expect(names(900, { label: 'Long entry', at: 12 })).toEqual([['Long entry', 36]]);
  expect(names(350, { label: 'Long entry', at: -5 })).toEqual([]);
});

test('names of levels that are near each other do not cover one another', () => {
  const [entry, end] = [
    { label: 'Short entry', at: 30 },
    { label: 'Liquidation', at: 20 },
  ];
  expect(names(350, entry, end)).toEqual([
    ['Short entry', 72],
    ['Liquidation', 52],
  ]);
  expect(names(350, entry, end, { label: 'Long entry', at: 25 })).toEqual([
    ['Liquidation · Long entry · Short entry', 52],
  ]);
});

test('prices that are written twice as large take twice the height, and so do names', () => {
  text.scale = 2;
  expect(names(1_300, { label: 'Long entry', at: 12 })).toEqual([['Long entry', 72]]);
  text.scale = 1;
});
