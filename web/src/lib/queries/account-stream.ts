/** The private stream kept in step with the lists in the cache. */

import type { StreamBalance } from '@cambist/contract/stream.ts';
import type { Fill, Order } from '@cambist/contract/trading.ts';
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiProblem } from '../api-problem.ts';
import type { Moment } from '../moments.ts';
import { useSession } from '../session-store.ts';
import { privateStream } from '../streams.ts';
import { accountKeys } from './account-keys.ts';
import { readUpTo } from './held.ts';
import { forgetBalances, receiveBalances } from './own-balances.ts';
import { forgetFills, receiveFills } from './own-fills.ts';
import { forgetOrders, receiveOrder } from './own-orders.ts';

/**
 * Reads again what the screen has asked for and got no answer to. The stream is back, and so is the exchange: who is not asked
 * to try again, as for the fees in a form, would be without it for as long as the page is open.
 */
export function readUnansweredAgain(queries: QueryClient): Promise<void> {
  const isUnanswered = ({ state: { error } }: Query) => error instanceof ApiProblem && error.undecided;
  return queries.refetchQueries({ type: 'active', predicate: isUnanswered });
}

/** Mounted once, by the layout. */
export function useAccountStream(): void {
  const queries = useQueryClient();
  const token = useSession((session) => session.token);
  useEffect(() => {
    if (!token) return;
    privateStream.followToken();
    const reset = (moment: Moment, ...keys: (readonly string[])[]) => {
      for (const key of keys) void readUpTo(queries, key, moment);
    };
    const leave = [
      privateStream.subscribe<Order>(
        { channel: 'orders', instType: 'SPOT' },
        {
          onPush: (push) => {
            for (const order of push.data) receiveOrder(queries, order, 'push', push.moment);
          },
          onReset: (moment) => reset(moment, accountKeys.openOrders, accountKeys.orderHistory),
        },
      ),
      privateStream.subscribe<Fill>(
        { channel: 'fills' },
        {
          onPush: (push) => receiveFills(queries, push.data),
          onReset: (moment) => reset(moment, accountKeys.tradeHistory),
        },
      ),
      privateStream.subscribe<StreamBalance>(
        { channel: 'account' },
        {
          onPush: (push) => receiveBalances(queries, push),
          onReset: (moment) => {
            reset(moment, accountKeys.funds);
            void readUnansweredAgain(queries);
          },
        },
      ),
    ];
    return () => {
      for (const end of leave) end();
      forgetOrders();
      forgetFills();
      forgetBalances();
    };
  }, [token, queries]);
}
