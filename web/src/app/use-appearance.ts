/** Colours of the page: its scheme, and those of up and down. */
import { useEffect } from 'react';
import { type Scheme, usePreferences } from '../lib/preferences-store.ts';

/** @param scheme one that the screen insists on */
export function useAppearance(scheme: Scheme | undefined): void {
  const preferred = usePreferences((preferences) => preferences.scheme);
  const direction = usePreferences((preferences) => preferences.direction);
  useEffect(() => {
    document.documentElement.dataset.direction = direction;
  }, [direction]);
  useEffect(() => {
    document.documentElement.dataset.mantineColorScheme = scheme ?? preferred;
  }, [scheme, preferred]);
}
