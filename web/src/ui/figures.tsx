/** Numbers on screen: exact text in, tabular figures out. */

import { memo } from 'react';
import { decimal, rescale } from '../lib/decimal.ts';
import { formatDecimal, formatDollars, formatPercent, formatPrice, splitTrailingZeros } from '../lib/format.ts';
import classes from './figures.module.css';
import { IconArrowDownRight, IconArrowUpRight } from './first-icons.ts';

export type Direction = 'up' | 'down' | 'flat';

export function directionOf(value: string): Direction {
  const { units } = decimal(value);
  return units > 0n ? 'up' : units < 0n ? 'down' : 'flat';
}

interface AmountProps {
  readonly value: string;
  /** Decimals shown. */
  readonly digits: number;
  readonly coin?: string;
  readonly className?: string | undefined;
}

/** An amount with its trailing zeros dimmed, so that the eye finds the digits that count. */
export const Amount = memo(function Amount({ value, digits, coin, className }: AmountProps) {
  const [figures, zeros] = splitTrailingZeros(formatDecimal(value, digits));
  return (
    <span translate="no" className={className ? `${classes.figure} ${className}` : classes.figure}>
      {figures}
      {zeros && <span className={classes.zeros}>{zeros}</span>}
      {coin && <span className={classes.coin}> {coin}</span>}
    </span>
  );
});

interface PriceProps {
  readonly value: string;
  readonly scale: number;
  readonly direction?: Direction | undefined;
  readonly className?: string | undefined;
}

/** A price with as many decimals as it is told. */
export const Price = memo(function Price({ value, scale, direction, className }: PriceProps) {
  const tone = direction && direction !== 'flat' ? classes[direction] : '';
  return (
    <span translate="no" className={`${classes.figure} ${tone} ${className ?? ''}`}>
      {formatPrice(value, scale)}
    </span>
  );
});

interface DollarsProps {
  readonly value: string;
  readonly digits: number;
}

/** `$1,234.50`, with the sign where the language puts it. */
export const Dollars = memo(function Dollars({ value, digits }: DollarsProps) {
  return (
    <span translate="no" className={classes.figure}>
      {value ? formatDollars(value, digits) : '–'}
    </span>
  );
});

interface ChangeProps {
  /** Percent, signed. */
  readonly value: string;
  readonly digits?: number;
  readonly arrow?: boolean;
}

/** A change in percent: colour, sign and, where there is room, an arrow. */
export const Change = memo(function Change({ value, digits = 2, arrow = false }: ChangeProps) {
  const direction = directionOf(rescaledText(value, digits));
  const Arrow = direction === 'down' ? IconArrowDownRight : IconArrowUpRight;
  return (
    <span translate="no" className={`${classes.figure} ${classes[direction]}`}>
      {arrow && direction !== 'flat' && <Arrow size={14} aria-hidden className={classes.arrow} />}
      {value ? formatPercent(value, digits) : '–'}
    </span>
  );
});

/** What rounds to zero is shown as zero, without a direction. */
function rescaledText(value: string, digits: number): string {
  return rescale(decimal(value), digits, 'nearest').units.toString();
}
