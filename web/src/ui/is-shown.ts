import { useEffect, useRef } from 'react';

/** Whether the component is still there, for what is done when an answer comes late. */
export function useIsShown(): () => boolean {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return () => shown.current;
}
