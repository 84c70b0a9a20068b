/** The private stream kept in step with the lists in the cache. */

import type { AnswerOf } from '@cambist/contract/call.ts';
import type { StreamBalance } from '@cambist/contract/stream.ts';
import type { Fill, Order } from '@cambist/contract/trading.ts';
import type { funds } from '@cambist/contract/wallets.ts';
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiProblem } from '../api-problem.ts';
import { useSession } from '../session-store.ts';
import { privateStream } from '../streams.ts';
import { accountKeys } from './account-keys.ts';
import { forgetFills, receiveFills } from './own-fills.ts';
import { forgetOrders, receiveOrder } from './own-orders.ts';

type Funds = AnswerOf<typeof funds>;

export function mergeBalance(list: Funds['funds'], pushed: StreamBalance): Funds['funds'] {
  return list.map((entry) =>
    entry.coin.name === pushed.ccy
      ? { ...entry, wallet_balance: pushed.availBal, freeze_balance: pushed.frozenBal }
      : entry,
  );
}

function receiveBalances(queries: QueryClient, balances: readonly StreamBalance[]): void {
  queries.setQueryData<Funds>(accountKeys.funds, (old) => old && { funds: balances.reduce(mergeBalance, old.funds) });
  void queries.invalidateQueries({ queryKey: accountKeys.spotWallet });
  void queries.invalidateQueries({ queryKey: accountKeys.overview });
  for (const queryKey of [accountKeys.costBasis, accountKeys.singleCoin, accountKeys.profit])
    void queries.invalidateQueries({ queryKey });
}

/**
 * Reads a list anew. One whose first answer is on its way is asked for again too: that answer may be older than the
 * stream, and an invalidation alone would take it for fresh. One that has failed and is about to be asked for again is not
 * broken off, or pushes that come often would keep it from ever saying so.
 * @param except lists that have failed for good, which say so and offer to try again
 */
export async function readAgain(
  queries: QueryClient,
  queryKey: readonly string[],
  except: 'none' | 'failed' = 'none',
): Promise<void> {
  const isWanted = ({ state: { status, fetchStatus, fetchFailureCount: failures } }: Query) =>
    !(fetchStatus !== 'idle' && failures > 0) && !(except === 'failed' && status === 'error');
  // Chosen once: one that is broken off is again what it was, and one that its reader tries again had failed.
  const wanted = new Set(queries.getQueryCache().findAll({ queryKey, predicate: isWanted }));
  const predicate = (query: Query) => wanted.has(query);
  await queries.cancelQueries({ queryKey, predicate }, { silent: true });
  await queries.invalidateQueries({ queryKey, predicate });
}

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
    const reset = (...keys: (readonly string[])[]) => {
      for (const key of keys) void readAgain(queries, key);
    };
    const leave = [
      privateStream.subscribe<Order>(
        { channel: 'orders', instType: 'SPOT' },
        {
          onPush: (push) => {
            for (const order of push.data) receiveOrder(queries, order, 'push');
          },
          onReset: () => reset(accountKeys.openOrders, accountKeys.orderHistory),
        },
      ),
      privateStream.subscribe<Fill>(
        { channel: 'fills' },
        {
          onPush: (push) => receiveFills(queries, push.data),
          onReset: () => reset(accountKeys.tradeHistory),
        },
      ),
      privateStream.subscribe<StreamBalance>(
        { channel: 'account' },
        {
          onPush: (push) => receiveBalances(queries, push.data),
          onReset: () => {
            reset(accountKeys.funds);
            void readUnansweredAgain(queries);
          },
        },
      ),
    ];
    return () => {
      for (const end of leave) end();
      forgetOrders();
      forgetFills();
    };
  }, [token, queries]);
}
