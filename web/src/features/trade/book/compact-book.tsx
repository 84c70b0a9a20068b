/** The book beside the order form of a phone: prices and amounts, and a tap that fills the price. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { toText } from '../../../lib/decimal.ts';
import { formatCompact, formatDecimal, formatUnits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { usePairFigures } from '../../../lib/market/pairs.ts';
import { moveRowFocus } from '../../../ui/row-focus.ts';
import { deepestOf, type Level, shownLevels } from './book-levels.ts';
import classes from './compact-book.module.css';
import { useBook } from './use-book.ts';

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
    <div className={classes.book}>
      <div className={classes.head}>
        <span>{t('Price')}</span>
        <span>{t('Amount')}</span>
      </div>
      <Side {...shared} label={t('Asks')} levels={shown?.asks ?? []} kind="ask" />
      <p className={classes.last}>{formatDecimal(close, pair.price_scale)}</p>
      <Side {...shared} label={t('Bids')} levels={shown?.bids ?? []} kind="bid" />
    </div>
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
  const rows = Array.from({ length: LEVELS }, (_, rank) => {
    const level = levels[rank];
    if (!level) return <div key={`blank-${rank.toString()}`} />;
    const price = toText({ units: BigInt(level.ticks), scale: pair.price_scale });
    return (
      <button
        key={`level-${rank.toString()}`}
        type="button"
        className={`${classes.row} ${classes[kind]}`}
        style={{ backgroundSize: `${(level.cumulative / deepest) * 100}% 100%` }}
        tabIndex={rank === 0 ? 0 : -1}
        onKeyDown={moveRowFocus}
        onClick={() => onPrice(price)}
      >
        <span>{formatDecimal(price, pair.price_scale)}</span>
        <span>{sizeText(level.lots, pair.quantity_scale)}</span>
      </button>
    );
  });
  return (
    <section className={classes.side} aria-label={label}>
      {kind === 'ask' ? rows.reverse() : rows}
    </section>
  );
}
