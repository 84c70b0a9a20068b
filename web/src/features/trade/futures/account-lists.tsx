/** The lists of the futures terminal, in one file that comes with the first of them. */

import type { FuturesTab } from '../orders/account-tab.ts';
import { OpenOrders } from '../orders/open-orders.tsx';
import { OrderHistory, TradeHistory } from '../orders/order-histories.tsx';
import { PositionHistory } from './closed-positions.tsx';
import { FundingHistory, LiquidationHistory, PositionChanges } from './histories.tsx';
import { Positions } from './positions.tsx';

const LISTS = {
  positions: Positions,
  open: OpenOrders,
  orders: OrderHistory,
  trades: TradeHistory,
  closed: PositionHistory,
  changes: PositionChanges,
  funding: FundingHistory,
  liquidations: LiquidationHistory,
} as const;

export default function FuturesLists({ tab }: { readonly tab: FuturesTab }) {
  const List = LISTS[tab];
  return <List />;
}
