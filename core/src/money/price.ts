/** Decimal text ↔ the integers inside a book: ticks for prices, lots for quantities. */
import { formatAmount, type Parsed, parseAmount } from './amount.ts';
import type { MarketSpec } from './market.ts';

/** Prices and single orders fit into 31 bits, so that a book keeps them in an Int32Array. */
export const MAXIMUM_INT32 = 2 ** 31 - 1;

function parseInt32(text: string, scale: number): Parsed<number> {
  const parsed = parseAmount(text, scale);
  if (!parsed.ok) return parsed;
  if (parsed.value > BigInt(MAXIMUM_INT32)) return { ok: false, error: 'OVERFLOW' };
  return { ok: true, value: Number(parsed.value) };
}

/** Reads a price as ticks, 0 to 2^31 − 1. Whether the market accepts that price is for the exchange to say. */
export function parseTicks(text: string, market: MarketSpec): Parsed<number> {
  return parseInt32(text, market.tickScale);
}

/** Writes ticks as a decimal price with the market's decimals. */
export function formatTicks(ticks: number, market: MarketSpec): string {
  return formatAmount(BigInt(ticks), market.tickScale);
}

/** Reads a quantity as lots, 0 to 2^31 − 1. Whether the market accepts that size is for the exchange to say. */
export function parseLots(text: string, market: MarketSpec): Parsed<number> {
  return parseInt32(text, market.lotScale);
}

/** Writes lots, which may be the total of many orders, as a decimal quantity with the market's decimals. */
export function formatLots(lots: number, market: MarketSpec): string {
  return formatAmount(BigInt(lots), market.lotScale);
}
