import type { KeyboardEvent } from 'react';

/** One stop for Tab in a column of rows; up and down move within it. */
export function moveRowFocus(event: KeyboardEvent<HTMLElement>): void {
  const row = event.currentTarget;
  const next =
    event.key === 'ArrowDown' ? row.nextElementSibling : event.key === 'ArrowUp' ? row.previousElementSibling : null;
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}
