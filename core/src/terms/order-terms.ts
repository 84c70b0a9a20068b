/** The words that every kind of order is made of. */
export const BUY = 0;
export const SELL = 1;
export type Side = typeof BUY | typeof SELL;

export type OrderType = 'limit' | 'market';

/** Good till cancelled, immediate or cancel, fill or kill, post only (maker or rejected). */
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'POST_ONLY';

/** What happens when an order would meet another of its own owner: who gives way. */
export type SelfTradeMode = 'CANCEL_NEWEST' | 'CANCEL_OLDEST' | 'CANCEL_BOTH' | 'DECREMENT';
