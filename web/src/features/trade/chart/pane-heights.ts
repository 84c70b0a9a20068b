/**
 * How the height of the chart is shared: the price keeps half of it at least, whatever is added below. Pixels are those of
 * the browser's usual text size; all but the line between panes grow with a larger one.
 */

/** The times below the panes. */
const AXIS_PX = 26;
const SEPARATOR_PX = 1;
const USUAL_PANE_PX = 100;
/** Below it neither a curve nor its legend can be read. */
export const LEAST_PANE_PX = 44;

export interface PaneHeights {
  /** How many of the wanted panes have room. */
  readonly shown: number;
  /** Of each of them. */
  readonly paneHeightPx: number;
  /** What each of them keeps when panes are resized by hand. */
  readonly leastPanePx: number;
  /** What the price keeps when panes are resized by hand. */
  readonly leastPricePx: number;
}

/** @param scale of the text: 1 at its usual size */
export function paneHeights(chartHeightPx: number, wanted: number, scale = 1): PaneHeights {
  const half = Math.max(0, (chartHeightPx - AXIS_PX * scale) / 2);
  const leastPanePx = LEAST_PANE_PX * scale;
  const shown = Math.min(wanted, Math.floor(half / (leastPanePx + SEPARATOR_PX)));
  const share = shown === 0 ? 0 : Math.floor(half / shown) - SEPARATOR_PX;
  return { shown, paneHeightPx: Math.min(USUAL_PANE_PX * scale, share), leastPanePx, leastPricePx: Math.ceil(half) };
}
