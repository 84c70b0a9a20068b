/** Where the stack of notices goes: the lower left, raised above a form that is in its way. */

/** In pixels of the viewport, as `getBoundingClientRect` measures. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Stack {
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

export const NOTICE_GAP_PX = 16;

function overlap(one: Box, other: Box): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, width) * Math.max(0, height);
}

/**
 * @param kept what must stay uncovered: forms, dialogs, the order buttons of a phone
 * @returns the distance in pixels from the viewport's lower edge to the stack's; the least covered place, the lowest of equals
 */
export function noticeBottom(viewportHeight: number, { left, width, height }: Stack, kept: readonly Box[]): number {
  const highest = Math.max(0, viewportHeight - height);
  const visible = kept.filter(({ top, bottom }) => bottom > 0 && top < viewportHeight);
  const places = [
    NOTICE_GAP_PX,
    ...visible.map(({ top }) => viewportHeight - top + NOTICE_GAP_PX / 2).sort((one, other) => one - other),
    highest,
  ].map((bottom) => Math.min(bottom, highest));
  const covered = places.map((bottom) => {
    const lower = viewportHeight - bottom;
    const stack = { left, right: left + width, top: lower - height, bottom: lower };
    return visible.reduce((sum, box) => sum + overlap(stack, box), 0);
  });
  return places[covered.indexOf(Math.min(...covered))] ?? NOTICE_GAP_PX;
}

/** What must stay uncovered. A screen marks what is neither a form nor a dialog. */
const KEPT = 'form, [role="dialog"], [data-keep-clear]';
/** Forms and dialogs open and move while a notice is shown. */
const PLACE_MS = 250;

/** @param height in pixels, where it differs from what is drawn at this moment */
export function placeNotice(element: HTMLElement, height = element.offsetHeight): void {
  const { left, width } = element.getBoundingClientRect();
  const kept = [...document.querySelectorAll(KEPT)].filter((each) => each !== element);
  const boxes = kept.map((each) => each.getBoundingClientRect());
  element.style.bottom = `${noticeBottom(window.innerHeight, { left, width, height }, boxes)}px`;
}

/** Calls `place` now, and as the page moves. @returns what ends that */
export function keepPlacing(place: () => void): () => void {
  place();
  const timer = setInterval(place, PLACE_MS);
  window.addEventListener('scroll', place, { passive: true });
  return () => {
    clearInterval(timer);
    window.removeEventListener('scroll', place);
  };
}

/** The `ref` of a notice that has a place of its own at the lower edge. */
export const placedNotice = (element: HTMLElement | null) =>
  element === null ? undefined : keepPlacing(() => placeNotice(element));
