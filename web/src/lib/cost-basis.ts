/** What coins have cost, as the server keeps it, and what they have gained at the price of the moment. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { costBasis } from '@cambist/contract/cost-basis.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './api-client.ts';
import { pacedMs } from './away.ts';
import { changePercent, type Decimal, decimal, divide, multiply, subtract } from './decimal.ts';
import { accountKeys } from './queries/account-keys.ts';

type Answer = AnswerOf<typeof costBasis>;
export type CoinCost = Answer['coins'][number];

/** The private stream says when something has changed; this is for when it is silent. */
const FALLBACK_MS = 30_000;
/** While a long history is being read. */
const READING_MS = 1_500;

const costBasisQuery = queryOptions({
  queryKey: accountKeys.costBasis,
  queryFn: ({ signal }) => call(costBasis, { signal }),
  refetchInterval: ({ state }) => (state.data?.complete === false ? pacedMs(READING_MS) : pacedMs(FALLBACK_MS)),
});

/** Undefined until it is known; a coin that was never held has none. */
export interface CostBasis {
  readonly isComplete: boolean;
  readonly of: (coin: string) => CoinCost | undefined;
}

export function useCostBasis(): CostBasis {
  const { data } = useQuery(costBasisQuery);
  return {
    isComplete: data?.complete ?? false,
    of: (coin) => data?.coins.find(({ name }) => name === coin),
  };
}

export interface Unrealized {
  /** USDT; exact. */
  readonly gain: Decimal;
  /** Of the cost; undefined where that was nothing. */
  readonly percent: Decimal | undefined;
}

/** USDT; exact. */
export const worthAt = (amount: Decimal, price: string): Decimal => multiply(amount, decimal(price));

/** The quantity of a coin that its cost was computed for, so that value, cost and gain are of one moment; else the wallet's amount. */
export function heldOf(costs: CostBasis, coin: string, amount: Decimal): Decimal {
  const cost = costs.isComplete ? costs.of(coin) : undefined;
  const held = cost?.cost === null ? undefined : cost && decimal(cost.quantity);
  return held !== undefined && held.units > 0n ? held : amount;
}

/** The part of a coin's cost that an amount of it carries; undefined where the cost is not known. */
export function costOf({ quantity, cost }: Pick<CoinCost, 'quantity' | 'cost'>, amount: Decimal): Decimal | undefined {
  if (cost === null) return undefined;
  const whole = decimal(cost);
  return divide(multiply(whole, amount), decimal(quantity), whole.scale, 'nearest');
}

/**
 * What an amount would gain if it were sold at a price, before the fee: its value less its part of the cost.
 * Undefined where the cost is not known.
 */
export function unrealizedAt(
  held: Pick<CoinCost, 'quantity' | 'cost'>,
  amount: Decimal,
  price: string,
): Unrealized | undefined {
  const cost = costOf(held, amount);
  if (cost === undefined) return undefined;
  const worth = worthAt(amount, price);
  return { gain: subtract(worth, cost), percent: changePercent(cost, worth) };
}

/** Decimals that a price of this size needs: two, or four that count. */
export function costDigits(price: string): number {
  const [whole = '', fraction = ''] = price.split('.');
  if (BigInt(whole || '0') > 0n) return 2;
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  return Math.min(fraction.length, Math.max(2, zeros + 4));
}
