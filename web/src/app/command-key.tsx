/** Waits for Ctrl K and then brings the command palette, which listens for itself from then on. */
import { Suspense, useEffect, useState } from 'react';
import { themedPart } from '../ui/part.tsx';

const CommandPalette = themedPart(() => import('./command-palette.tsx'), 'over');

export function CommandKey() {
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    if (wanted) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setWanted(true);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [wanted]);
  return <Suspense>{wanted && <CommandPalette />}</Suspense>;
}
