import { useQuery } from '@tanstack/react-query';
import { orderHistoryQuery, tradeHistoryQuery } from '../../../lib/queries/account.ts';
import { AccountList } from './account-list.tsx';
import { orderHistoryColumns, tradeColumns } from './order-columns.tsx';

export function OrderHistory() {
  return (
    <AccountList
      label="Order history"
      query={useQuery(orderHistoryQuery)}
      rowsOf={(answer) => answer.orders}
      columns={orderHistoryColumns}
      rowKey={(order) => order.id}
      empty="No orders yet. Filled and cancelled orders are kept here."
    />
  );
}

export function TradeHistory() {
  return (
    <AccountList
      label="Trade history"
      query={useQuery(tradeHistoryQuery)}
      rowsOf={(answer) => answer.trades}
      columns={tradeColumns}
      rowKey={(trade) => trade.id}
      empty="No trades yet. Each fill of your orders is kept here with its fee."
    />
  );
}
