/** An address with a hash leads to the end of the page, and stays there while the page grows, until the person moves. */
import { useEffect } from 'react';
import { useLocation } from 'react-router';

const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

export function useScrollToEnd(): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (hash === '' || key === '') return;
    const toEnd = () => window.scrollTo({ top: document.documentElement.scrollHeight });
    const growth = new ResizeObserver(toEnd);
    const stop = () => {
      growth.disconnect();
      for (const move of MOVES) window.removeEventListener(move, stop);
    };
    growth.observe(document.body);
    for (const move of MOVES) window.addEventListener(move, stop, { passive: true });
    return stop;
  }, [hash, key]);
}
