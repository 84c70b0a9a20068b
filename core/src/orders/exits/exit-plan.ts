/**
 * A take-profit, a stop-loss or both, attached to an entry order and placed with it by one command. What each command
 * fills of the entry is covered when that command's trades are done: by one untriggered exit order, which grows with
 * the fills until it is triggered; later fills get another one. So no filled part is ever without its exit, and exits
 * together never use more than the entry's fills brought. An entry that ends without a fill takes its plan with it.
 * In a perpetual an exit only reduces, covers no more than is open, and ends with the position.
 */

import type { MarketSpec } from '../../money/market.ts';
import { baseUnitsPerLot, quoteUnitsPerTickLot } from '../../money/notional.ts';
import { BUY, SELL, type Side } from '../../terms/order-terms.ts';
import type { RejectReason } from '../../terms/outcome.ts';
import type { Leg, TriggerSource } from '../conditional/conditional-order.ts';

/** At least one leg; with both, the one that is triggered ends the other. */
export interface ExitTerms {
  readonly source: TriggerSource;
  readonly takeProfit: Leg | undefined;
  readonly stop: Leg | undefined;
}

/** The exits of an entry order that is open. */
export interface ExitPlan extends ExitTerms {
  /** The entry. */
  readonly orderId: number;
  readonly owner: number;
  readonly market: number;
  /** The untriggered order that exits what was filled; 0 while there is none. */
  readonly exitId: number;
  /** Units of the received asset that triggered exits took; in a perpetual the lots that they and closed positions took. */
  readonly taken: bigint;
}

/**
 * The whole plan after a change: attached, or with another exit order. Without legs it was given up, because the owner
 * cancelled its exit order.
 */
export interface ExitPlanChanged {
  readonly kind: 'exit-plan-changed';
  readonly time: number;
  readonly plan: ExitPlan;
}

export interface ExitSize {
  /** Lots; 0 when every leg buys at market. */
  readonly quantity: number;
  /** Quote units; 0n when no leg buys at market. */
  readonly quoteTotal: bigint;
}

/**
 * What an exit of a side can be with so many units of what the entry brought, rounded down so that it never holds more.
 * A sell sells the units in whole lots. A buy spends them at market, and at a limit buys the lots that they cover at
 * the dearest of its limit prices. Undefined when they cover no whole lot.
 * @param most lots
 */
export function exitSize(
  market: MarketSpec,
  side: Side,
  { takeProfit, stop }: Pick<ExitTerms, 'takeProfit' | 'stop'>,
  units: bigint,
  most: number,
): ExitSize | undefined {
  if (side === SELL) {
    const quantity = lotsWithin(most, units, baseUnitsPerLot(market));
    return quantity === 0 ? undefined : { quantity, quoteTotal: 0n };
  }
  const prices = [takeProfit, stop].flatMap((leg) => (leg === undefined ? [] : [leg.price]));
  const dearest = Math.max(...prices);
  const quantity = dearest === 0 ? 0 : lotsWithin(most, units, BigInt(dearest) * quoteUnitsPerTickLot(market));
  if (units <= 0n || (dearest > 0 && quantity === 0)) return undefined;
  return { quantity, quoteTotal: prices.includes(0) ? units : 0n };
}

/** What an exit of a perpetual can be with so many lots that its entry opened. @param most lots */
export function exitLots(most: number, lots: bigint): ExitSize | undefined {
  const quantity = lots > BigInt(most) ? most : Number(lots);
  return quantity > 0 ? { quantity, quoteTotal: 0n } : undefined;
}

function lotsWithin(most: number, units: bigint, perLot: bigint): number {
  const lots = units > 0n ? units / perLot : 0n;
  return lots > BigInt(most) ? most : Number(lots);
}

/** A leg that the entry's own price has passed already would give away what was just bought: it is refused. */
export function exitSideProblem(
  entrySide: Side,
  price: number,
  { takeProfit, stop }: ExitTerms,
): RejectReason | undefined {
  const isBeyond = ({ trigger }: Leg, above: boolean) => (above ? trigger <= price : trigger >= price);
  const buys = entrySide === BUY;
  if (takeProfit !== undefined && isBeyond(takeProfit, buys)) return 'INVALID_TAKE_PROFIT';
  if (stop !== undefined && isBeyond(stop, !buys)) return 'INVALID_STOP_LOSS';
  return undefined;
}
