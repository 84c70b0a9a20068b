/**
 * Mantine's variables in our colours and sizes, as a style sheet. Mantine would write them into the page when it runs,
 * which on the first page it does not.
 */
import { join } from 'node:path';
import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';
import { cssVariablesResolver, palette } from '../src/ui/palette.ts';

const SHEET = join(import.meta.dirname, '../src/ui/theme-variables.css');

export function themeVariables(): Plugin {
  return {
    name: 'theme-variables',
    enforce: 'pre',
    resolveId: (source) => (source.endsWith('/theme-variables.css') ? SHEET : undefined),
    load: (id) => (id === SHEET ? variablesSheet() : undefined),
  };
}

function variablesSheet(): string {
  const drawn = renderToStaticMarkup(createElement(MantineProvider, { theme: palette, cssVariablesResolver }));
  const [, sheet] = /<style data-mantine-styles="true">(.*?)<\/style>/s.exec(drawn) ?? [];
  if (sheet === undefined) throw new Error('Mantine wrote no variables');
  return sheet;
}
