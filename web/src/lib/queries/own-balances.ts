/** Own balances as the private stream pushes them, in the list of funds without reading it again. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { StreamBalance, StreamPush } from '@cambist/contract/stream.ts';
import type { funds } from '@cambist/contract/wallets.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type Moment, reaches } from '../moments.ts';
import { accountKeys } from './account-keys.ts';
import { isHeld, readUpTo } from './held.ts';

type Funds = AnswerOf<typeof funds>;

interface PushedBalance {
  readonly balance: StreamBalance;
  readonly moment: Moment;
}

/** Read again with each change of a balance, unless they have it. */
const FOLLOWING_BALANCES = [
  ...[accountKeys.spotWallet, accountKeys.overview],
  ...[accountKeys.costBasis, accountKeys.singleCoin, accountKeys.profit],
];

/** The newest of each coin that was pushed, by coin: an answer that was asked for before does not have it. */
let pushed = new Map<string, PushedBalance>();

export function mergeBalance(list: Funds['funds'], pushed: StreamBalance): Funds['funds'] {
  return list.map((entry) =>
    entry.coin.name === pushed.ccy
      ? { ...entry, wallet_balance: pushed.availBal, freeze_balance: pushed.frozenBal }
      : entry,
  );
}

/** A list that was just read, with what it does not reach of what was pushed. */
export function withPushedBalances(answer: Funds, moment: Moment): Funds {
  if (moment === undefined) return answer;
  const newer = [...pushed.values()].filter((one) => !reaches(moment, one.moment));
  return { funds: newer.map(({ balance }) => balance).reduce(mergeBalance, answer.funds) };
}

export function receiveBalances(queries: QueryClient, { data, moment }: StreamPush<StreamBalance>): void {
  for (const balance of data) pushed.set(balance.ccy, { balance, moment });
  // A push may have been held up on its way, and the list be of a later moment.
  if (!isHeld(queries, accountKeys.funds, moment))
    queries.setQueryData<Funds>(accountKeys.funds, (old) => old && { funds: data.reduce(mergeBalance, old.funds) });
  for (const queryKey of FOLLOWING_BALANCES) void readUpTo(queries, queryKey, moment);
}

/** For when another client signs in. */
export function forgetBalances(): void {
  pushed = new Map();
}
