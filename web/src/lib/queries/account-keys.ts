/** The names of the signed-in client's lists in the cache. */

/** Of orders and fills. */
export const LIST_LIMIT = 200;

export const accountKeys = {
  openOrders: ['account', 'open-orders'],
  orderHistory: ['account', 'order-history'],
  tradeHistory: ['account', 'trade-history'],
  funds: ['account', 'funds'],
  overview: ['account', 'overview'],
  spotWallet: ['account', 'spot-wallet'],
  futureWallet: ['account', 'future-wallet'],
  walletCoins: ['account', 'wallet-coins'],
  positions: ['account', 'positions'],
  futuresSettings: ['account', 'futures-settings'],
  clientMargin: ['account', 'client-margin'],
  futuresHistory: ['account', 'futures-history'],
  costBasis: ['account', 'cost-basis'],
  balanceHistory: ['account', 'balance-history'],
  profit: ['account', 'profit'],
  singleCoin: ['account', 'single-coin'],
} as const;
