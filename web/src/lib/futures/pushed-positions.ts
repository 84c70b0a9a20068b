/** Positions as the private stream pushes them, and answers that were on their way meanwhile. */
import type { StreamPositions, StreamPush } from '@cambist/contract/stream.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type Moment, momentOf, reaches } from '../moments.ts';
import { accountKeys } from '../queries/account-keys.ts';
import { holdPushed, isHeld, readUpTo } from '../queries/held.ts';

/** The newest push, and when it came by `performance.now()`. */
let newest: { readonly push: StreamPositions; readonly at: number; readonly moment: Moment } | undefined;

/** Leverage and modes are not in a push, and one may be for their change alone, made in another tab or by a program. */
const BESIDE = [accountKeys.futureWallet, accountKeys.clientMargin, accountKeys.futuresSettings];

/** Each push has all that is open. */
export function receivePositions(queries: QueryClient, { data, moment }: StreamPush<StreamPositions>): void {
  const last = data.at(-1);
  // A push may have been held up on its way, and what was read be of a later moment.
  if (last !== undefined && !isHeld(queries, accountKeys.positions, moment)) {
    newest = { push: last, at: performance.now(), moment };
    queries.setQueryData<StreamPositions>(accountKeys.positions, last);
    holdPushed(queries, accountKeys.positions, moment);
  }
  for (const queryKey of BESIDE) void readUpTo(queries, queryKey, moment);
}

/** What was read, unless a push has come since it was asked for that it does not reach: an answer may be older than that. */
export async function unlessPushed(
  signal: AbortSignal,
  read: (signal: AbortSignal) => Promise<StreamPositions>,
): Promise<StreamPositions> {
  const askedAt = performance.now();
  const answer = await read(signal);
  const isOlder = newest !== undefined && newest.at >= askedAt && !reaches(momentOf(signal), newest.moment);
  return isOlder ? newest!.push : answer;
}

/** For when another client signs in. */
export function forgetPositions(): void {
  newest = undefined;
}
