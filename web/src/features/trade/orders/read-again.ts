import type { Order } from '@cambist/contract/trading.ts';
import type { QueryClient } from '@tanstack/react-query';
import { isPerpetual } from '../../../lib/market/pairs.ts';
import { accountKeys } from '../../../lib/queries/account-keys.ts';
import { receiveOrder } from '../../../lib/queries/own-orders.ts';
import { privateStream } from '../../../lib/streams.ts';

export function readAccountAgain(queries: QueryClient): void {
  const { funds, openOrders, orderHistory, positions } = accountKeys;
  for (const queryKey of [funds, openOrders, orderHistory, positions]) {
    void queries.invalidateQueries({ queryKey });
  }
}

/** After an act of the client: what it has changed comes by the private stream, and is read while that is down. */
export function followAct(queries: QueryClient, order?: Order): void {
  if (order) receiveOrder(queries, order, 'answer');
  if (order && isPerpetual(order.coin_pair.pair_name))
    void queries.invalidateQueries({ queryKey: accountKeys.futureWallet });
  if (!privateStream.isUp()) readAccountAgain(queries);
}
