/** Which rows of a long table are in view as the page scrolls; the rest is empty space of the same height. */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** A tall row with its hairline, as in the style sheet. */
const ROW_PX = 53;
const OVERSCAN = 8;

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
  });
  if (!enabled) return { table, first: 0, end: count, before: 0, after: 0 };
  const items = rows.getVirtualItems();
  const [first, last] = [items.at(0), items.at(-1)];
  return {
    table,
    first: first?.index ?? 0,
    end: (last?.index ?? -1) + 1,
    before: (first?.start ?? top) - top,
    after: rows.getTotalSize() - ((last?.end ?? top) - top),
  };
}
