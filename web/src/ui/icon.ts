/**
 * How an icon is drawn: one path in a square of 24. The paths are in `icons.ts` here and beside the features, because
 * the package that they are from is a third of the files that a first start would install.
 */
import { type ComponentPropsWithRef, createElement, type ReactNode } from 'react';

interface IconProps extends Omit<ComponentPropsWithRef<'svg'>, 'stroke'> {
  /** Width and height at the browser's usual text size, with which it grows, in pixels; 24 otherwise. */
  readonly size?: number;
  /** Width of the line, in a square of 24; 2 otherwise. A filled icon has none. */
  readonly stroke?: number;
}

export type Icon = (props: IconProps) => ReactNode;

const draw = (d: string, size: number, attributes: object) => {
  const side = `${size / 16}rem`;
  const square = { width: side, height: side, viewBox: '0 0 24 24' };
  return createElement('svg', { ...square, ...attributes }, createElement('path', { d }));
};

const round = { fill: 'none', stroke: 'currentColor', strokeLinecap: 'round', strokeLinejoin: 'round' };

export const outlined =
  (path: string): Icon =>
  ({ size = 24, stroke = 2, ...rest }) =>
    draw(path, size, { ...round, strokeWidth: stroke, ...rest });

export const filled =
  (path: string): Icon =>
  ({ size = 24, stroke: _none, ...rest }) =>
    draw(path, size, { fill: 'currentColor', stroke: 'none', ...rest });
