import type { KeyboardEvent } from 'react';

/** Where a key leads from one of so many rows; the ends are ends. */
function rowAt(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowUp') return Math.max(0, at - 1);
  if (key === 'ArrowDown') return Math.min(count - 1, at + 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

function move(event: KeyboardEvent<HTMLElement>, to: HTMLElement | undefined): void {
  if (!to) return;
  event.preventDefault();
  to.focus();
}

/** One stop for Tab in a column of buttons; up, down, Home and End move within it. */
export function moveRowFocus(event: KeyboardEvent<HTMLElement>): void {
  const row = event.currentTarget;
  const rows = [...(row.parentElement?.children ?? [])].filter((element) => element instanceof HTMLButtonElement);
  const to = rowAt(event.key, rows.indexOf(row as HTMLButtonElement), rows.length);
  move(event, to === undefined ? undefined : rows[to]);
}

/** As `moveRowFocus`, for the links and buttons of rows that have a few each; left and right move within a row. */
export function moveGridFocus(event: KeyboardEvent<HTMLElement>): void {
  const cell = event.currentTarget;
  const list = cell.parentElement?.parentElement;
  const rows = [...(list?.children ?? [])]
    .map((row) => [...row.querySelectorAll<HTMLElement>(':scope > a, :scope > button')])
    .filter((cells) => cells.length > 0);
  const at = rows.findIndex((cells) => cells.includes(cell));
  const column = rows[at]?.indexOf(cell) ?? 0;
  const aside = { ArrowLeft: column - 1, ArrowRight: column + 1 }[event.key];
  const to = rowAt(event.key, at, rows.length);
  if (aside !== undefined) move(event, rows[at]?.[aside]);
  else if (to !== undefined) move(event, rows[to]?.[column]);
}
