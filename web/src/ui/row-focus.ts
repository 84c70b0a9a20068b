import type { KeyboardEvent } from 'react';

/** Where a key leads from one of so many rows; the ends are ends. */
function rowAt(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowUp') return Math.max(0, at - 1);
  if (key === 'ArrowDown') return Math.min(count - 1, at + 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** One stop for Tab in a column of buttons; up, down, Home and End move within it. */
export function moveRowFocus(event: KeyboardEvent<HTMLElement>): void {
  const row = event.currentTarget;
  const rows = [...(row.parentElement?.children ?? [])].filter((element) => element instanceof HTMLButtonElement);
  const to = rowAt(event.key, rows.indexOf(row as HTMLButtonElement), rows.length);
  if (to === undefined) return;
  event.preventDefault();
  rows[to]?.focus();
}
