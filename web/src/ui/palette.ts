/**
 * Mantine's colours and sizes in our tokens; the tokens themselves are in `tokens.css`. The build makes a style sheet of
 * them (`vite/theme-variables.ts`), so nothing here may need a page.
 */
import type { CSSVariablesResolver, MantineColorsTuple, MantineThemeOverride } from '@mantine/core';

const accent: MantineColorsTuple = [
  '#eaf1ff',
  '#d3e1fe',
  '#a7c3fc',
  '#7fb0ff',
  '#558cf8',
  '#3f7df3',
  '#2f6fed',
  '#2560d6',
  '#1d52c0',
  '#1846a6',
];

/** Mantine's own dark scale, from text to page, in the blue-grey of our surfaces. */
const dark: MantineColorsTuple = [
  '#e8ecf2',
  '#c3cad5',
  '#a3adbb',
  '#838e9f',
  '#303a4b',
  '#222a38',
  '#181e29',
  '#10141c',
  '#0b0e14',
  '#07090d',
];

const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#f2f4f8',
  '#e6eaf0',
  '#d8dde5',
  '#c9d0da',
  '#a3acb9',
  '#5b6675',
  '#4d5866',
  '#2c3541',
  '#141a23',
];

const font = '"Inter Variable", "Inter Stand-in", system-ui, sans-serif';

export const palette = {
  primaryColor: 'accent',
  primaryShade: 6,
  colors: { accent, dark, gray },
  fontFamily: font,
  headings: { fontFamily: font, fontWeight: '600' },
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
} satisfies MantineThemeOverride;

/** Mantine's name for a colour, and ours: its own shades have too little contrast on our surfaces. */
const STATES = { teal: 'green', red: 'red', yellow: 'warning' } as const;

const stateVariables = Object.fromEntries(
  Object.entries(STATES).flatMap(([name, token]) => [
    [`--mantine-color-${name}-light`, `var(--${token}-soft)`],
    [`--mantine-color-${name}-light-color`, `var(--${token})`],
    [`--mantine-color-${name}-text`, `var(--${token})`],
  ]),
);

const variables = {
  ...stateVariables,
  '--mantine-color-body': 'var(--surface-1)',
  '--mantine-color-text': 'var(--text-1)',
  '--mantine-color-dimmed': 'var(--text-2)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-default': 'var(--surface-2)',
  '--mantine-color-default-hover': 'var(--surface-3)',
  '--mantine-color-default-color': 'var(--text-1)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-red-filled': 'var(--red-fill)',
  '--mantine-color-red-filled-hover': 'var(--red-fill-hover)',
  '--mantine-color-error': 'var(--red)',
  '--mantine-color-disabled': 'var(--surface-3)',
  '--mantine-color-disabled-color': 'var(--text-3)',
  '--mantine-primary-color-filled': 'var(--accent-fill)',
  '--mantine-primary-color-filled-hover': 'var(--accent-fill-hover)',
  '--mantine-primary-color-light': 'var(--accent-soft)',
  '--mantine-primary-color-light-color': 'var(--accent)',
  '--mantine-color-accent-filled': 'var(--accent-fill)',
  '--mantine-color-accent-filled-hover': 'var(--accent-fill-hover)',
  '--mantine-color-accent-light': 'var(--accent-soft)',
  '--mantine-color-accent-light-color': 'var(--accent)',
  '--mantine-color-accent-text': 'var(--accent)',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, dark: variables, light: variables });
