/**
 * Steps of a form on one address, each an entry of the browser's history behind that of the step before it: Back and Forward
 * lead from step to step, and a page that is loaded anew stays at its step. The history has the number of the step alone.
 */
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { goBackUnheard } from './back-button.ts';

interface Kept {
  readonly step?: number;
}

const stepOf = (state: unknown): number => (state as Kept | null)?.step ?? 0;

/**
 * @param furthest the last step that can be shown with what is known: a secret that was typed is gone when the page is loaded
 * anew. An entry of a later step leads back to it
 */
export function useSteps(furthest: number) {
  const location = useLocation();
  const { pathname, search, state } = location;
  const navigate = useNavigate();
  const entry = stepOf(state);
  const step = Math.min(entry, furthest);
  /** Undefined once the page was left, by which an answer may come too late to lead anywhere. */
  const shown = useRef<number>(undefined);
  useEffect(() => {
    shown.current = step;
    return () => {
      shown.current = undefined;
    };
  }, [step]);
  /** Development runs effects twice. By the arrival and not by the entry: Forward may lead here again before the way back has come. */
  const left = useRef<typeof location>(undefined);
  useEffect(() => {
    if (entry <= furthest || left.current === location) return;
    left.current = location;
    void navigate(furthest - entry);
  }, [entry, furthest, location, navigate]);
  return {
    step,
    /** @param from the step that was done; nothing happens where another is shown by now */
    next(from: number): void {
      if (shown.current === from) void navigate(pathname + search, { state: { ...state, step: from + 1 } });
    },
    back: () => void navigate(-1),
  };
}

/** To the entry of the first step, so that what replaces it replaces the steps: Back leads past them all. */
export async function leaveSteps(): Promise<void> {
  const step = stepOf((history.state as { readonly usr?: unknown } | null)?.usr);
  if (step > 0) await goBackUnheard(step);
}
