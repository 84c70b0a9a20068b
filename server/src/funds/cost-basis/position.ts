/**
 * What a client's coins have cost, by weighted average: the cost formula of IAS 2, paragraphs 25 and 27, computed anew
 * with each purchase. Quantities are in the coin's smallest units, money in USDT's; integers throughout.
 *
 *   bought    quantity += units after the fee,  cost += all that was paid
 *   sold      taken = ⌊cost × units ÷ quantity⌋, cost −= taken,  realized += proceeds after the fee − taken
 *   taken out the same without the last: what leaves without a sale gains nothing
 *
 * The division is cut downwards, so what is left over stays with the coins that are left; who sells all takes all. At
 * any time realized + (what was taken out) = proceeds − (paid − cost), to the last unit.
 */
import { divFloor } from '@cambist/core/money/rounding.ts';

export interface Position {
  /** In all wallets together. Never below zero. */
  readonly quantity: bigint;
  readonly cost: bigint;
  /** Some of the coins came in while no price was known: until all are gone, the cost of none is. */
  readonly isUnpriced: boolean;
  /** Gains less losses of all sales whose cost was known. */
  readonly realized: bigint;
  /** The last day (UTC, days since 1970) of a sale, and what that day's sales have gained. */
  readonly day: number;
  readonly realizedOfDay: bigint;
  /** The last day on which coins of unknown cost were sold; −1 for none. */
  readonly unpricedSaleDay: number;
}

export const NO_POSITION: Position = {
  quantity: 0n,
  cost: 0n,
  isUnpriced: false,
  realized: 0n,
  day: 0,
  realizedOfDay: 0n,
  unpricedSaleDay: -1,
};

/** Coins come in for so much; undefined where their price was not known. */
export function acquire(position: Position, units: bigint, cost: bigint | undefined): Position {
  return {
    ...position,
    quantity: position.quantity + units,
    cost: position.cost + (cost ?? 0n),
    isUnpriced: position.isUnpriced || cost === undefined,
  };
}

/** Coins leave and take their share of the cost with them. Of coins that are not there, nothing is known to leave. */
export function takeOut(position: Position, units: bigint): Position {
  if (units >= position.quantity) return { ...position, quantity: 0n, cost: 0n, isUnpriced: false };
  const taken = divFloor(position.cost * units, position.quantity);
  return { ...position, quantity: position.quantity - units, cost: position.cost - taken };
}

/**
 * Coins are sold for so much after fees; undefined where that is not known in USDT. A sale whose cost or proceeds are not
 * known gains nothing and is remembered by its day.
 */
export function sell(position: Position, units: bigint, proceeds: bigint | undefined, day: number): Position {
  const left = takeOut(position, units);
  const isKnown = proceeds !== undefined && !position.isUnpriced && units <= position.quantity;
  if (!isKnown) return { ...left, unpricedSaleDay: Math.max(position.unpricedSaleDay, day) };
  const gained = proceeds - (position.cost - left.cost);
  return {
    ...left,
    realized: position.realized + gained,
    day,
    realizedOfDay: gained + (position.day === day ? position.realizedOfDay : 0n),
  };
}
