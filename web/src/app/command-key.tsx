/** Waits for Ctrl K and then brings the command palette, which listens for itself from then on. */
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';

const CommandPalette = lazy(() => import('./command-palette.tsx'));

export function CommandKey() {
  const [wanted, setWanted] = useState(false);
  useHotkeys(wanted ? [] : [['mod+K', () => setWanted(true)]], []);
  return <Suspense>{wanted && <CommandPalette />}</Suspense>;
}
