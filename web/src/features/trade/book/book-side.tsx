import type { CoinPair } from '@cambist/contract/markets.ts';
import { memo } from 'react';
import { toText } from '../../../lib/decimal.ts';
import { formatCompact, formatDecimal } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { moveRowFocus } from '../../../ui/row-focus.ts';
import type { Level } from './book-levels.ts';
import classes from './order-book.module.css';

interface BookSideProps {
  readonly pair: CoinPair;
  readonly levels: readonly Level[];
  readonly step: number;
  /** Rows that are always there, filled or not, so that nothing jumps. */
  readonly count: number;
  /** The deepest running total of both sides: the full width of a depth bar. */
  readonly deepest: number;
  readonly loading: boolean;
  readonly direction: 'up' | 'down';
  readonly onPrice: (price: string) => void;
}

const AMOUNT_DIGITS = 5;
const LONG = 100_000;

export function BookSide({ levels, count, loading, direction, ...shared }: BookSideProps) {
  const isAsk = direction === 'down';
  const missing = Math.max(0, count - levels.length);
  // Keyed by place and not by price: numbers change where they stand, and nothing moves.
  const rows = levels.map((level, rank) => (
    <BookRow key={`level-${rank.toString()}`} level={level} best={rank === 0} direction={direction} {...shared} />
  ));
  const blanks = Array.from({ length: missing }, (_, index) => (
    <div key={`blank-${index.toString()}`} className={classes.blank} aria-hidden>
      {loading && <span className={classes.bone} />}
    </div>
  ));
  return (
    <section className={classes.side} aria-label={isAsk ? 'Asks' : 'Bids'} aria-busy={loading}>
      {loading && <span className="visually-hidden">{t('Loading...')}</span>}
      {isAsk && blanks}
      {isAsk ? rows.reverse() : rows}
      {!isAsk && blanks}
    </section>
  );
}

/** Five decimals where the pair has them; very long numbers are shortened so that the columns stay apart. */
function sizeText(lots: number, scale: number): string {
  const size = { units: BigInt(lots), scale };
  if (lots >= LONG * 10 ** scale) return formatCompact(toText(size));
  return formatDecimal(size, Math.min(AMOUNT_DIGITS, scale));
}

interface BookRowProps extends Pick<BookSideProps, 'pair' | 'step' | 'deepest' | 'direction' | 'onPrice'> {
  readonly level: Level;
  /** The one row that Tab stops at. */
  readonly best: boolean;
}

const BookRow = memo(function BookRow({ pair, level, best, deepest, direction, onPrice }: BookRowProps) {
  const price = toText({ units: BigInt(level.ticks), scale: pair.price_scale });
  const size = (lots: number) => sizeText(lots, pair.quantity_scale);
  return (
    <button
      type="button"
      className={classes.row}
      tabIndex={best ? 0 : -1}
      onKeyDown={moveRowFocus}
      onClick={() => onPrice(price)}
      title={`${level.percent.toFixed(2)}% of the shown side`}
    >
      <span
        className={direction === 'up' ? classes.bidBar : classes.askBar}
        style={{ transform: `scaleX(${level.cumulative / deepest})` }}
      />
      <span className={direction === 'up' ? classes.bid : classes.ask}>{formatDecimal(price, pair.price_scale)}</span>
      <span>{size(level.lots)}</span>
      <span>{size(level.cumulative)}</span>
      <span className={classes.percent}>{level.percent.toFixed(level.percent < 10 ? 1 : 0)}%</span>
    </button>
  );
});
