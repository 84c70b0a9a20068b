/** Whether the chart has been pointed at, and the two gestures that open its menu: a right click and a long press. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type ClientPoint, useChartMenu } from './chart-menu.ts';

const LONG_PRESS_MS = 500;
/** A finger never holds quite still. */
const STILL_PX = 10;

interface Press extends ClientPoint {
  readonly since: number;
}

/**
 * A finger that holds still and then lifts opens the menu; one that moves reads the crosshair, as the chart has it. The
 * browser's own long press would come before it is known which of the two it is.
 */
function followPresses(element: HTMLElement, signal: AbortSignal): void {
  let press: Press | undefined;
  const options = { signal };
  element.addEventListener(
    'pointerdown',
    ({ pointerType, isPrimary, clientX: x, clientY: y, timeStamp: since }) => {
      press = pointerType === 'touch' && isPrimary ? { x, y, since } : undefined;
    },
    options,
  );
  element.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      if (press && Math.hypot(clientX - press.x, clientY - press.y) > STILL_PX) press = undefined;
    },
    options,
  );
  element.addEventListener('pointercancel', () => (press = undefined), options);
  element.addEventListener(
    'pointerup',
    ({ timeStamp }) => {
      if (press && timeStamp - press.since >= LONG_PRESS_MS) useChartMenu.getState().open({ x: press.x, y: press.y });
      press = undefined;
    },
    options,
  );
}

/** The chart shows a hand over what can be dragged or removed; there the pointer means that thing, and not the price. */
export const isOverFigure = (pane: HTMLElement | null | undefined): boolean => pane?.style.cursor === 'pointer';

function followRightClicks(element: HTMLElement, signal: AbortSignal): void {
  element.addEventListener(
    'contextmenu',
    (event) => {
      event.preventDefault();
      const { pointerType } = event as PointerEvent;
      const over = [...element.querySelectorAll<HTMLElement>('div')].some(isOverFigure);
      if (pointerType !== 'touch' && !over) useChartMenu.getState().open({ x: event.clientX, y: event.clientY });
    },
    { signal },
  );
}

interface PointedAt {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly isPointedAt: boolean;
}

export function usePointedAt(enabled: boolean): PointedAt {
  const ref = useRef<HTMLDivElement>(null);
  const [isPointedAt, setPointedAt] = useState(false);
  const asked = useChartMenu((store) => store.at !== undefined);
  useEffect(() => {
    const element = ref.current;
    if (!element || !enabled) return;
    const leaving = new AbortController();
    followPresses(element, leaving.signal);
    followRightClicks(element, leaving.signal);
    for (const name of ['pointerenter', 'pointermove', 'focusin']) {
      element.addEventListener(name, () => setPointedAt(true), { signal: leaving.signal, once: true });
    }
    return () => leaving.abort();
  }, [enabled]);
  return { ref, isPointedAt: enabled && (isPointedAt || asked) };
}
