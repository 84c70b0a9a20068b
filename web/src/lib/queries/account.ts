/** The signed-in client's lists. The private stream keeps them fresh; see `account-stream.ts`. */

import { accountClient } from '@cambist/contract/accounts.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import { orderHistories, tradeHistories } from '@cambist/contract/histories.ts';
import { getOrder, type Order, openOrders } from '@cambist/contract/trading.ts';
import { funds, futureWallet, overview, spotWallet, walletCoins } from '@cambist/contract/wallets.ts';
import type { WalletName } from '@cambist/core/ledger/wallets.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../api-client.ts';
import { every } from '../away.ts';
import { keepAnswer, keptAnswer } from '../kept-answers.ts';
import type { MarketKind } from '../market/pairs.ts';
import { momentOf } from '../moments.ts';
import { accountKeys, LIST_LIMIT } from './account-keys.ts';
import { readUpTo } from './held.ts';
import { withPushedBalances } from './own-balances.ts';
import { withPushedFills } from './own-fills.ts';
import { upToDate } from './own-orders.ts';

/** While the private stream is silent, lists are read again this often. */
const FALLBACK_MS = 30_000;
/** Balances come by the stream; what they are worth changes with every price. */
const WALLET_MS = 5_000;
const ACCOUNT_CHECK_MS = 300_000;

/** As many as one answer may hold. */
const OPEN_PAGE = 500;
/** More than any screen has room for; the API has the rest. */
const MOST_OPEN_PAGES = 20;

/** The wallet of the last visit, until the answer is here. */
const KEPT_FUTURE_WALLET = 'future-wallet';

export const LOGOUT_KEY = ['logout'] as const;

/** Everything that the security centre and the profile show. */
export const SECURITY_KEY = ['account', 'security'] as const;

/** All of them: what is open is counted, cancelled one by one, and drawn on the chart. */
async function readOpenOrders(market: MarketKind, signal: AbortSignal): Promise<readonly Order[]> {
  const all: Order[] = [];
  for (let page = 0; page < MOST_OPEN_PAGES; page += 1) {
    const last = all.at(-1)?.id;
    const query = { market, limit: OPEN_PAGE, ...(last === undefined ? {} : { before: last }) };
    const { orders } = await call(openOrders, { query, signal });
    all.push(...orders);
    if (orders.length < OPEN_PAGE) break;
  }
  return all;
}

export const openOrdersQuery = (market: MarketKind) =>
  queryOptions({
    queryKey: [...accountKeys.openOrders, market],
    queryFn: async ({ signal }) => {
      const askedAt = performance.now();
      const orders = await readOpenOrders(market, signal);
      return { orders: upToDate(orders, { state: 'open', market, askedAt }) };
    },
    refetchInterval: every(FALLBACK_MS),
  });

export const orderHistoryQuery = (market: MarketKind) =>
  queryOptions({
    queryKey: [...accountKeys.orderHistory, market],
    queryFn: async ({ signal }) => {
      const askedAt = performance.now();
      const { orders } = await call(orderHistories, { query: { market, limit: LIST_LIMIT }, signal });
      return { orders: upToDate(orders, { state: 'ended', market, askedAt }) };
    },
  });

export const tradeHistoryQuery = (market: MarketKind) =>
  queryOptions({
    queryKey: [...accountKeys.tradeHistory, market],
    queryFn: async ({ signal }) => {
      const { trades, ...rest } = await call(tradeHistories, { query: { market, limit: LIST_LIMIT }, signal });
      return { ...rest, trades: withPushedFills(trades, market) };
    },
  });

export const fundsQuery = queryOptions({
  queryKey: accountKeys.funds,
  queryFn: async ({ signal }) => withPushedBalances(await call(funds, { signal }), momentOf(signal)),
  refetchInterval: every(FALLBACK_MS),
});

export const overviewQuery = queryOptions({
  queryKey: accountKeys.overview,
  queryFn: ({ signal }) => call(overview, { signal }),
  refetchInterval: every(WALLET_MS),
});

export const spotWalletQuery = queryOptions({
  queryKey: accountKeys.spotWallet,
  queryFn: ({ signal }) => call(spotWallet, { signal }),
  refetchInterval: every(WALLET_MS),
});

export const futureWalletQuery = queryOptions({
  queryKey: accountKeys.futureWallet,
  queryFn: async ({ signal }) => {
    const answer = await call(futureWallet, { signal });
    keepAnswer(KEPT_FUTURE_WALLET, answer);
    return answer;
  },
  placeholderData: () => keptAnswer<AnswerOf<typeof futureWallet>>(KEPT_FUTURE_WALLET),
  refetchInterval: every(WALLET_MS),
});

/** Of wallets that no documented call of their own is for, and of the funding wallet. */
export const walletCoinsQuery = (wallet: WalletName) =>
  queryOptions({
    queryKey: [...accountKeys.walletCoins, wallet],
    queryFn: ({ signal }) => call(walletCoins, { query: { wallet }, signal }),
    refetchInterval: every(WALLET_MS),
  });

/** After funds have moved between wallets or coins. */
export function readWalletsAgain(queries: QueryClient): void {
  const { funds, overview, spotWallet, futureWallet, walletCoins } = accountKeys;
  for (const queryKey of [funds, overview, spotWallet, futureWallet, walletCoins]) {
    void readUpTo(queries, queryKey, undefined);
  }
}

export const accountCheckQuery = queryOptions({
  queryKey: ['account', 'client'],
  queryFn: ({ signal }) => call(accountClient, { signal }),
  refetchInterval: every(ACCOUNT_CHECK_MS),
  refetchIntervalInBackground: true,
});

export function minimumsQuery(symbol: string) {
  return queryOptions({
    queryKey: ['account', 'minimums', symbol],
    queryFn: ({ signal }) => call(getOrder, { query: { symbol }, signal }),
    staleTime: 300_000,
  });
}
