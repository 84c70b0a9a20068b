/** The browser's usual text size, pixels. */
const USUAL_PX = 16;

/** Of the document, as it is now. */
let textPx = USUAL_PX;

/**
 * Follows the text size by a box that has it as its width: to ask for it where something is drawn would make the browser work out
 * all styles in the midst of a frame, many times a second.
 */
function follow(): void {
  const box = document.createElement('div');
  Object.assign(box.style, { position: 'absolute', top: '0', width: '1rem', height: '0', visibility: 'hidden' });
  document.body.append(box);
  textPx = box.getBoundingClientRect().width;
  new ResizeObserver(() => {
    textPx = box.getBoundingClientRect().width;
  }).observe(box);
}

// At once, and so before whoever asks: observers are told of a new size in the order in which they began.
if (typeof ResizeObserver !== 'undefined') follow();

/** Pixels for what a script places or paints beside text: as many at the usual text size, more where a person has set a larger one. */
export const scaled = (px: number): number => (px / USUAL_PX) * textPx;
