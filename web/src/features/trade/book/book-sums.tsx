/** What taking the book up to the level under the pointer would trade, and at which average. Loaded when a level is pointed at. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { Portal } from '@mantine/core';
import { divide, toText } from '../../../lib/decimal.ts';
import { formatDecimal, formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { useBook } from '../../../lib/order-book/use-book.ts';
import { sumTo } from './book-levels.ts';
import classes from './order-book.module.css';

const GAP_PX = 8;

interface BookSumsProps {
  readonly pair: CoinPair;
  readonly side: 'asks' | 'bids';
  /** Ticks of the gathered level. */
  readonly last: number;
  readonly step: number;
  /** Of the row that is pointed at. */
  readonly box: DOMRect;
}

export default function BookSums({ pair, side, last, step, box }: BookSumsProps) {
  const book = useBook(pair, side);
  if (!book) return null;
  const sum = sumTo(book[side], step, side === 'asks', last);
  const lots = { units: BigInt(sum.lots), scale: pair.quantity_scale };
  const value = { units: sum.value, scale: pair.price_scale + pair.quantity_scale };
  const average = divide(value, lots, pair.price_scale, 'nearest');
  if (!average) return null;
  const [, quote = ''] = pair.pair_name.split('-');
  return (
    <Portal>
      <div
        className={classes.sums}
        role="tooltip"
        style={{ top: box.top + box.height / 2, right: window.innerWidth - box.left + GAP_PX }}
      >
        <dl>
          <dt>{t('Average price')}</dt>
          <dd>{formatDecimal(toText(average), pair.price_scale)}</dd>
          <dt>{t('Sum ({{coin}})', { coin: pair.coin })}</dt>
          <dd>{formatExact(lots)}</dd>
          <dt>{t('Sum ({{coin}})', { coin: quote })}</dt>
          <dd>{formatDecimal(value, 2)}</dd>
        </dl>
      </div>
    </Portal>
  );
}
