/**
 * Where the focus goes when what has it leaves the page, as the row of an order that was cancelled: near where it was. To
 * the page's beginning is a long way by Tab, and who hears the page is told nothing.
 */

/** No fields: on a phone they bring the keyboard. */
const STOPS = 'a[href], button:not(:disabled), summary, [tabindex]:not([tabindex="-1"])';

/** One of the elements around the focus, and what is beside it. */
interface Level {
  readonly element: HTMLElement;
  readonly after: Element | null;
  readonly before: Element | null;
}

/** Remembered while it is there, from inside out. */
export type Surroundings = readonly Level[];

export function surroundingsOf(element: HTMLElement): Surroundings {
  const levels: Level[] = [];
  for (let level: HTMLElement | null = element; level && level !== document.body; level = level.parentElement) {
    levels.push({ element: level, after: level.nextElementSibling, before: level.previousElementSibling });
  }
  return levels;
}

function stopIn(box: Element | null): HTMLElement | undefined {
  if (!box?.isConnected) return undefined;
  const stops = [box, ...box.querySelectorAll(STOPS)].filter((stop) => stop.matches(STOPS) && stop.checkVisibility());
  return stops[0] as HTMLElement | undefined;
}

/** The row after it, the one before, or what it stood in, a panel by its chosen tab; the screen itself where it is another. */
function stopNear(levels: Surroundings): HTMLElement | undefined {
  const kept = levels.findIndex(({ element }) => element.isConnected);
  const left = levels[kept - 1];
  const beside = stopIn(left?.after ?? null) ?? stopIn(left?.before ?? null);
  if (kept < 0 || beside) return beside;
  for (const { element } of levels.slice(kept)) {
    if (element.id === 'main') return element;
    // All of the app was drawn anew, in another language.
    const main = element.querySelector<HTMLElement>('#main');
    if (main) return main;
    // What floated over the page has closed, and gives the focus back itself.
    if (element.matches('[data-portal]')) return undefined;
    const stop = stopIn(element);
    if (stop) return stop;
  }
  return undefined;
}

/**
 * A key that is held down while the focus moves does nothing where the focus comes to: Enter on Buy is not the
 * confirmation too, nor the next order.
 */
export function ignoreHeldKey(): void {
  const moved = new AbortController();
  const options = { capture: true, signal: moved.signal };
  const ignore = (event: KeyboardEvent) => {
    if (!event.repeat) return moved.abort();
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('keydown', ignore, options);
  window.addEventListener('keyup', () => moved.abort(), options);
}

const isNowhere = () => document.activeElement === document.body;

function moveTo(stop: HTMLElement | undefined): void {
  if (!stop || !isNowhere()) return;
  ignoreHeldKey();
  stop.focus({ preventScroll: true });
}

export const focusNear = (levels: Surroundings) => moveTo(stopNear(levels));

/** A button cannot have the focus while what it asked for is done; then it gets it back, or what is near, if it is gone. */
function followDisabled(button: HTMLElement, levels: Surroundings): void {
  const observer = new MutationObserver(() => {
    if (isNowhere() && button.isConnected && button.matches(':disabled')) return;
    observer.disconnect();
    if (!button.isConnected) focusNear(levels);
    else moveTo(button);
  });
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
}

function follow({ target, relatedTarget }: FocusEvent): void {
  // It has gone somewhere, or to another window.
  if (relatedTarget || !document.hasFocus() || !(target instanceof HTMLElement)) return;
  const levels = surroundingsOf(target);
  const wasDisabled = target.matches(':disabled');
  // What is drawn in its place is there then, and what closed has given the focus back.
  setTimeout(() => {
    if (!isNowhere()) return;
    if (!target.isConnected) focusNear(levels);
    else if (target.matches(':disabled')) followDisabled(target, levels);
    else if (wasDisabled) moveTo(target);
  });
}
document.addEventListener('focusout', follow);
