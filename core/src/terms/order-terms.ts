/** The words that every kind of order is made of. */
export const BUY = 0;
export const SELL = 1;
export type Side = typeof BUY | typeof SELL;

/** Which of an owner's two positions in a perpetual an order in hedge mode is of. */
export type PositionSide = 'long' | 'short';

/**
 * A part of what an owner has in a perpetual: all of it, or in hedge mode what is long and what is short. The last two are the
 * directions of their positions.
 */
export const NET = 0;
export type PositionLeg = typeof NET | 1 | -1;

export type OrderType = 'limit' | 'market';

/** Good till cancelled, immediate or cancel, fill or kill, post only (maker or rejected). */
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'POST_ONLY';

/** What happens when an order would meet another of its own owner: who gives way. */
export type SelfTradeMode = 'CANCEL_NEWEST' | 'CANCEL_OLDEST' | 'CANCEL_BOTH' | 'DECREMENT';
