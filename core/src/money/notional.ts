/** What ticks and lots are worth in smallest units. Exact: a valid market never rounds here. */
import { MAXIMUM_AMOUNT } from './amount.ts';
import type { MarketSpec } from './market.ts';
import { MAXIMUM_INT32 } from './price.ts';

/** Quote units in one tick × one lot: 10^(quote.scale − tickScale − lotScale). */
export function quoteUnitsPerTickLot(market: MarketSpec): bigint {
  return 10n ** BigInt(market.quote.scale - market.tickScale - market.lotScale);
}

/** Base units in one lot: 10^(base.scale − lotScale). */
export function baseUnitsPerLot(market: MarketSpec): bigint {
  return 10n ** BigInt(market.base.scale - market.lotScale);
}

/** The value of `lots` at `ticks`, in quote units. */
export function notional(market: MarketSpec, ticks: number, lots: number): bigint {
  return BigInt(ticks) * BigInt(lots) * quoteUnitsPerTickLot(market);
}

/** The quantity of `lots`, in base units. */
export function baseUnits(market: MarketSpec, lots: number): bigint {
  return BigInt(lots) * baseUnitsPerLot(market);
}

/** The highest price of a market in ticks, such that its largest order is worth at most 2^63 − 1 quote units. */
export function maximumTicks(market: MarketSpec): number {
  const affordable = MAXIMUM_AMOUNT / (BigInt(market.maximumLots) * quoteUnitsPerTickLot(market));
  return affordable < BigInt(MAXIMUM_INT32) ? Number(affordable) : MAXIMUM_INT32;
}
