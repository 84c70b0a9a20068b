import type { ReferenceState } from '../money/reference-price.ts';
import type { PassedPrices } from '../orders/conditional/passed-prices.ts';

/** How long a market pauses. */
export const PAUSE_MS = 300_000;

/** A volatility interruption: nothing is traded, placed, amended or triggered in a market until it ends. */
export interface MarketPause {
  /** Ms. */
  readonly until: number;
  /** Ticks: what the band was measured from when an order came to its end. */
  readonly reference: number;
  /** Whether that was the upper end. */
  readonly isAbove: boolean;
}

/** When a market ends, as its operator has announced it. */
export interface Delisting {
  /** Ms. From then on clients can only reduce: in a perpetual their positions, in a spot market the coin, by selling it. */
  readonly closeOnlyAt: number;
  /** Ms. `delist-market` ends the market; nothing in the core does it by time. */
  readonly endsAt: number;
}

/** What changes of a market as it trades, its limits apart. */
export interface MarketState extends ReferenceState {
  /** Ticks; 0 until the market has traded or been given a reference price. */
  readonly lastPrice: number;
  /** Ticks; 0 until one was set. */
  readonly markPrice: number;
  readonly halted: boolean;
  readonly traded: boolean;
  /** Ended for good. */
  readonly delisted: boolean;
  /** Of a spot market; one whose time is over is none. */
  readonly pause?: MarketPause | undefined;
  /** Absent where the last price is beyond no trigger that waits for it. */
  readonly passed?: PassedPrices | undefined;
  /** Absent where none is announced. */
  readonly delisting?: Delisting | undefined;
}

/** Of a market that was just listed. */
export const INITIAL_MARKET_STATE: MarketState = {
  ...{ lastPrice: 0, markPrice: 0, halted: false, traded: false, delisted: false },
  ...{ reference: 0, referenceAt: 0 },
};
