/** The exchange's time of now, ms since 1970, drawn again at every step. */
import { useEffect, useState } from 'react';
import { exchangeTime } from './exchange-time.ts';

export function useNow(everyMs: number): number {
  const [now, setNow] = useState(exchangeTime);
  useEffect(() => {
    const timer = setInterval(() => setNow(exchangeTime()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
