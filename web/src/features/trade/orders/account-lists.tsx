/** The lists of an account, in one file that visitors are not sent. */
import type { SpotTab } from './account-tab.ts';
import { Funds } from './funds.tsx';
import { OpenOrders } from './open-orders.tsx';
import { OrderHistory, TradeHistory } from './order-histories.tsx';

const LISTS = { open: OpenOrders, orders: OrderHistory, trades: TradeHistory, funds: Funds } as const;

export default function AccountLists({ tab }: { readonly tab: SpotTab }) {
  const List = LISTS[tab];
  return <List />;
}
