/** Which rows of a long table are in view as the page scrolls; the rest is empty space of the same height. */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** A tall row with its hairline, as in the style sheet. */
const ROW_PX = 53;
const OVERSCAN = 8;
/** Rows come and go by so many at a time: in most frames of a scroll the table then stays as it is. */
const CHUNK = 4;

export interface RowWindow {
  readonly table: RefObject<HTMLTableElement | null>;
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  /** Pixels that stand for the rows before and after. */
  readonly before: number;
  readonly after: number;
}

/** @param enabled otherwise every row is in view */
export function useRowWindow(count: number, enabled: boolean): RowWindow {
  const table = useRef<HTMLTableElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (enabled && table.current) setTop(table.current.getBoundingClientRect().top + window.scrollY);
  }, [enabled]);
  const rows = useWindowVirtualizer({
    count,
    enabled,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
    // The rows beyond the edge give time enough to draw the next ones.
    useFlushSync: false,
  });
  if (!enabled) return { table, first: 0, end: count, before: 0, after: 0 };
  const items = rows.getVirtualItems();
  const first = Math.floor((items.at(0)?.index ?? 0) / CHUNK) * CHUNK;
  const end = Math.min(count, Math.ceil(((items.at(-1)?.index ?? -1) + 1) / CHUNK) * CHUNK);
  return { table, first, end, before: first * ROW_PX, after: (count - end) * ROW_PX };
}
