/** What opens over the page takes the focus, Escape and Back, and gives the focus back when it closes. */
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { leaveByBack } from '../lib/back-button.ts';
import { focusNear, ignoreHeldKey, type Surroundings, surroundingsOf } from './kept-focus.ts';

interface Return {
  /** Where the focus may go back to. */
  readonly places: readonly HTMLElement[];
  /** Where it is to go when none of them is there any more, as the row that a dialog has removed. */
  readonly near: Surroundings;
  /** The dialog that this opened over: as long as it is open, nothing behind it may have the focus. */
  readonly over: HTMLElement | null;
}

interface Opened {
  /** What had the focus before. */
  readonly back: Return;
  /** Leaves it by Escape. */
  readonly onEscape: () => void;
}

/** Each thing that is open, the innermost last. */
const opened: Opened[] = [];

const CLOSES_FIRST = '[data-mantine-stop-propagation=true], .mantine-Popover-dropdown *, [role=menu] *';

/** Escape leaves the innermost alone: what was typed in the dialog below a confirmation stays. Held down, it leaves no more. */
function leaveByEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing || event.repeat) return;
  // A list that is open in a field closes first, and so does a menu or a popover, by itself.
  const { target } = event;
  if (target instanceof Element && target.matches(CLOSES_FIRST)) return;
  opened.at(-1)?.onEscape();
}
window.addEventListener('keydown', leaveByEscape, { capture: true });

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
 * The first place that is still there: what has the focus now; what opened the menu that this is an entry of; and, if this
 * closes with what it stands in or in its place, what had the focus before that.
 */
function whereToReturn(): Return {
  const active = focused();
  const before = opened.at(-1)?.back ?? { places: [], near: [], over: null };
  if (!(active instanceof HTMLElement)) return before;
  const label = active.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const button = label ? document.getElementById(label) : null;
  const over = active.closest<HTMLElement>('[role=dialog]');
  const places = [active, ...(button ? [button] : []), ...before.places];
  return { places, near: surroundingsOf(button ?? active), over };
}

/** The focus is nowhere, or still in what closes; otherwise whoever closed it has put it somewhere. */
function isFocusLost(): boolean {
  const active = document.activeElement;
  return !active || active === document.body || active.closest('[role=dialog], [role=menu]') !== null;
}

/** A button that turns cannot have the focus; it gets it once it can, unless that is elsewhere by then. */
function giveLater(place: HTMLElement): void {
  const meanwhile = document.activeElement;
  const observer = new MutationObserver(() => {
    if (place.matches(':disabled')) return;
    observer.disconnect();
    if (document.activeElement === meanwhile) place.focus({ preventScroll: true });
  });
  observer.observe(place, { attributeFilter: ['disabled'] });
}

function giveBack({ places, near, over }: Return): void {
  if (!isFocusLost()) return;
  const isOver = over?.isConnected === true;
  for (const place of places) {
    if (!place.isConnected || (isOver && !over.contains(place))) continue;
    place.focus({ preventScroll: true });
    if (document.activeElement === place) return;
    if (!place.matches(':disabled')) continue;
    if (isOver) over.focus({ preventScroll: true });
    giveLater(place);
    return;
  }
  if (isOver) over.focus({ preventScroll: true });
  else focusNear(near);
}

/**
 * What opens takes the focus a moment later, on a slow page a long one. Until then keys must not go to what is behind it:
 * Escape would close the dialog and leave the field too, and a digit change an order that is no longer in sight.
 */
function leaveBehind({ places: [behind] }: Return): void {
  if (behind && document.activeElement === behind) behind.blur();
}

interface FocusReturnProps {
  /** Leaves what is open; without one, Escape and Back do nothing here. */
  readonly onEscape?: (() => void) | undefined;
  /** Back leads to what was open in its place before; without this, it leaves as Escape does. */
  readonly onBack?: (() => void) | undefined;
  /** What has the focus is part of what opens, and keeps it. */
  readonly isInside?: boolean;
}

/** Stands beside what is open, for as long as it is. */
export function FocusReturn({ onEscape, onBack = onEscape, isInside = false }: FocusReturnProps) {
  const [back] = useState(whereToReturn);
  const leave = useEffectEvent(() => onEscape?.());
  const goBack = useEffectEvent(() => onBack?.());
  useLayoutEffect(() => {
    if (!isInside) leaveBehind(back);
  }, [back, isInside]);
  useEffect(() => {
    const entry = { back, onEscape: () => leave() };
    opened.push(entry);
    const closed = leaveByBack(() => goBack());
    ignoreHeldKey();
    return () => {
      closed();
      opened.splice(opened.indexOf(entry), 1);
      ignoreHeldKey();
      giveBack(back);
    };
  }, [back]);
  return null;
}
