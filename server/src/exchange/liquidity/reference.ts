/** Where a price comes from that the market maker quotes around. */
export interface Reference {
  start(): Promise<void>;
  /** Ticks, with a fraction; undefined while nothing trustworthy is known, so nothing is quoted. */
  price(market: number): number | undefined;
  /** Where the price has been heading, from −1 to 1. */
  momentum(market: number): number;
  close(): Promise<void>;
}

/** A feed that the index of perpetuals is made from. */
export interface PriceSource {
  /** The host that it comes from. */
  readonly name: string;
  /** Ticks of a spot market, with a fraction; undefined where and while the source is not believed. */
  price(market: number): number | undefined;
  /** Whether it has said anything lately. */
  isFresh(): boolean;
  /** What it said last of a spot market, believed or not, with its time in ms. */
  last(market: number): { readonly ticks: number; readonly at: number } | undefined;
}
