/** What a position would bring, by the engine's own functions. Isolated: its initial margin alone backs it. */
import { closingFee, initialMargin, LONG, notionalOf, SHORT } from '@cambist/core/margin/perpetual.ts';
import { increase, unrealised } from '@cambist/core/margin/position.ts';
import { liquidationPrice } from '@cambist/core/margin/thresholds.ts';
import { divCeil, divFloor } from '@cambist/core/money/rounding.ts';
import type { MarketTerms } from '../../../lib/futures/terms.ts';

export interface Plan {
  readonly isLong: boolean;
  readonly leverage: number;
  /** Ticks. */
  readonly entry: number;
  readonly exit: number;
  readonly lots: number;
  /** Of the initial margin, in whole percent. */
  readonly targetPercent: number;
}

export interface Outcome {
  readonly margin: bigint;
  /** Before fees. */
  readonly profit: bigint;
  /** Of opening and closing at the taker's rate. */
  readonly fees: bigint;
  /** Ticks at which the target is reached, before fees; undefined where no price does. */
  readonly target: number | undefined;
  readonly liquidation: number | undefined;
}

export function outcomeOf({ terms }: MarketTerms, plan: Plan): Outcome {
  const { isLong, leverage, entry, exit, lots, targetPercent } = plan;
  const position = increase(terms, undefined, isLong ? LONG : SHORT, entry, lots);
  const margin = initialMargin(position.cost, leverage);
  const wanted = (margin * BigInt(targetPercent)) / 100n;
  const perTick = notionalOf(terms, 1, lots);
  // Never short of the target.
  const target = isLong ? divCeil(position.cost + wanted, perTick) : divFloor(position.cost - wanted, perTick);
  return {
    margin,
    profit: unrealised(terms, position, exit),
    fees: closingFee(terms, position.cost) + closingFee(terms, notionalOf(terms, exit, lots)),
    target: target > 0n ? Number(target) : undefined,
    liquidation: liquidationPrice(terms, position, margin),
  };
}
