/** The lists of an account, in one file that visitors are not sent. */
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../lib/i18n.ts';
import { orderHistoryQuery, tradeHistoryQuery } from '../../../lib/queries/account.ts';
import { AccountList } from './account-list.tsx';
import type { AccountTab } from './account-tab.ts';
import { Funds } from './funds.tsx';
import { OpenOrders } from './open-orders.tsx';
import { orderHistoryColumns, tradeColumns } from './order-columns.tsx';

function OrderHistory() {
  return (
    <AccountList
      label={t('Order history')}
      query={useQuery(orderHistoryQuery)}
      rowsOf={(answer) => answer.orders}
      columns={orderHistoryColumns()}
      rowKey={(order) => order.id}
      empty={t('No orders yet. Filled and cancelled orders will appear here.')}
    />
  );
}

function TradeHistory() {
  return (
    <AccountList
      label={t('Trade history')}
      query={useQuery(tradeHistoryQuery)}
      rowsOf={(answer) => answer.trades}
      columns={tradeColumns()}
      rowKey={(trade) => trade.id}
      empty={t('No trades yet. Your fills will appear here with their fees.')}
    />
  );
}

const LISTS = { open: OpenOrders, orders: OrderHistory, trades: TradeHistory, funds: Funds } as const;

export default function AccountLists({ tab }: { readonly tab: AccountTab }) {
  const List = LISTS[tab];
  return <List />;
}
