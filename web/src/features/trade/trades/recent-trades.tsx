import type { CoinPair } from '@cambist/contract/markets.ts';
import { memo, useId } from 'react';
import { formatDecimal, formatTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { moveRowFocus } from '../../../ui/row-focus.ts';
import { useRowWindow } from '../../../ui/row-window.ts';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import figureRows from '../figure-rows.module.css';
import { RowWords, useRowName } from '../figure-rows.tsx';
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
  const list = useId();
  const shown = trades.slice(0, SHOWN);
  const view = useRowWindow<HTMLDivElement>({ rows: shown.length, rowPx: ROW_PX, spare: SPARE_ROWS, scroller: 'list' });
  return (
    <div className={classes.trades}>
      <div className={figureRows.head}>
        <span>{t('Price ({{coin}})', { coin: pair.pair_name.split('-')[1] ?? '' })}</span>
        <span>{t('Amount ({{coin}})', { coin: pair.coin })}</span>
        <span>{t('Time')}</span>
      </div>
      <RowWords
        id={list}
        words={{ amount: t('Amount'), time: t('Time'), act: t('Puts this price in the order form') }}
      />
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
            list={list}
            place={view.first + index}
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
  readonly list: string;
  readonly place: number;
  /** The one row that Tab stops at. */
  readonly first: boolean;
}

/** A trade never changes: a row that is there is not drawn again. */
const TradeRow = memo(function TradeRow({ trade, pair, list, place, first, onPrice }: TradeRowProps) {
  const row = `${list}-${place}`;
  const name = useRowName(`${row}-price ${list}-amount ${row}-amount ${list}-time ${row}-time`);
  return (
    <button
      type="button"
      translate="no"
      {...name}
      aria-describedby={`${list}-act`}
      className={`${figureRows.row} ${classes.row}`}
      tabIndex={first ? 0 : -1}
      onKeyDown={moveRowFocus}
      onClick={() => onPrice(trade.px)}
    >
      <span id={`${row}-price`} className={trade.side === 'buy' ? classes.up : classes.down}>
        <span className="visually-hidden">{trade.side === 'buy' ? t('Bought at') : t('Sold at')} </span>
        {formatDecimal(trade.px, pair.price_scale)}
      </span>
      <span id={`${row}-amount`}>{formatDecimal(trade.sz, Math.min(5, pair.quantity_scale))}</span>
      <span id={`${row}-time`} className={classes.time}>
        {formatTime(Number(trade.ts))}
      </span>
    </button>
  );
}, isSameTrade);

function isSameTrade(before: TradeRowProps, now: TradeRowProps): boolean {
  return before.trade.tradeId === now.trade.tradeId && before.first === now.first && before.onPrice === now.onPrice;
}
