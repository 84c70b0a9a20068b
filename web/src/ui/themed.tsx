/** Everything that is made of Mantine's components stands in it; the shell and the first page do without them. */
import { MantineContext, MantineThemeProvider } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import './mantine-styles.ts';
import { theme } from './theme.ts';

const nothing = () => undefined;

/**
 * What `MantineProvider` would say. It would also bring what writes variables and follows the system's colours, which are
 * the style sheet's here and `useAppearance`'s.
 */
const SETTINGS: ComponentProps<typeof MantineContext>['value'] = {
  colorScheme: 'dark',
  setColorScheme: nothing,
  clearColorScheme: nothing,
  getRootElement: nothing,
  classNamesPrefix: 'mantine',
  cssVariablesSelector: ':root',
  withStaticClasses: true,
};

export function Themed({ children }: { readonly children: ReactNode }) {
  return (
    <MantineContext value={SETTINGS}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  );
}
