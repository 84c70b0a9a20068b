/** Own fills as the private stream pushes them, in the list of trades without reading it again. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { tradeHistories } from '@cambist/contract/histories.ts';
import type { Fill } from '@cambist/contract/trading.ts';
import type { QueryClient } from '@tanstack/react-query';
import { kindOf, type MarketKind } from '../market/pairs.ts';
import { accountKeys, LIST_LIMIT } from './account-keys.ts';

type Trades = AnswerOf<typeof tradeHistories>;

/** The newest that were pushed, newest first: a list that was asked for before one of them does not have it. */
let pushed: readonly Fill[] = [];

/** Both lists as one, each fill once, newest first. */
function merged(one: readonly Fill[], other: readonly Fill[]): Fill[] {
  const byId = new Map([...one, ...other].map((fill) => [fill.id, fill]));
  return [...byId.values()].sort((left, right) => Number(right.id) - Number(left.id)).slice(0, LIST_LIMIT);
}

const ofKind = (fills: readonly Fill[], market: MarketKind) =>
  fills.filter(({ coin_pair: { pair_name: name } }) => kindOf(name) === market);

export function receiveFills(queries: QueryClient, fills: readonly Fill[]): void {
  pushed = merged(pushed, fills);
  for (const market of ['spot', 'futures'] as const)
    queries.setQueryData<Trades>(
      [...accountKeys.tradeHistory, market],
      (old) => old && { ...old, trades: merged(old.trades, ofKind(fills, market)) },
    );
}

/** A list that was just read, with what was pushed meanwhile. */
export function withPushedFills(list: readonly Fill[], market: MarketKind): Fill[] {
  return merged(list, ofKind(pushed, market));
}

/** For when another client signs in. */
export function forgetFills(): void {
  pushed = [];
}
