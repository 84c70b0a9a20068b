import type { CoinPair } from '@cambist/contract/markets.ts';
import { memo, type PointerEvent, Suspense, useCallback, useId, useState } from 'react';
import { toText } from '../../../lib/decimal.ts';
import { formatCompact, formatRowShare, formatUnits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { useBook } from '../../../lib/order-book/use-book.ts';
import { lazyPart } from '../../../ui/part.tsx';
import { moveRowFocus } from '../../../ui/row-focus.ts';
import figureRows from '../figure-rows.module.css';
import { RowWords, useRowName } from '../figure-rows.tsx';
import { deepestOf, groupOf, type Level, shownLevels } from './book-levels.ts';
import { bookWords } from './book-words.ts';
import classes from './order-book.module.css';

interface BookSideProps {
  readonly pair: CoinPair;
  readonly side: 'asks' | 'bids';
  /** Ticks of the person's own orders. */
  readonly own: readonly number[];
  readonly step: number;
  /** Rows that are always there, filled or not, so that nothing jumps. */
  readonly count: number;
  readonly onPrice: (price: string) => void;
}

const BookSums = lazyPart(() => import('./book-sums.tsx'), 'unseen');

const AMOUNT_DIGITS = 5;
const LONG = 100_000;

interface Pointed {
  readonly rank: number;
  readonly box: DOMRect;
}

/** Follows the book by itself, so that each side can be drawn in a frame of its own. */
export function BookSide({ pair, side, own, step, count, onPrice }: BookSideProps) {
  const shown = shownLevels(useBook(pair, side), step, count);
  const loading = !shown;
  const isAsk = side === 'asks';
  const levels = shown?.[side] ?? [];
  const deepest = shown ? deepestOf(shown) : 1;
  const list = useId();
  const [pointed, setPointed] = useState<Pointed>();
  const last = pointed && levels[pointed.rank];
  const onPoint = useCallback((event: PointerEvent<HTMLElement>, rank: number) => {
    // A finger that takes a price wants no figures, and would leave them behind.
    if (event.pointerType === 'mouse') setPointed({ rank, box: event.currentTarget.getBoundingClientRect() });
  }, []);
  const missing = Math.max(0, count - levels.length);
  const mine = new Set(own.map((ticks) => groupOf(ticks, step, isAsk)));
  // Keyed by place and not by price: numbers change where they stand, and nothing moves.
  const rows = levels.map((level, rank) => (
    <BookRow
      key={`level-${rank.toString()}`}
      {...level}
      pair={pair}
      list={list}
      onPrice={onPrice}
      onPoint={onPoint}
      rank={rank}
      counted={pointed !== undefined && rank <= pointed.rank}
      depth={Math.round((level.cumulative / deepest) * 100)}
      own={mine.has(level.ticks)}
      side={side}
    />
  ));
  const blanks = Array.from({ length: missing }, (_, index) => (
    <div key={`blank-${index.toString()}`} className={classes.blank} aria-hidden>
      {loading && <span className={classes.bone} />}
    </div>
  ));
  return (
    <section
      className={classes.side}
      translate="no"
      aria-label={isAsk ? t('Asks') : t('Bids')}
      aria-busy={loading}
      onPointerLeave={() => setPointed(undefined)}
    >
      {loading && <span className="visually-hidden">{t('Loading...')}</span>}
      <RowWords id={list} words={bookWords(side)} />
      {isAsk && blanks}
      {isAsk ? rows.reverse() : rows}
      {!isAsk && blanks}
      {pointed && last && (
        <Suspense>
          <BookSums pair={pair} side={side} last={last.ticks} step={step} box={pointed.box} />
        </Suspense>
      )}
    </section>
  );
}

/** Five decimals where the pair has them; very long numbers are shortened so that the columns stay apart. */
function sizeText(lots: number, scale: number): string {
  if (lots >= LONG * 10 ** scale) return formatCompact(toText({ units: BigInt(lots), scale }));
  return formatUnits(lots, scale, Math.min(AMOUNT_DIGITS, scale));
}

interface BookRowProps extends Level, Pick<BookSideProps, 'pair' | 'side' | 'onPrice'> {
  /** Width of the depth bar, percent. */
  readonly depth: number;
  readonly own: boolean;
  readonly list: string;
  /** From the best price; the first row is the one that Tab stops at. */
  readonly rank: number;
  /** Part of the sum up to the row that is pointed at. */
  readonly counted: boolean;
  readonly onPoint: (event: PointerEvent<HTMLElement>, rank: number) => void;
}

/** Takes plain values, so that a row whose numbers have not changed is not drawn again. */
const BookRow = memo(function BookRow(props: BookRowProps) {
  const { pair, ticks, lots, cumulative, percent, depth, own, list, rank, counted, side, onPrice, onPoint } = props;
  const row = `${list}-${rank}`;
  const name = useRowName(`${list}-side ${row}-price ${list}-amount ${row}-amount ${list}-total ${row}-total`);
  return (
    <button
      type="button"
      {...name}
      aria-describedby={`${list}-act`}
      className={`${figureRows.row} ${classes.row} ${own ? classes.own : ''} ${counted ? classes.counted : ''}`}
      tabIndex={rank === 0 ? 0 : -1}
      onKeyDown={moveRowFocus}
      onClick={() => onPrice(toText({ units: BigInt(ticks), scale: pair.price_scale }))}
      onPointerEnter={(event) => onPoint(event, rank)}
    >
      <span id={`${row}-price`} className={side === 'bids' ? classes.bid : classes.ask}>
        {formatUnits(ticks, pair.price_scale, pair.price_scale)}
        {own && <span className="visually-hidden"> {t('Your order')}</span>}
      </span>
      <span id={`${row}-amount`}>{sizeText(lots, pair.quantity_scale)}</span>
      <span id={`${row}-total`}>{sizeText(cumulative, pair.quantity_scale)}</span>
      <span className={classes.percent}>{formatRowShare(percent)}</span>
      <i className={side === 'bids' ? classes.bidBar : classes.askBar} style={{ backgroundSize: `${depth}% 100%` }} />
    </button>
  );
});
