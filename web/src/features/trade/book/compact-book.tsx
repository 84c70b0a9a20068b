/** The book beside the order form of a phone: prices and amounts, and a tap that fills the price. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { useId } from 'react';
import { toText } from '../../../lib/decimal.ts';
import { formatCompact, formatDecimal, formatPrice, formatUnits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { usePairFigures } from '../../../lib/market/pairs.ts';
import { useBook } from '../../../lib/order-book/use-book.ts';
import { moveRowFocus } from '../../../ui/row-focus.ts';
import { RowWords, useRowName } from '../figure-rows.tsx';
import { deepestOf, type Level, shownLevels } from './book-levels.ts';
import { bookWords } from './book-words.ts';
import classes from './compact-book.module.css';

/** On each side; as high as the form beside it. */
const LEVELS = 5;
/** Characters that a row has for an amount. */
const AMOUNT_LENGTH = 7;

interface CompactBookProps {
  readonly pair: CoinPair;
  readonly onPrice: (price: string) => void;
}

export function CompactBook({ pair, onPrice }: CompactBookProps) {
  const shown = shownLevels(useBook(pair), 1, LEVELS);
  const { close } = usePairFigures(pair);
  const deepest = shown ? deepestOf(shown) : 1;
  const shared = { pair, deepest, onPrice };
  return (
    <fieldset className={classes.book} aria-label={t('Order book')}>
      <div className={classes.head}>
        <span>{t('Price')}</span>
        <span>{t('Amount')}</span>
      </div>
      <Side {...shared} label={t('Asks')} levels={shown?.asks ?? []} kind="ask" />
      <p className={classes.last}>{formatPrice(close, pair.price_scale)}</p>
      <Side {...shared} label={t('Bids')} levels={shown?.bids ?? []} kind="bid" />
    </fieldset>
  );
}

/** Three decimals, fewer where the number is long. */
function sizeText(lots: number, scale: number): string {
  const text = formatUnits(lots, scale, Math.min(3, scale));
  return text.length > AMOUNT_LENGTH ? formatCompact(toText({ units: BigInt(lots), scale })) : text;
}

interface SideProps extends CompactBookProps {
  readonly label: string;
  readonly levels: readonly Level[];
  readonly kind: 'ask' | 'bid';
  /** Running total that fills a row, lots. */
  readonly deepest: number;
}

function Side({ pair, label, levels, kind, deepest, onPrice }: SideProps) {
  const list = useId();
  const rows = Array.from({ length: LEVELS }, (_, rank) => {
    const level = levels[rank];
    const place = `level-${rank.toString()}`;
    if (!level) return <div key={place} />;
    const depth = (level.cumulative / deepest) * 100;
    return (
      <Row key={place} pair={pair} level={level} kind={kind} list={list} rank={rank} depth={depth} onPrice={onPrice} />
    );
  });
  return (
    <section className={classes.side} translate="no" aria-label={label}>
      <RowWords id={list} words={bookWords(kind === 'ask' ? 'asks' : 'bids')} />
      {kind === 'ask' ? rows.reverse() : rows}
    </section>
  );
}

interface RowProps extends CompactBookProps, Pick<SideProps, 'kind'> {
  readonly level: Level;
  readonly list: string;
  /** From the best price. */
  readonly rank: number;
  /** Percent. */
  readonly depth: number;
}

function Row({ pair, level, kind, list, rank, depth, onPrice }: RowProps) {
  const price = toText({ units: BigInt(level.ticks), scale: pair.price_scale });
  const row = `${list}-${rank}`;
  const name = useRowName(`${list}-side ${row}-price ${list}-amount ${row}-amount`);
  return (
    <button
      type="button"
      {...name}
      aria-describedby={`${list}-act`}
      className={`${classes.row} ${classes[kind]}`}
      style={{ backgroundSize: `${depth}% 100%` }}
      tabIndex={rank === 0 ? 0 : -1}
      onKeyDown={moveRowFocus}
      onClick={() => onPrice(price)}
    >
      <span id={`${row}-price`}>{formatDecimal(price, pair.price_scale)}</span>
      <span id={`${row}-amount`}>{sizeText(level.lots, pair.quantity_scale)}</span>
    </button>
  );
}
