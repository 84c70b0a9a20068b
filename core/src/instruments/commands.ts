/** Commands that say what is traded and on which terms. All of it is state of the exchange, changed by nothing else. */
import type { PerpetualSpec } from '../money/market.ts';
import type { Delisting } from './market-state.ts';

/** A new asset. Its id, code and scale never change. */
export interface ListAsset {
  readonly kind: 'list-asset';
  /** 0 to 16383, chosen by the caller, used by no other asset. */
  readonly asset: number;
  readonly code: string;
  /** Decimal places of the smallest unit. */
  readonly scale: number;
}

/** What may change of a market while it trades. */
export interface MarketLimits {
  /** Smallest and largest order quantity, in lots. */
  readonly minimumLots: number;
  readonly maximumLots: number;
  /** Smallest order value, in quote units. */
  readonly minimumNotional: bigint;
  /** How far from the reference price (in a perpetual, from the mark) an order may trade, in parts per million; 0 for any. */
  readonly priceBandPpm: number;
}

/** A new market of two listed assets. Its id, symbol, assets and scales never change. */
export interface ListMarket extends MarketLimits {
  readonly kind: 'list-market';
  readonly market: number;
  readonly symbol: string;
  /** Asset ids. */
  readonly base: number;
  readonly quote: number;
  readonly tickScale: number;
  readonly lotScale: number;
  /** Of a perpetual, which settles in quote; absent for a spot market. */
  readonly perpetual?: PerpetualSpec | undefined;
}

/** New limits of a market. Orders that rest keep theirs. */
export interface ChangeMarket extends MarketLimits {
  readonly kind: 'change-market';
  readonly market: number;
  /** New fees and tiers of a perpetual; absent, it keeps those that it has. */
  readonly perpetual?: PerpetualSpec | undefined;
}

export interface HaltMarket {
  readonly kind: 'halt-market';
  readonly market: number;
  readonly halted: boolean;
}

/** Cancels the oldest orders of a halted market, open ones first, so that it can be delisted. */
export interface ClearMarket {
  readonly kind: 'clear-market';
  readonly market: number;
  /** How many at most, 1 to 10000: one command never holds the exchange up. */
  readonly maximum: number;
}

/** Ends a halted market without orders for good. Its history and its id stay. */
export interface DelistMarket {
  readonly kind: 'delist-market';
  readonly market: number;
}

/** Announces when a market ends, changes that, or withdraws it. */
export interface AnnounceDelisting {
  readonly kind: 'announce-delisting';
  readonly market: number;
  /** Absent to withdraw the announcement. */
  readonly delisting?: Delisting | undefined;
}

/** What every owner pays to whom `set-fees` gave no rates of their own, in parts per million of what is received. */
export interface SetDefaultFees {
  readonly kind: 'set-default-fees';
  readonly makerPpm: number;
  readonly takerPpm: number;
}

export interface SetFees {
  readonly kind: 'set-fees';
  readonly owner: number;
  /** Parts per million of what the owner receives. */
  readonly makerPpm: number;
  readonly takerPpm: number;
}

/** How many orders there may be. */
export interface OrderLimits {
  /** Open orders that one owner may have over all markets; one more is refused with ACCOUNT_LIMIT. */
  readonly maximumOpenOrdersPerOwner: number;
  /** Untriggered orders of one owner in one market; one more is refused with UNTRIGGERED_LIMIT. */
  readonly maximumUntriggeredOrdersPerOwner: number;
  /** The same of all owners together: no command can set off more orders than this. */
  readonly maximumUntriggeredOrdersPerMarket: number;
}

export interface SetLimits extends OrderLimits {
  readonly kind: 'set-limits';
}

/**
 * What a market is worth elsewhere, in ticks: its last price until the next trade, by which orders that wait for the last price are
 * triggered, and the reference price of a spot market, whatever is traded, for as long as it is fresh (`TOLD_FRESH_MS`). Refused in a halted market that has traded, where nothing may be triggered, and
 * under older rules in all that have traded.
 */
export interface SetReferencePrice {
  readonly kind: 'set-reference-price';
  readonly market: number;
  readonly price: number;
  /** Whether it only moves the band yet: what is triggered is to meet quotes, which the band has kept out of the book. */
  readonly triggersNothing?: boolean | undefined;
  /** Whether it is told for the reference alone, while others trade: the last price stays, and nothing waits for it. */
  readonly isReferenceOnly?: boolean | undefined;
}

export type InstrumentCommand =
  | ListAsset
  | ListMarket
  | ChangeMarket
  | HaltMarket
  | ClearMarket
  | DelistMarket
  | AnnounceDelisting
  | SetDefaultFees
  | SetFees
  | SetLimits
  | SetReferencePrice;
