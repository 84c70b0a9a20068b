/** Asks above, last price in the middle, bids below; as many levels as the height has room for. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { formatShare } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { toInteger } from '../../../lib/order-book/book-state.ts';
import { useBook } from '../../../lib/order-book/use-book.ts';
import { scaled } from '../../../ui/text-scale.ts';
import figureRows from '../figure-rows.module.css';
import { useTradePreferences } from '../trade-preferences.ts';
import { imbalanceOf, shownLevels } from './book-levels.ts';
import { BookMiddle } from './book-middle.tsx';
import { BookSide } from './book-side.tsx';
import classes from './order-book.module.css';
import { StepMenu } from './step-menu.tsx';
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
  const [step, setStep] = useState(1);
  const own = useOwnPrices(pair);
  const sides = useTradePreferences((preferences) => preferences.bookSides);
  const fitting = Math.floor((height - scaled(FIXED_PX)) / (sides === 'both' ? 2 : 1) / scaled(ROW_PX));
  const count = height === 0 ? 0 : Math.max(LEAST_LEVELS, fitting);
  const lastTicks = toInteger(pair.close ?? '', pair.price_scale);
  const shape = { pair, step, count };
  return (
    <div className={classes.book} ref={ref}>
      <div className={`${figureRows.head} ${classes.head}`}>
        <span>{t('Price ({{coin}})', { coin: pair.pair_name.split('-')[1] ?? '' })}</span>
        <span>{t('Amount ({{coin}})', { coin: pair.coin })}</span>
        <span>{t('Total')}</span>
        <span>%</span>
      </div>
      {sides !== 'bids' && <BookSide {...shape} side="asks" own={own.asks} onPrice={onPrice} />}
      <BookMiddle pair={pair}>
        <StepMenu value={step} lastTicks={lastTicks} scale={pair.price_scale} onChange={setStep} />
      </BookMiddle>
      {sides !== 'asks' && <BookSide {...shape} side="bids" own={own.bids} onPrice={onPrice} />}
      <Imbalance {...shape} />
    </div>
  );
}

interface ImbalanceProps {
  readonly pair: CoinPair;
  readonly step: number;
  readonly count: number;
}

/** Which side of the shown book is heavier. Its place is kept while it loads. */
function Imbalance({ pair, step, count }: ImbalanceProps) {
  const shown = shownLevels(useBook(pair), step, count);
  const share = shown && imbalanceOf(shown);
  if (share === undefined) return <div className={classes.imbalance} />;
  return (
    <div className={classes.imbalance} title={t('Bids and asks of the shown levels')}>
      <span className={classes.bid}>{t('Bids {{share}}', { share: formatShare(share, 0) })}</span>
      <span className={classes.balance} style={{ backgroundSize: `${share}% 100%` }} aria-hidden />
      <span className={classes.ask}>{t('Asks {{share}}', { share: formatShare(100 - share, 0) })}</span>
    </div>
  );
}
