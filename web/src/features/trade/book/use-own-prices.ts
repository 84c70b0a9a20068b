/** Where the person's own orders stand in the book, in ticks, so that those levels can be marked. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import type { Order } from '@cambist/contract/trading.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { kindOf } from '../../../lib/market/pairs.ts';
import { toInteger } from '../../../lib/order-book/book-state.ts';
import { openOrdersQuery } from '../../../lib/queries/account.ts';
import { useSignedIn } from '../../../lib/session-store.ts';

export interface OwnPrices {
  readonly asks: readonly number[];
  readonly bids: readonly number[];
}

/** Untriggered orders are not in the book yet, and a TWAP never is. */
function isInBook(order: Order, symbol: string): boolean {
  const rests = order.type !== 'market' && order.trigger?.status !== 'untriggered' && !order.twap;
  return rests && order.coin_pair.pair_name === symbol;
}

export function useOwnPrices(pair: CoinPair): OwnPrices {
  const open = useQuery({ ...openOrdersQuery(kindOf(pair.pair_name)), enabled: useSignedIn() });
  const { pair_name: symbol, price_scale: scale } = pair;
  const orders = open.data?.orders;
  return useMemo(() => {
    const mine = (orders ?? []).filter((order) => isInBook(order, symbol));
    const ticks = (side: Order['delegate_type']) =>
      mine.filter((order) => order.delegate_type === side).map((order) => toInteger(order.final_price, scale));
    return { asks: ticks('SELL'), bids: ticks('BUY') };
  }, [orders, symbol, scale]);
}
