import { useQuery } from '@tanstack/react-query';
import { t } from '../../../lib/i18n.ts';
import { orderHistoryQuery, tradeHistoryQuery } from '../../../lib/queries/account.ts';
import { AccountList } from './account-list.tsx';
import { orderHistoryColumns, tradeColumns } from './order-columns.tsx';

export function OrderHistory() {
  return (
    <AccountList
      label={t('Order history')}
      query={useQuery(orderHistoryQuery)}
      rowsOf={(answer) => answer.orders}
      columns={orderHistoryColumns()}
      rowKey={(order) => order.id}
      empty={t('No orders yet. Filled and cancelled orders are kept here.')}
    />
  );
}

export function TradeHistory() {
  return (
    <AccountList
      label={t('Trade history')}
      query={useQuery(tradeHistoryQuery)}
      rowsOf={(answer) => answer.trades}
      columns={tradeColumns()}
      rowKey={(trade) => trade.id}
      empty={t('No trades yet. Each fill of your orders is kept here with its fee.')}
    />
  );
}
