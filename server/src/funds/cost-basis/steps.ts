/**
 * Trades and transfers as one sequence of what happened to holdings, in the order in which it happened. A transfer needs
 * nothing of its own here: whatever brings coins to a client without a trade (a deposit, a reward, interest, a coin of
 * the faucet) brings them at the last price of that moment, whatever takes them away takes their cost with them, and
 * between a client's wallets nothing changes. A movement whose price is another one says so in `movementStep`.
 */
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { baseUnits, notional } from '@cambist/core/money/notional.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import type { Movement } from '../../exchange/ledger/service.ts';
import type { TradeRow } from '../../exchange/orders/service.ts';
import { acquire, NO_POSITION, type Position, sell, takeOut } from './position.ts';

export interface Amount {
  readonly asset: number;
  /** Smallest units. */
  readonly units: bigint;
}

/** Something that one owner received, gave, or one for the other. */
export interface Step {
  readonly owner: number;
  readonly given?: Amount;
  readonly received?: Amount;
  /** What it is worth in USDT is asked of this asset and amount. */
  readonly valued: Amount;
  /** The last trade before it, whose prices count. */
  readonly trade: number;
  readonly time: number;
}

/** In USDT units; undefined where no price is known. */
export type ValueOf = (step: Step) => bigint | undefined;

const DAY_MS = 86_400_000;

function tradeSteps(trade: TradeRow, market: MarketSpec): Step[] {
  const [base, quote] = [baseUnits(market, trade.quantity), notional(market, trade.price, trade.quantity)];
  const [baseAsset, quoteAsset] = [market.base.id, market.quote.id];
  const side = (owner: number, isBuy: boolean, fee: bigint): Step => {
    const at = { owner, trade: trade.id, time: trade.time };
    if (isBuy) {
      const given = { asset: quoteAsset, units: quote };
      return { ...at, given, received: { asset: baseAsset, units: base - fee }, valued: given };
    }
    const received = { asset: quoteAsset, units: quote - fee };
    return { ...at, given: { asset: baseAsset, units: base }, received, valued: received };
  };
  const isTakerBuying = trade.taker_side === BUY;
  return [
    side(trade.maker_owner, !isTakerBuying, trade.maker_fee),
    side(trade.taker_owner, isTakerBuying, trade.taker_fee),
  ];
}

function movementStep({ owner, asset, amount, after_trade: trade, time }: Movement): Step[] {
  if (owner === null) return [];
  const moved = { asset, units: amount < 0n ? -amount : amount };
  const at = { owner, valued: moved, trade, time };
  return [amount < 0n ? { ...at, given: moved } : { ...at, received: moved }];
}

/** Both in their own order. A transfer comes after the trade that it names and before the next one. */
export function stepsOf(
  trades: readonly TradeRow[],
  movements: readonly Movement[],
  marketOf: (id: number) => MarketSpec,
  isFollowed: (owner: number) => boolean,
): Step[] {
  const steps: Step[] = [];
  let at = 0;
  for (const trade of trades) {
    for (; at < movements.length && movements[at]!.after_trade < trade.id; at += 1) {
      steps.push(...movementStep(movements[at]!));
    }
    steps.push(...tradeSteps(trade, marketOf(trade.market)));
  }
  steps.push(...movements.slice(at).flatMap(movementStep));
  return steps.filter(({ owner }) => isFollowed(owner));
}

/** Positions by owner and asset. */
export type Positions = Map<string, Position>;

export const positionKey = (owner: number, asset: number): string => `${owner}:${asset}`;

/** Puts a step into the positions. Money itself has no cost. @param money the asset that costs are counted in */
export function applyStep(positions: Positions, step: Step, money: number, worthOf: ValueOf): void {
  const { owner, given, received, time } = step;
  const change = (asset: number, to: (position: Position) => Position) => {
    const key = positionKey(owner, asset);
    if (asset !== money) positions.set(key, to(positions.get(key) ?? NO_POSITION));
  };
  if (given !== undefined && received === undefined) change(given.asset, (held) => takeOut(held, given.units));
  const isTrade = given !== undefined && received !== undefined;
  if (isTrade) change(given.asset, (held) => sell(held, given.units, worthOf(step), Math.floor(time / DAY_MS)));
  if (received !== undefined) change(received.asset, (held) => acquire(held, received.units, worthOf(step)));
}
