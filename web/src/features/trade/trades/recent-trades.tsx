import type { CoinPair } from '@cambist/contract/markets.ts';
import { memo } from 'react';
import { formatDecimal, formatTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { moveRowFocus } from '../../../ui/row-focus.ts';
import { useRowWindow } from '../../../ui/row-window.ts';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import figureRows from '../figure-rows.module.css';
import classes from './recent-trades.module.css';
import { type PublicTrade, useRecentTrades } from './use-recent-trades.ts';

const SHOWN = 50;
const SKELETONS = 10;
const ROW_PX = 24;
const SPARE_ROWS = 1;

interface RecentTradesProps {
  readonly pair: CoinPair;
  readonly onPrice: (price: string) => void;
}

export function RecentTrades({ pair, onPrice }: RecentTradesProps) {
  const { trades, isPending, isError, error, refetch } = useRecentTrades(pair.pair_name);
  const shown = trades.slice(0, SHOWN);
  const view = useRowWindow<HTMLDivElement>({ rows: shown.length, rowPx: ROW_PX, spare: SPARE_ROWS, scroller: 'list' });
  return (
    <div className={classes.trades}>
      <div className={figureRows.head}>
        <span>{t('Price ({{coin}})', { coin: pair.pair_name.split('-')[1] ?? '' })}</span>
        <span>{t('Amount ({{coin}})', { coin: pair.coin })}</span>
        <span>{t('Time')}</span>
      </div>
      <div className={classes.list} ref={view.box}>
        {trades.length === 0 && isPending && <SkeletonRows rows={SKELETONS} />}
        {trades.length === 0 && isError && <ErrorState error={error} onRetry={() => void refetch()} />}
        {trades.length === 0 && !isPending && !isError && (
          <Empty title={t('No trades yet. The first one appears here.')} />
        )}
        <div style={{ height: view.before }} />
        {shown.slice(view.first, view.end).map((trade, index) => (
          // Keyed by place: figures change where they stand, and no element comes or goes.
          <TradeRow
            key={`place-${(view.first + index).toString()}`}
            trade={trade}
            pair={pair}
            first={index === 0}
            onPrice={onPrice}
          />
        ))}
        <div style={{ height: view.after }} />
      </div>
    </div>
  );
}

interface TradeRowProps extends RecentTradesProps {
  readonly trade: PublicTrade;
  /** The one row that Tab stops at. */
  readonly first: boolean;
}

/** A trade never changes: a row that is there is not drawn again. */
const TradeRow = memo(function TradeRow({ trade, pair, first, onPrice }: TradeRowProps) {
  return (
    <button
      type="button"
      className={`${figureRows.row} ${classes.row}`}
      tabIndex={first ? 0 : -1}
      onKeyDown={moveRowFocus}
      onClick={() => onPrice(trade.px)}
    >
      <span className={trade.side === 'buy' ? classes.up : classes.down}>
        <span className="visually-hidden">{trade.side === 'buy' ? t('Bought at') : t('Sold at')}</span>
        {formatDecimal(trade.px, pair.price_scale)}
      </span>
      <span>{formatDecimal(trade.sz, Math.min(5, pair.quantity_scale))}</span>
      <span className={classes.time}>{formatTime(Number(trade.ts))}</span>
    </button>
  );
}, isSameTrade);

function isSameTrade(before: TradeRowProps, now: TradeRowProps): boolean {
  return before.trade.tradeId === now.trade.tradeId && before.first === now.first && before.onPrice === now.onPrice;
}
