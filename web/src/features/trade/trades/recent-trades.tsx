import type { CoinPair } from '@cambist/contract/markets.ts';
import { memo } from 'react';
import { formatDecimal, formatTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { moveRowFocus } from '../../../ui/row-focus.ts';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from './recent-trades.module.css';
import { type PublicTrade, useRecentTrades } from './use-recent-trades.ts';

const SHOWN = 50;
const SKELETONS = 10;

interface RecentTradesProps {
  readonly pair: CoinPair;
  readonly onPrice: (price: string) => void;
}

export function RecentTrades({ pair, onPrice }: RecentTradesProps) {
  const { trades, isPending, isError, error, refetch } = useRecentTrades(pair.pair_name);
  return (
    <div className={classes.trades}>
      <div className={classes.head}>
        <span>{t('Price ({{coin}})', { coin: pair.pair_name.split('-')[1] ?? '' })}</span>
        <span>{t('Amount ({{coin}})', { coin: pair.coin })}</span>
        <span>{t('Time')}</span>
      </div>
      <div className={classes.list}>
        {trades.length === 0 && isPending && <SkeletonRows rows={SKELETONS} />}
        {trades.length === 0 && isError && <ErrorState error={error} onRetry={() => void refetch()} />}
        {trades.length === 0 && !isPending && !isError && (
          <Empty title={t('No trades yet. The first one appears here.')} />
        )}
        {trades.slice(0, SHOWN).map((trade, index) => (
          <TradeRow key={trade.tradeId} trade={trade} pair={pair} newest={index === 0} onPrice={onPrice} />
        ))}
      </div>
    </div>
  );
}

interface TradeRowProps extends RecentTradesProps {
  readonly trade: PublicTrade;
  /** The one row that Tab stops at. */
  readonly newest: boolean;
}

/** A trade never changes: a row that is there is not drawn again. */
const TradeRow = memo(function TradeRow({ trade, pair, newest, onPrice }: TradeRowProps) {
  return (
    <button
      type="button"
      className={classes.row}
      tabIndex={newest ? 0 : -1}
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
  return before.trade.tradeId === now.trade.tradeId && before.newest === now.newest && before.onPrice === now.onPrice;
}
