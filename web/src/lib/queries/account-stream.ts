/** The private stream kept in step with the lists in the cache. */

import type { AnswerOf } from '@cambist/contract/call.ts';
import type { StreamBalance, StreamFill, StreamOrder } from '@cambist/contract/stream.ts';
import type { Order } from '@cambist/contract/trading.ts';
import type { funds } from '@cambist/contract/wallets.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { decimal, subtract, toText } from '../decimal.ts';
import { useSession } from '../session-store.ts';
import { privateStream } from '../streams.ts';
import { accountKeys } from './account.ts';

type Funds = AnswerOf<typeof funds>;

interface Orders {
  readonly orders: readonly Order[];
}

/** A known open order takes its newest fill; an ended one leaves the list. */
export function mergeOrder(list: readonly Order[], pushed: StreamOrder): Order[] {
  const open = pushed.state === 'live' || pushed.state === 'partially_filled';
  if (!open) return list.filter((entry) => entry.id !== pushed.ordId);
  return list.map((entry) =>
    entry.id === pushed.ordId
      ? {
          ...entry,
          final_price: pushed.px || entry.final_price,
          number_of_order: pushed.sz,
          filled: pushed.accFillSz,
          remaining: toText(subtract(decimal(pushed.sz), decimal(pushed.accFillSz))),
          average_price: pushed.avgPx,
          updated_at: Number(pushed.uTime),
          ...(pushed.trigger ? { trigger: pushed.trigger } : {}),
        }
      : entry,
  );
}

export function mergeBalance(list: Funds['funds'], pushed: StreamBalance): Funds['funds'] {
  return list.map((entry) =>
    entry.coin.name === pushed.ccy
      ? { ...entry, wallet_balance: pushed.availBal, freeze_balance: pushed.frozenBal }
      : entry,
  );
}

function receiveOrder(queries: QueryClient, pushed: StreamOrder): void {
  const known = queries.getQueryData<Orders>(accountKeys.openOrders);
  const isNew = !known?.orders.some((entry) => entry.id === pushed.ordId);
  queries.setQueryData<Orders>(accountKeys.openOrders, (old) => old && { orders: mergeOrder(old.orders, pushed) });
  const ended = pushed.state === 'filled' || pushed.state === 'canceled';
  // An order that has just fired is another kind of order now.
  const fired =
    known?.orders.some(({ id, trigger }) => id === pushed.ordId && trigger?.status === 'waiting') &&
    pushed.trigger?.status === 'fired';
  if ((isNew || fired) && !ended) void queries.invalidateQueries({ queryKey: accountKeys.openOrders });
  if (ended) void queries.invalidateQueries({ queryKey: accountKeys.orderHistory });
}

function receiveBalances(queries: QueryClient, balances: readonly StreamBalance[]): void {
  queries.setQueryData<Funds>(accountKeys.funds, (old) => old && { funds: balances.reduce(mergeBalance, old.funds) });
  void queries.invalidateQueries({ queryKey: accountKeys.spotWallet });
  void queries.invalidateQueries({ queryKey: accountKeys.overview });
}

/** Mounted once, by the layout. */
export function useAccountStream(): void {
  const queries = useQueryClient();
  const token = useSession((session) => session.token);
  useEffect(() => {
    if (!token) return;
    privateStream.followToken();
    const readAgain = (...keys: (readonly string[])[]) => {
      for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
    };
    const leave = [
      privateStream.subscribe<StreamOrder>(
        { channel: 'orders', instType: 'SPOT' },
        {
          onPush: (push) => {
            for (const order of push.data) receiveOrder(queries, order);
          },
          onReset: () => readAgain(accountKeys.openOrders, accountKeys.orderHistory),
        },
      ),
      privateStream.subscribe<StreamFill>(
        { channel: 'fills' },
        {
          onPush: () => readAgain(accountKeys.tradeHistory),
          onReset: () => readAgain(accountKeys.tradeHistory),
        },
      ),
      privateStream.subscribe<StreamBalance>(
        { channel: 'account' },
        { onPush: (push) => receiveBalances(queries, push.data), onReset: () => readAgain(accountKeys.funds) },
      ),
    ];
    return () => {
      for (const end of leave) end();
    };
  }, [token, queries]);
}
