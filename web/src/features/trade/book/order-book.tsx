/** Asks above, last price in the middle, bids below; as many levels as the height has room for. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { type Level, levelsOf } from './book-levels.ts';
import { BookMiddle } from './book-middle.tsx';
import { BookSide } from './book-side.tsx';
import { toInteger } from './book-state.ts';
import classes from './order-book.module.css';
import { StepMenu } from './step-menu.tsx';
import { useBook } from './use-book.ts';

const ROW_PX = 24;
const FIXED_PX = 26 + 40;
const LEAST_LEVELS = 5;

interface OrderBookProps {
  readonly pair: CoinPair;
  readonly onPrice: (price: string) => void;
}

export function OrderBook({ pair, onPrice }: OrderBookProps) {
  const { ref, height } = useElementSize();
  const [wantedStep, setStep] = useState(1);
  const book = useBook(pair.pair_name, pair.price_scale, pair.quantity_scale);
  const fitting = Math.floor((height - FIXED_PX) / 2 / ROW_PX);
  const count = height === 0 ? 0 : Math.max(LEAST_LEVELS, fitting);
  const lastTicks = toInteger(pair.close, pair.price_scale);
  const asks = book ? levelsOf(book.asks, wantedStep, true, count) : [];
  const bids = book ? levelsOf(book.bids, wantedStep, false, count) : [];
  const deepest = Math.max(1, deepestOf(asks), deepestOf(bids));
  const side = { pair, step: wantedStep, count, deepest, loading: !book, onPrice };
  return (
    <div className={classes.book} ref={ref}>
      <div className={classes.head}>
        <span>
          {t('Price (')}
          {pair.pair_name.split('-')[1]})
        </span>
        <span>
          {t('Amount (')}
          {pair.coin})
        </span>
        <span>{t('Total')}</span>
        <span>%</span>
      </div>
      <BookSide {...side} levels={asks} direction="down" />
      <BookMiddle pair={pair} book={book}>
        <StepMenu value={wantedStep} lastTicks={lastTicks} scale={pair.price_scale} onChange={setStep} />
      </BookMiddle>
      <BookSide {...side} levels={bids} direction="up" />
    </div>
  );
}

function deepestOf(levels: readonly Level[]): number {
  return levels.at(-1)?.cumulative ?? 0;
}
