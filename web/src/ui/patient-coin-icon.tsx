/**
 * A coin's icon in a long list. Each is a picture to fetch and to parse, so those that only fly by are left out: the
 * letter stands until the page rests.
 */
import { useEffect, useState } from 'react';
import { CoinIcon, CoinLetter } from './coin-icon.tsx';

const RESTS_AFTER_MS = 120;

const shownBefore = new Set<string>();
const waiting = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function rest(): void {
  timer = undefined;
  for (const show of waiting) show();
  waiting.clear();
}

function move(): void {
  clearTimeout(timer);
  timer = setTimeout(rest, RESTS_AFTER_MS);
}

window.addEventListener('scroll', move, { passive: true });

interface PatientCoinIconProps {
  readonly code: string;
  readonly size: number;
}

/** For one coin all its life: in a list, rows have keys. */
export function PatientCoinIcon({ code, size }: PatientCoinIconProps) {
  const [shown, setShown] = useState(() => timer === undefined || shownBefore.has(code));
  useEffect(() => {
    if (shown) {
      shownBefore.add(code);
      return;
    }
    const show = () => setShown(true);
    waiting.add(show);
    return () => void waiting.delete(show);
  }, [shown, code]);
  return shown ? <CoinIcon code={code} size={size} /> : <CoinLetter code={code} size={size} />;
}
