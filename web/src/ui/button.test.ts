/** The shell's buttons are Mantine's, whatever version of it is installed. */
import { ActionIcon, Button as MantineButton, MantineProvider, UnstyledButton } from '@mantine/core';
import { createElement as draw, type FunctionComponent, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, Link, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { Button, ButtonLink, IconButton, IconLink, PlainButton } from './button.tsx';
import { palette } from './palette.ts';

/** Whatever they are given; what may be is not asked here. */
const AnyButton = MantineButton as FunctionComponent<Record<string, unknown>>;
const AnyIcon = ActionIcon as FunctionComponent<Record<string, unknown>>;
const AnyPlain = UnstyledButton as FunctionComponent<Record<string, unknown>>;

const PROVIDER = { theme: palette, withCssVariables: false, withGlobalClasses: false };

/** What is drawn, with attributes in the order of the alphabet. */
function drawn(button: ReactNode): string {
  const router = createMemoryRouter([{ path: '/', element: draw(MantineProvider, PROVIDER, button) }]);
  const markup = renderToStaticMarkup(draw(RouterProvider, { router }));
  return markup.replace(/<(\w+)((?: [\w-]+(?:="[^"]*")?)*)>/g, (_, tag: string, attributes: string) => {
    const sorted = (attributes.match(/[\w-]+(="[^"]*")?/g) ?? []).sort();
    return `<${[tag, ...sorted].join(' ')}>`;
  });
}

const looks = ([undefined, 'compact-sm', 'compact-md', 'lg'] as const).flatMap((size) =>
  ([undefined, 'default', 'subtle'] as const).map((variant) => [size, variant] as const),
);

it.each(looks)('a button of size %s and variant %s looks as its like of Mantine', (size, variant) => {
  const look = { ...(size && { size }), ...(variant && { variant }), className: 'own' };
  const like = variant === 'subtle' ? { ...look, color: 'gray' } : look;
  expect(drawn(draw(Button, look, 'Save'))).toBe(drawn(draw(AnyButton, like, 'Save')));
  const rest = { to: '/wallet', leftSection: draw('b') };
  const link = draw(AnyButton, { component: Link, ...like, ...rest }, 'Wallet');
  expect(drawn(draw(ButtonLink, { ...look, ...rest }, 'Wallet'))).toBe(drawn(link));
});

it.each(['sm', 'lg'] as const)('an icon of size %s looks as its like of Mantine', (size) => {
  for (const variant of ['subtle', 'transparent'] as const) {
    const look = variant === 'subtle' ? { size } : { size, variant };
    const like = { size, variant, color: 'gray', 'aria-label': 'Close' };
    for (const disabled of [false, true]) {
      const own = draw(IconButton, { ...look, disabled, 'aria-label': 'Close' });
      expect(drawn(own)).toBe(drawn(draw(AnyIcon, { ...like, disabled })));
    }
    const link = draw(AnyIcon, { component: Link, to: '/', ...like });
    expect(drawn(draw(IconLink, { ...look, to: '/', 'aria-label': 'Close' }))).toBe(drawn(link));
  }
});

it('a plain button is as its like of Mantine', () => {
  const plain = draw(PlainButton, { className: 'own' }, 'Earn');
  expect(drawn(plain)).toBe(drawn(draw(AnyPlain, { className: 'own' }, 'Earn')));
});
