/** What lines and tags of the chart are drawn with. */
import type { OverlayFigure } from 'klinecharts';
import { scaled } from '../../../ui/text-scale.ts';
import { FONT } from './chart-styles.ts';

export function across(y: number, width: number, styles: object, ignoreEvent = false): OverlayFigure {
  const coordinates = [
    { x: 0, y },
    { x: width, y },
  ];
  return { type: 'line', attrs: { coordinates }, styles: { size: 1, ...styles }, ignoreEvent };
}

export const tagStyle = () => ({ color: '#ffffff', borderRadius: 3, size: scaled(11), family: FONT });

/** One point, and nothing of the library's own drawn for it. */
export const BARE = {
  totalStep: 2,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
} as const;

/** The prices of a candle are written over everything, at the top left; on a narrow chart in two lines, as wide as it is. */
const PRICES = { besidePx: 600, oneLinePx: 26, twoLinesPx: 42 } as const;

export const isNarrow = (widthPx: number): boolean => widthPx < scaled(PRICES.besidePx);

/** Down to where the prices of a candle are written. */
export const pricesPx = (widthPx: number): number => scaled(isNarrow(widthPx) ? PRICES.twoLinesPx : PRICES.oneLinePx);
