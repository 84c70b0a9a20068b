/** Everything that is made of Mantine's components stands in it; the shell and the first page do without them. */
import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import './mantine-styles.ts';
import { theme } from './theme.ts';

/** The page's colours are `useAppearance`'s and the style sheet's. */
const nothing = () => undefined;

export function Themed({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      withCssVariables={false}
      withGlobalClasses={false}
      forceColorScheme="dark"
      getRootElement={nothing}
    >
      {children}
    </MantineProvider>
  );
}
