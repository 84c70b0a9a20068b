/** The tools of the drawing bar, and drawings that a key puts on the chart. Loaded with the bar. */
import type { Chart } from 'klinecharts';
import { msg } from '../../../lib/i18n.ts';
import { IconArrowUpRight } from '../../../ui/first-icons.ts';
import { IconPencil } from '../../../ui/icons.ts';
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
import { type DrawingPoint, pairChart, useChartStore } from './chart-store.ts';

/** `points` that a drawing has, of which so many `prices` make a difference; a brush has as many as it likes. */
export const TOOLS = [
  { name: 'segment', label: msg('Trend line'), Icon: IconLine, points: 2, prices: 2 },
  { name: 'rayLine', label: msg('Ray'), Icon: IconArrowUpRight, points: 2, prices: 2 },
  { name: 'horizontalStraightLine', label: msg('Horizontal line'), Icon: IconMinus, points: 1, prices: 1 },
  { name: 'verticalStraightLine', label: msg('Vertical line'), Icon: IconMinusVertical, points: 1, prices: 0 },
  { name: 'parallelStraightLine', label: msg('Parallel lines'), Icon: IconSlashes, points: 3, prices: 3 },
  { name: 'priceChannelLine', label: msg('Price channel'), Icon: IconSeparatorHorizontal, points: 3, prices: 3 },
  { name: 'priceLine', label: msg('Price line'), Icon: IconLineHeight, points: 1, prices: 1 },
  { name: 'fibonacciLine', label: msg('Fibonacci retracement'), Icon: IconChartArrows, points: 2, prices: 2 },
  { name: 'simpleTag', label: msg('Price tag'), Icon: IconTag, points: 1, prices: 1 },
  { name: 'brush', label: msg('Brush'), Icon: IconPencil, points: 0, prices: 0 },
] as const;

interface Candle {
  readonly timestamp: number;
  readonly close: number;
  readonly high: number;
}

/** Where a drawing of so many points is put that no pointer puts: among the candles in view, at their closes. */
export function pointsAmong(candles: readonly Candle[], count: number): DrawingPoint[] {
  const highest = Math.max(...candles.map(({ high }) => high));
  return Array.from({ length: count }, (_, index) => {
    // The third point of parallel lines and channels says how far apart they are.
    const isWidth = index === 2;
    const share = count === 1 ? 0.5 : index === 0 ? 0.25 : 0.75;
    const { timestamp, close } = candles[Math.floor(share * (candles.length - 1))] ?? { timestamp: 0, close: 0 };
    return { timestamp, value: isWidth ? highest : close };
  });
}

/** Begins and ends a drawing in the middle of what is in view. @returns false where there are no candles yet */
export function placeDrawing(chart: Chart, symbol: string, name: string, count: number): boolean {
  const { from, to } = chart.getVisibleRange();
  const candles = chart.getDataList().slice(Math.max(0, from), to);
  if (candles.length === 0) return false;
  const store = useChartStore.getState();
  const { drawings } = pairChart(store, symbol);
  store.setDrawings(symbol, [...drawings, { id: crypto.randomUUID(), name, points: pointsAmong(candles, count) }]);
  return true;
}
