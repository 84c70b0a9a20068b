/**
 * What positions are worth at the marks of this moment, by the engine's own functions: the server pushes a position when it
 * changes, and not with each mark.
 */
import type { FuturesAccount, FuturesPosition } from '@cambist/contract/futures.ts';
import { initialMargin, LONG, notionalOf, requirement, SHORT } from '@cambist/core/margin/perpetual.ts';
import { type Position, unrealised } from '@cambist/core/margin/position.ts';
import { liquidationPrice, marginRatio, type OppositeLeg } from '@cambist/core/margin/thresholds.ts';
import { type Decimal, decimal, divide, multiply, toText } from '../decimal.ts';
import { lotsOf, type MarketTerms, priceText, ticksOf, unitsOf, usdt } from './terms.ts';

/** Decimals of returns. */
const RETURN_SCALE = 6;

/** A position with what it is computed from, in units. */
export interface Known {
  readonly shown: FuturesPosition;
  readonly market: MarketTerms;
  readonly position: Position;
  readonly mark: number;
  readonly profit: bigint;
  /** Funding; below zero where some is to be received. */
  readonly owed: bigint;
  readonly required: bigint;
}

export interface LiveFutures {
  readonly positions: readonly FuturesPosition[];
  readonly account: FuturesAccount;
}

export function positionOf(market: MarketTerms, { side, quantity, cost }: FuturesPosition): Position {
  return { direction: side === 'long' ? LONG : SHORT, lots: lotsOf(market, quantity), cost: unitsOf(cost) };
}

export function known(shown: FuturesPosition, market: MarketTerms, markPrice: string): Known {
  const position = positionOf(market, shown);
  const mark = ticksOf(market, markPrice);
  const required = requirement(market.terms, notionalOf(market.terms, mark, position.lots));
  const [profit, owed] = [unrealised(market.terms, position, mark), unitsOf(shown.funding_owed)];
  return { shown, market, position, mark, profit, owed, required };
}

const sum = (values: readonly bigint[]) => values.reduce((total, one) => total + one, 0n);
const isCross = ({ shown }: Known) => shown.margin_mode === 'cross';

/** What cross positions have behind them: the wallet without the margins of isolated ones, and without what funding takes. */
function crossBalance(all: readonly Known[], account: FuturesAccount): bigint {
  const taken = all.map((one) => (isCross(one) ? one.owed : unitsOf(one.shown.margin)));
  return unitsOf(account.balance) - sum(taken);
}

/** What backs a cross position beside its own profit, whether it is open or would be. */
export function crossBacking(
  isOwn: (position: FuturesPosition) => boolean,
  all: readonly Known[],
  account: FuturesAccount,
): bigint {
  const others = all.filter((one) => !isOwn(one.shown) && isCross(one));
  return crossBalance(all, account) + sum(others.map(({ profit, required }) => profit - required));
}

/** What backs a position beside its own profit: its margin, or the wallet with what its other positions have and must keep. */
function backingOf(one: Known, all: readonly Known[], account: FuturesAccount): bigint {
  if (isCross(one)) return crossBacking(({ id }) => id === one.shown.id, all, account);
  return unitsOf(one.shown.margin) - one.owed;
}

/**
 * Where an isolated position is liquidated once its margin has changed; undefined where no price does it.
 * @param change smallest units; below zero for what is taken out
 */
export function liquidationWithMargin({ shown, market, position, owed }: Known, change: bigint): Decimal | undefined {
  const end = liquidationPrice(market.terms, position, unitsOf(shown.margin) + change - owed);
  return end === undefined ? undefined : priceText(market, end);
}

/** The other cross leg of the same market, in hedge mode: it wins what this one loses. */
export function oppositeLeg(
  { coin_pair: { pair_name: name }, position_side: side }: Pick<FuturesPosition, 'coin_pair' | 'position_side'>,
  all: readonly Known[],
): OppositeLeg | undefined {
  return all.find(
    (one) => isCross(one) && one.shown.coin_pair.pair_name === name && one.mark > 0 && one.shown.position_side !== side,
  );
}

function livePosition(one: Known, all: readonly Known[], account: FuturesAccount, crossRatio: string): FuturesPosition {
  const { shown, market, position, mark, profit, owed, required } = one;
  const backing = backingOf(one, all, account);
  const end = liquidationPrice(market.terms, position, backing, isCross(one) ? oppositeLeg(shown, all) : undefined);
  const initial = initialMargin(position.cost, shown.leverage);
  return {
    ...shown,
    mark_price: toText(priceText(market, mark)),
    value: toText(usdt(notionalOf(market.terms, mark, position.lots))),
    income: toText(usdt(profit)),
    total_asset: toText(usdt(unitsOf(shown.margin) + profit - owed)),
    rate_of_return: toText(divide(usdt(profit), usdt(initial), RETURN_SCALE, 'nearest') ?? usdt(0n)),
    maintenance_margin: toText(usdt(required)),
    estimated_force_parity: end === undefined ? null : toText(priceText(market, end)),
    margin_ratio: isCross(one) ? crossRatio : marginRatio(required, backing + profit),
  };
}

/** What cross positions have lost is not free; what they have won is not free before they close. Owed funding does not follow the mark. */
const lost = (profit: bigint) => (profit < 0n ? profit : 0n);

/** @param all every open position; the figures of an account need them all */
export function liveFigures(all: readonly Known[], account: FuturesAccount): LiveFutures {
  const cross = all.filter(isCross);
  const crossProfit = sum(cross.map(({ profit }) => profit));
  const required = sum(cross.map((one) => one.required));
  const crossRatio = marginRatio(required, crossBalance(all, account) + crossProfit);
  const unrealisedAll = sum(all.map(({ profit, owed }) => profit - owed));
  const before = sum(cross.map(({ shown }) => unitsOf(shown.income)));
  return {
    positions: all.map((one) => livePosition(one, all, account, crossRatio)),
    account: {
      ...account,
      unrealised: toText(usdt(unrealisedAll)),
      equity: toText(usdt(unitsOf(account.balance) + unrealisedAll)),
      free: toText(usdt(unitsOf(account.free) - lost(before) + lost(crossProfit))),
      maintenance_margin: toText(usdt(required)),
      margin_ratio: crossRatio,
    },
  };
}

/** What positions have won less what they have lost, and the funding that they owe: of the balance they make the equity. */
export function sumsOf(positions: readonly FuturesPosition[]): { readonly income: string; readonly owed: string } {
  const [incomes, owed] = [
    positions.map(({ income }) => unitsOf(income)),
    positions.map(({ funding_owed: one }) => unitsOf(one)),
  ];
  return { income: toText(usdt(sum(incomes))), owed: toText(usdt(sum(owed))) };
}

/** A rate such as 0.1 in percent. */
export const inPercent = (rate: string): Decimal => multiply(decimal(rate), { units: 100n, scale: 0 });

/** 0 to 100 of the way to liquidation, for a gauge. */
export const riskPercent = (marginRatio: string): number =>
  Math.min(100, Math.max(0, Number(decimal(marginRatio).units) / 10 ** (decimal(marginRatio).scale - 2)));
