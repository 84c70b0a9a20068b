/** What opens over the page takes the focus, and gives it back when it closes. */
import { useEffect, useState } from 'react';

/** What had the focus before each thing that is open, the innermost last. */
const opened: (readonly HTMLElement[])[] = [];

/** What has the focus, or was disabled while it had it, as a button is while what it asked for is done. */
let last: Element | undefined;
document.addEventListener('focusin', ({ target }) => {
  last = target instanceof Element ? target : undefined;
});
document.addEventListener('focusout', () => {
  if (!last?.matches(':disabled')) last = undefined;
});

function focused(): Element | undefined {
  const active = document.activeElement;
  return active && active !== document.body ? active : last;
}

/**
 * Where the focus may go back to, the first that is still there: what has it now; what opened the menu that this is an
 * entry of; and, if this closes with what it stands in or in its place, what had the focus before that.
 */
function placesToReturn(): readonly HTMLElement[] {
  const active = focused();
  const before = opened.at(-1) ?? [];
  if (!(active instanceof HTMLElement)) return before;
  const label = active.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const button = label ? document.getElementById(label) : null;
  return [active, ...(button ? [button] : []), ...before];
}

/** The focus is nowhere, or still in what closes; otherwise whoever closed it has put it somewhere. */
function isFocusLost(): boolean {
  const active = document.activeElement;
  return !active || active === document.body || active.closest('[role=dialog], [role=menu]') !== null;
}

function giveBack(places: readonly HTMLElement[]): void {
  if (!isFocusLost()) return;
  for (const place of places) {
    place.focus({ preventScroll: true });
    if (document.activeElement === place) return;
  }
}

/**
 * A key that is held down while the focus moves does nothing where the focus comes to: Enter on Buy is not the
 * confirmation too, nor the next order.
 */
function ignoreHeldKey(): void {
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

/** Stands beside what is open, for as long as it is. */
export function FocusReturn() {
  const [places] = useState(placesToReturn);
  useEffect(() => {
    opened.push(places);
    ignoreHeldKey();
    return () => {
      opened.splice(opened.indexOf(places), 1);
      ignoreHeldKey();
      giveBack(places);
    };
  }, [places]);
  return null;
}
