/** Asks above, last price in the middle, bids below; as many levels as the height has room for. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { formatShare } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { imbalanceOf, type Level, levelsOf } from './book-levels.ts';
import { BookMiddle } from './book-middle.tsx';
import { BookSide } from './book-side.tsx';
import { toInteger } from './book-state.ts';
import classes from './order-book.module.css';
import { StepMenu } from './step-menu.tsx';
import { useBook } from './use-book.ts';
import { useOwnPrices } from './use-own-prices.ts';

const ROW_PX = 24;
const FIXED_PX = 26 + 40 + 22;
/** The specification's depth; taller panels show more. */
const LEAST_LEVELS = 5;

interface OrderBookProps {
  readonly pair: CoinPair;
  readonly onPrice: (price: string) => void;
}

export function OrderBook({ pair, onPrice }: OrderBookProps) {
  const { ref, height } = useElementSize();
  const [wantedStep, setStep] = useState(1);
  const book = useBook(pair);
  const own = useOwnPrices(pair);
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
        <span>{t('Price ({{coin}})', { coin: pair.pair_name.split('-')[1] ?? '' })}</span>
        <span>{t('Amount ({{coin}})', { coin: pair.coin })}</span>
        <span>{t('Total')}</span>
        <span>%</span>
      </div>
      <BookSide {...side} levels={asks} own={own.asks} direction="down" />
      <BookMiddle pair={pair} book={book}>
        <StepMenu value={wantedStep} lastTicks={lastTicks} scale={pair.price_scale} onChange={setStep} />
      </BookMiddle>
      <BookSide {...side} levels={bids} own={own.bids} direction="up" />
      <Imbalance asks={asks} bids={bids} />
    </div>
  );
}

function deepestOf(levels: readonly Level[]): number {
  return levels.at(-1)?.cumulative ?? 0;
}

interface ImbalanceProps {
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
}

/** Which side of the shown book is heavier. Its place is kept while it loads. */
function Imbalance({ asks, bids }: ImbalanceProps) {
  const share = imbalanceOf(asks, bids);
  if (share === undefined) return <div className={classes.imbalance} />;
  return (
    <div className={classes.imbalance} title={t('Bids and asks of the shown levels')}>
      <span className={classes.bid}>{t('Bids {{share}}', { share: formatShare(share, 0) })}</span>
      <span className={classes.balance} style={{ backgroundSize: `${share}% 100%` }} aria-hidden />
      <span className={classes.ask}>{t('Asks {{share}}', { share: formatShare(100 - share, 0) })}</span>
    </div>
  );
}
