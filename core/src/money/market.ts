/**
 * What is traded. An asset counts in smallest units (`bigint`, 10^-scale of one coin); a market counts
 * prices in ticks and quantities in lots, both safe integers.
 *
 * The scales are chosen so that price × quantity is always a whole number of quote units: a market is only
 * valid when `quote.scale >= tickScale + lotScale`. No notional is ever rounded; only fees are.
 */
export interface Asset {
  /** 0 to 16383; never changes. */
  readonly id: number;
  /** Ticker, such as `BTC`. */
  readonly code: string;
  /** Decimal places of the smallest unit. */
  readonly scale: number;
}

/** Larger positions may have less leverage, and keep more in reserve. */
export interface RiskTier {
  /** The largest value of a position in this tier, in quote units. */
  readonly maximumNotional: bigint;
  /** Whole, 1 to 200. */
  readonly maximumLeverage: number;
  /** Of the part of the value that lies in this tier, parts per million. */
  readonly maintenancePpm: number;
}

/** Of a perpetual, at most. */
export const MAXIMUM_TIERS = 32;

/** How longs and shorts of a perpetual pay each other. Rates are of one interval, in parts per billion. */
export interface FundingSpec {
  /** Ms between two settlements, which come at whole multiples of it since 1970: 1, 4 or 8 hours. */
  readonly intervalMs: number;
  readonly interestPpb: number;
  /** How far interest may pull the rate from the premium. */
  readonly dampPpb: number;
  /** The highest rate in either direction. */
  readonly capPpb: number;
  /** What an order is worth whose average price counts as the book's, in quote units. */
  readonly impactValue: bigint;
}

/** What a perpetual has beside a spot market: its trades change positions, and quote is what it settles in. */
export interface PerpetualSpec {
  /** Of a trade's value, in parts per million; a maker pays no more than a taker. */
  readonly makerPpm: number;
  readonly takerPpm: number;
  /** Ascending by value. */
  readonly tiers: readonly RiskTier[];
  /** How far the mark may be from the index, in parts per million. */
  readonly markClampPpm: number;
  readonly funding: FundingSpec;
}

export interface MarketSpec {
  /** 0 to 32767, not necessarily without gaps; never changes. */
  readonly id: number;
  /** Pair name in the OKX form, such as `BTC-USDT`. */
  readonly symbol: string;
  readonly base: Asset;
  readonly quote: Asset;
  /** Prices have this many decimals: price = ticks × 10^-tickScale. Every integer of ticks is a valid price. */
  readonly tickScale: number;
  /** Quantities have this many decimals: quantity = lots × 10^-lotScale. */
  readonly lotScale: number;
  /** Smallest and largest order quantity, in lots. */
  readonly minimumLots: number;
  readonly maximumLots: number;
  /** Smallest order value, in quote units. */
  readonly minimumNotional: bigint;
  /** How far from the reference price (in a perpetual, from the mark) an order may trade, in parts per million; 0 for any. */
  readonly priceBandPpm: number;
  /** Absent for a spot market. */
  readonly perpetual?: PerpetualSpec | undefined;
}

const MILLION = 1_000_000;

/**
 * The lowest price, in ticks, within a band around a price: price × (1 − band), rounded up, at least one tick.
 * Safe integers: a price is below 2^31 and a band at most 3 × 10^6, so products stay below 2^53.
 */
export function lowestInBand(price: number, priceBandPpm: number): number {
  return Math.max(1, Math.ceil((price * (MILLION - priceBandPpm)) / MILLION));
}

/** The highest price, in ticks, within a band around a price: price × (1 + band), rounded down. */
export function highestInBand(price: number, priceBandPpm: number): number {
  return Math.floor((price * (MILLION + priceBandPpm)) / MILLION);
}
