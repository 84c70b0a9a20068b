/** Which of the resting quotes stay, which move and which are new, so that the book follows its price cheaply. */
import { BUY, type Side } from '@cambist/core/terms/order-terms.ts';

export const LEVELS = 22;

export interface Quote {
  readonly orderId: number;
  /** Ticks. */
  readonly price: number;
}

export interface LadderShape {
  /** Ticks from the reference to the best quote, at least half a tick. */
  readonly halfSpread: number;
  /** Ticks between quotes, at least one. */
  readonly gap: number;
  /** No quote below or above; the exchange would refuse it. */
  readonly lowest: number;
  readonly highest: number;
}

export interface LadderPlan {
  readonly moves: readonly { readonly orderId: number; readonly price: number }[];
  readonly places: readonly number[];
  readonly cancels: readonly number[];
}

/** The best quote is kept closer to its place than the deeper ones. */
const BEST_TOLERANCE = 0.6;
const TOLERANCE = 0.75;

/** @param middle what the band is measured from; 0 for none */
export function shapeOf(reference: number, dailyVolatility: number, middle: number, bandPpm: number): LadderShape {
  const deviation = reference * (dailyVolatility / 100);
  const band = bandPpm === 0 || middle === 0 ? Number.POSITIVE_INFINITY : (middle * bandPpm * 0.95) / 1_000_000;
  return {
    halfSpread: Math.max(0.5, deviation * 0.0006),
    gap: Math.max(1, deviation * 0.004),
    lowest: Math.max(1, Math.ceil(middle - band)),
    highest: Math.floor(middle + band),
  };
}

/** Best first; whole ticks, each further from the reference than the one before. */
export function desiredPrices(side: Side, reference: number, shape: LadderShape): number[] {
  const sign = side === BUY ? -1 : 1;
  const prices: number[] = [];
  let last = Number.NaN;
  for (let level = 0; level < LEVELS; level += 1) {
    const exact = reference + sign * (shape.halfSpread + level * shape.gap);
    let price = side === BUY ? Math.floor(exact) : Math.ceil(exact);
    if (!Number.isNaN(last) && (price - last) * sign <= 0) price = last + sign;
    last = price;
    if (price >= shape.lowest && price <= shape.highest) prices.push(price);
  }
  return prices;
}

/** @param jitter from −0.25 to 0.25: how far beside its grid place a moved quote lands, in gaps */
export function planSide(
  desired: readonly number[],
  quotes: readonly Quote[],
  shape: LadderShape,
  jitter: () => number,
): LadderPlan {
  const free = new Set(quotes);
  const missing: { readonly price: number; readonly isBest: boolean }[] = [];
  for (const [level, price] of desired.entries()) {
    const tolerance = level === 0 ? Math.max(0.5, shape.halfSpread * BEST_TOLERANCE) : shape.gap * TOLERANCE;
    let nearest: Quote | undefined;
    for (const quote of free) {
      const distance = Math.abs(quote.price - price);
      if (distance <= tolerance && (nearest === undefined || distance < Math.abs(nearest.price - price)))
        nearest = quote;
    }
    if (nearest === undefined) missing.push({ price, isBest: level === 0 });
    else free.delete(nearest);
  }
  const taken = new Set([...quotes].filter((quote) => !free.has(quote)).map((quote) => quote.price));
  const spare = [...free];
  const moves: { orderId: number; price: number }[] = [];
  const places: number[] = [];
  for (const { price, isBest } of missing) {
    const beside = isBest ? price : price + Math.round(jitter() * shape.gap);
    const place = taken.has(beside) || beside < shape.lowest || beside > shape.highest ? price : beside;
    taken.add(place);
    const moved = spare.shift();
    if (moved === undefined) places.push(place);
    else moves.push({ orderId: moved.orderId, price: place });
  }
  return { moves, places, cancels: spare.map((quote) => quote.orderId) };
}
