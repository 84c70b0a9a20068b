/** The orders that have ended and the fills, with their filters. */
import { t } from '../../../lib/i18n.ts';
import { AccountList } from './account-list.tsx';
import { filterCount, useHistoryFilters } from './history-filter.ts';
import { ClearFilter, HistoryTools } from './history-tools.tsx';
import { orderHistoryColumns, tradeColumns } from './order-columns.tsx';
import { useOrderHistory, useTradeHistory } from './use-history.ts';

export function OrderHistory() {
  const filter = useHistoryFilters((store) => store.orders);
  const list = useOrderHistory(filter);
  const isFiltered = filterCount(filter) > 0;
  const hasTools = isFiltered || (list.rows?.length ?? 0) > 0;
  return (
    <AccountList
      label={t('Order history')}
      list={list}
      columns={orderHistoryColumns()}
      rowKey={(order) => order.id}
      empty={
        isFiltered
          ? t('No orders match this filter.')
          : t('No orders yet. Filled and cancelled orders will appear here.')
      }
      emptyAction={isFiltered && <ClearFilter list="orders" />}
      tools={hasTools && <HistoryTools list="orders" />}
    />
  );
}

export function TradeHistory() {
  const filter = useHistoryFilters((store) => store.trades);
  const list = useTradeHistory(filter);
  const isFiltered = filterCount(filter) > 0;
  const hasTools = isFiltered || (list.rows?.length ?? 0) > 0;
  return (
    <AccountList
      label={t('Trade history')}
      list={list}
      columns={tradeColumns()}
      rowKey={(trade) => trade.id}
      empty={
        isFiltered
          ? t('No trades match this filter.')
          : t('No trades yet. Your fills will appear here with their fees.')
      }
      emptyAction={isFiltered && <ClearFilter list="trades" />}
      tools={hasTools && <HistoryTools list="trades" />}
    />
  );
}
