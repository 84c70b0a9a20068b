/** What a position would bring, by the engine's own functions. Isolated: its initial margin alone backs it. */
import { closingFee, initialMargin, LONG, notionalOf, SHORT } from '@cambist/core/margin/perpetual.ts';
import { increase, unrealised } from '@cambist/core/margin/position.ts';
import { liquidationPrice } from '@cambist/core/margin/thresholds.ts';
import { divCeil, divFloor } from '@cambist/core/money/rounding.ts';
import { lotsOf, type MarketTerms, ticksOf } from '../../../lib/futures/terms.ts';
import { t } from '../../../lib/i18n.ts';

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

/** As typed: plain decimals, nothing, or what a field has refused. */
export interface CalculatorEntry {
  readonly side: 'long' | 'short';
  readonly leverage: string;
  readonly entry: string;
  readonly exit: string;
  readonly quantity: string;
  readonly target: string;
}

/** @returns the plan, or a sentence about the first entry that it lacks */
export function planOf(market: MarketTerms, entered: CalculatorEntry, highest: number): Plan | string {
  const [leverage, targetPercent] = [Number(entered.leverage), Number(entered.target || '0')];
  const [entry, exit] = [ticksOf(market, entered.entry), ticksOf(market, entered.exit)];
  const lots = lotsOf(market, entered.quantity);
  if (entry <= 0) return t('Enter an opening price above zero.');
  if (exit <= 0) return t('Enter a closing price above zero.');
  if (lots <= 0) return t('Enter an amount above zero.');
  const isLeverage = Number.isInteger(leverage) && leverage >= 1 && leverage <= highest;
  if (!isLeverage) return t('Enter a whole leverage from 1 to {{highest}}.', { highest });
  if (!Number.isInteger(targetPercent)) return t('Enter the target return in whole percent.');
  return { isLong: entered.side === 'long', leverage, entry, exit, lots, targetPercent };
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
