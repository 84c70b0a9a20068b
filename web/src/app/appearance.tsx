/** Theme and direction colours for everything below it. */
import { MantineProvider } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { type Scheme, usePreferences } from '../lib/preferences-store.ts';
import { cssVariablesResolver, theme } from '../ui/theme.ts';

interface AppearanceProps {
  /** A scheme that the screen insists on. */
  readonly scheme: Scheme | undefined;
  readonly children: ReactNode;
}

export function Appearance({ scheme, children }: AppearanceProps) {
  const preferred = usePreferences((preferences) => preferences.scheme);
  const direction = usePreferences((preferences) => preferences.direction);
  useEffect(() => {
    document.documentElement.dataset.direction = direction;
  }, [direction]);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} forceColorScheme={scheme ?? preferred}>
      {children}
    </MantineProvider>
  );
}
