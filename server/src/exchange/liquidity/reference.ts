/** Where a price comes from that the market maker quotes around. */
export interface Reference {
  start(): Promise<void>;
  /** Ticks, with a fraction; undefined while nothing trustworthy is known, so nothing is quoted. */
  price(market: number): number | undefined;
  /** Where the price has been heading, from −1 to 1. */
  momentum(market: number): number;
  close(): Promise<void>;
}
