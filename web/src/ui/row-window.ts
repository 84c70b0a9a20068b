/** Which rows of a long list are in view; empty space of the same height stands for the rest. All are equally tall. */
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { scaled } from './text-scale.ts';

interface RowWindowOptions {
  readonly rows: number;
  /** At the browser's usual text size, with which rows grow. */
  readonly rowPx: number;
  /** Rows beyond either edge, which are there before anybody looks. */
  readonly spare: number;
  /** What moves: the page that the list stands in, or the list itself. */
  readonly scroller: 'page' | 'list';
  /** Otherwise every row is in view. */
  readonly enabled?: boolean;
}

interface RowRange {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

interface Shown extends RowRange {
  /** As tall as a row is. */
  readonly rowPx: number;
}

export interface RowWindow<Box extends HTMLElement> extends RowRange {
  /** Of the list. */
  readonly box: RefObject<Box | null>;
  /** Pixels that stand for the rows before and after. */
  readonly before: number;
  readonly after: number;
}

/** What is seen of a list from pixel `from` on, `height` pixels of it, and the spare rows. */
export function rowsInView(from: number, height: number, options: RowWindowOptions): RowRange {
  const { rows, rowPx, spare } = options;
  const within = (row: number) => Math.min(rows, Math.max(0, row));
  return {
    first: within(Math.floor(from / rowPx) - spare),
    end: within(Math.ceil((from + height) / rowPx) + spare),
  };
}

function watch(box: HTMLElement, scroller: 'page' | 'list', listener: () => void): () => void {
  const target = scroller === 'page' ? window : box;
  const sizes = new ResizeObserver(listener);
  target.addEventListener('scroll', listener, { passive: true });
  sizes.observe(scroller === 'page' ? document.documentElement : box);
  return () => {
    target.removeEventListener('scroll', listener);
    sizes.disconnect();
  };
}

export function useRowWindow<Box extends HTMLElement>(options: RowWindowOptions): RowWindow<Box> {
  const { rows, spare, scroller, enabled = true } = options;
  const box = useRef<Box>(null);
  const [range, setRange] = useState<Shown>({ first: 0, end: spare, rowPx: options.rowPx });
  useLayoutEffect(() => {
    const list = box.current;
    if (!enabled || !list) return;
    const look = () => {
      const from = scroller === 'page' ? -list.getBoundingClientRect().top : list.scrollTop;
      const height = scroller === 'page' ? window.innerHeight : list.clientHeight;
      const rowPx = scaled(options.rowPx);
      const next = { ...rowsInView(from, height, { rows, rowPx, spare, scroller }), rowPx };
      const isSame = (now: Shown) => now.first === next.first && now.end === next.end && now.rowPx === rowPx;
      setRange((now) => (isSame(now) ? now : next));
    };
    look();
    return watch(list, scroller, look);
  }, [rows, options.rowPx, spare, scroller, enabled]);
  if (!enabled) return { box, first: 0, end: rows, before: 0, after: 0 };
  const first = Math.min(range.first, rows);
  const end = Math.min(range.end, rows);
  return { box, first, end, before: first * range.rowPx, after: (rows - end) * range.rowPx };
}
