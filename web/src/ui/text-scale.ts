/** The browser's usual text size, pixels. */
const USUAL_PX = 16;

/**
 * Pixels for what a script places or paints beside text: as many at the usual text size, more where a person has set a
 * larger one. Read anew each time, since it can be set while the page is open.
 */
export const scaled = (px: number): number =>
  (px / USUAL_PX) * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || USUAL_PX);
