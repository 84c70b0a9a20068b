/** Positions as the private stream pushes them, and answers that were on their way meanwhile. */
import type { StreamPositions } from '@cambist/contract/stream.ts';
import type { QueryClient } from '@tanstack/react-query';
import { accountKeys } from '../queries/account-keys.ts';

/** The newest push, and when it came by `performance.now()`. */
let newest: { readonly push: StreamPositions; readonly at: number } | undefined;

/** Leverage and modes are not in a push, and one may be for their change alone, made in another tab or by a program. */
const BESIDE = [accountKeys.futureWallet, accountKeys.clientMargin, accountKeys.futuresSettings];

/** Each push has all that is open. */
export function receivePositions(queries: QueryClient, pushes: readonly StreamPositions[]): void {
  for (const push of pushes) {
    newest = { push, at: performance.now() };
    queries.setQueryData<StreamPositions>(accountKeys.positions, push);
  }
  for (const queryKey of BESIDE) void queries.invalidateQueries({ queryKey });
}

/** What was read, unless a push has come since it was asked for: an answer by HTTP may be older than that. */
export async function unlessPushed(read: () => Promise<StreamPositions>): Promise<StreamPositions> {
  const askedAt = performance.now();
  const answer = await read();
  return newest !== undefined && newest.at >= askedAt ? newest.push : answer;
}

/** For when another client signs in. */
export function forgetPositions(): void {
  newest = undefined;
}
