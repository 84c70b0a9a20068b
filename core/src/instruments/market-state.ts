/** What changes of a market as it trades, its limits apart. */
export interface MarketState {
  /** Ticks; 0 until the market has traded or been given a reference price. */
  readonly lastPrice: number;
  /** Ticks; 0 until one was set. */
  readonly markPrice: number;
  readonly halted: boolean;
  readonly traded: boolean;
  /** Ended for good. */
  readonly delisted: boolean;
}
