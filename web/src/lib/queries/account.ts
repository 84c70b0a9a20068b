/** The signed-in client's lists. The private stream keeps them fresh; see `account-stream.ts`. */
import { accountClient } from '@cambist/contract/accounts.ts';
import { orderHistories, tradeHistories } from '@cambist/contract/histories.ts';
import { getOrder, openOrders } from '@cambist/contract/trading.ts';
import { fundingWallet, funds, futureWallet, overview, spotWallet } from '@cambist/contract/wallets.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../api-client.ts';
import { accountKeys, LIST_LIMIT } from './account-keys.ts';
import { withPushedFills } from './own-fills.ts';
import { upToDate } from './own-orders.ts';

/** While the private stream is silent, lists are read again this often. */
const FALLBACK_MS = 30_000;
/** Balances come by the stream; what they are worth changes with every price. */
const WALLET_MS = 5_000;
const ACCOUNT_CHECK_MS = 300_000;

export const LOGOUT_KEY = ['logout'] as const;

/** Everything that the security centre and the profile show. */
export const SECURITY_KEY = ['account', 'security'] as const;

export const openOrdersQuery = queryOptions({
  queryKey: accountKeys.openOrders,
  queryFn: async ({ signal }) => {
    const askedAt = performance.now();
    const { orders } = await call(openOrders, { query: { limit: LIST_LIMIT }, signal });
    return { orders: upToDate(orders, 'open', askedAt) };
  },
  refetchInterval: FALLBACK_MS,
});

export const orderHistoryQuery = queryOptions({
  queryKey: accountKeys.orderHistory,
  queryFn: async ({ signal }) => {
    const askedAt = performance.now();
    const { orders } = await call(orderHistories, { query: { limit: LIST_LIMIT }, signal });
    return { orders: upToDate(orders, 'ended', askedAt) };
  },
});

export const tradeHistoryQuery = queryOptions({
  queryKey: accountKeys.tradeHistory,
  queryFn: async ({ signal }) => {
    const { trades, ...rest } = await call(tradeHistories, { query: { limit: LIST_LIMIT }, signal });
    return { ...rest, trades: withPushedFills(trades) };
  },
});

export const fundsQuery = queryOptions({
  queryKey: accountKeys.funds,
  queryFn: ({ signal }) => call(funds, { signal }),
  refetchInterval: FALLBACK_MS,
});

export const overviewQuery = queryOptions({
  queryKey: accountKeys.overview,
  queryFn: ({ signal }) => call(overview, { signal }),
  refetchInterval: WALLET_MS,
});

export const spotWalletQuery = queryOptions({
  queryKey: accountKeys.spotWallet,
  queryFn: ({ signal }) => call(spotWallet, { signal }),
  refetchInterval: WALLET_MS,
});

export const futureWalletQuery = queryOptions({
  queryKey: accountKeys.futureWallet,
  queryFn: ({ signal }) => call(futureWallet, { signal }),
  refetchInterval: WALLET_MS,
});

export const fundingWalletQuery = queryOptions({
  queryKey: accountKeys.fundingWallet,
  queryFn: ({ signal }) => call(fundingWallet, { signal }),
  refetchInterval: WALLET_MS,
});

/** After funds have moved between wallets or coins. */
export function readWalletsAgain(queries: QueryClient): void {
  const { funds, overview, spotWallet, futureWallet, fundingWallet } = accountKeys;
  for (const queryKey of [funds, overview, spotWallet, futureWallet, fundingWallet]) {
    void queries.invalidateQueries({ queryKey });
  }
}

export const accountCheckQuery = queryOptions({
  queryKey: ['account', 'client'],
  queryFn: ({ signal }) => call(accountClient, { signal }),
  refetchInterval: ACCOUNT_CHECK_MS,
  refetchIntervalInBackground: true,
});

export function minimumsQuery(symbol: string) {
  return queryOptions({
    queryKey: ['account', 'minimums', symbol],
    queryFn: ({ signal }) => call(getOrder, { query: { symbol }, signal }),
    staleTime: 300_000,
  });
}
