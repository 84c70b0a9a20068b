import type { CoinPair } from '@cambist/contract/markets.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { compare, decimal, toText } from '../../../lib/decimal.ts';
import { formatPrice, formatShare } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { usePairFigures } from '../../../lib/market/pairs.ts';
import { useBook } from '../../../lib/order-book/use-book.ts';
import type { Direction } from '../../../ui/figures.tsx';
import { IconArrowDown, IconArrowUp } from '../icons.ts';
import { spreadOf } from './book-levels.ts';
import classes from './order-book.module.css';

/** Which way the price last moved; stays until it moves again. */
function useLastMove(price: string): Direction {
  const before = useRef(price);
  const [direction, setDirection] = useState<Direction>('flat');
  useEffect(() => {
    const moved = compare(decimal(price), decimal(before.current));
    before.current = price;
    if (moved !== 0) setDirection(moved > 0 ? 'up' : 'down');
  }, [price]);
  return direction;
}

interface BookMiddleProps {
  readonly pair: CoinPair;
  readonly children: ReactNode;
}

export function BookMiddle({ pair, children }: BookMiddleProps) {
  const book = useBook(pair);
  const { close } = usePairFigures(pair);
  const direction = useLastMove(close);
  const spread = book && spreadOf(book);
  const Arrow = direction === 'down' ? IconArrowDown : IconArrowUp;
  return (
    <div className={classes.middle}>
      <span className={`${classes.last} ${direction === 'flat' ? '' : classes[direction]}`}>
        {formatPrice(close, pair.price_scale)}
        {direction !== 'flat' && <Arrow size={16} aria-hidden />}
      </span>
      {spread && (
        <span className={classes.spread} title={toText({ units: BigInt(spread.ticks), scale: pair.price_scale })}>
          {t('Spread {{percent}}', { percent: formatShare(spread.percent, 3) })}
        </span>
      )}
      {children}
    </div>
  );
}
