/** What the treasury reads; all of it is read again after an act. */

import { hotAndCold } from '@cambist/contract/admin-hot-cold.ts';
import {
  adminChains,
  adminWithdrawals,
  coinNetworks,
  fraudulentAddresses,
  unlistedDeposits,
  withdrawalPolicy,
} from '@cambist/contract/admin-withdrawals.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import { liabilityRuns } from '@cambist/contract/liabilities.ts';
import type { WithdrawalStage } from '@cambist/contract/withdrawals.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { every } from '../../../lib/away.ts';
import { ADMIN_KEY } from '../use-act.ts';

const POLL_MS = 10_000;
const PAGE = 50;

export const TREASURY_KEY = [...ADMIN_KEY, 'treasury'] as const;
const keyOf = (name: string) => [...TREASURY_KEY, name];

export type Reviewed = AnswerOf<typeof adminWithdrawals>['withdrawals'][number];
export type Chains = AnswerOf<typeof adminChains>;
export type HotAndCold = AnswerOf<typeof hotAndCold>;
export type Policy = AnswerOf<typeof withdrawalPolicy>['policy'];
export type FraudulentAddress = AnswerOf<typeof fraudulentAddresses>['addresses'][number];
export type Figures = AnswerOf<typeof coinNetworks>['networks'][number];
export type Unlisted = AnswerOf<typeof unlistedDeposits>['deposits'][number];

/** @param stage undefined for all of them */
export function withdrawalsQuery(stage: WithdrawalStage | undefined) {
  return infiniteQueryOptions({
    queryKey: [...keyOf('withdrawals'), stage ?? ''],
    queryFn: ({ signal, pageParam }) =>
      call(adminWithdrawals, { signal, query: { limit: PAGE, ...(stage && { stage }), ...pageParam } }),
    initialPageParam: {} as { before?: string },
    getNextPageParam: ({ withdrawals }) =>
      withdrawals.length < PAGE ? undefined : { before: withdrawals.at(-1)?.id ?? '0' },
    refetchInterval: every(POLL_MS),
  });
}

export const policyQuery = queryOptions({
  queryKey: keyOf('policy'),
  queryFn: async ({ signal }) => (await call(withdrawalPolicy, { signal })).policy,
});

export const fraudulentQuery = queryOptions({
  queryKey: keyOf('fraudulent'),
  queryFn: async ({ signal }) => (await call(fraudulentAddresses, { signal })).addresses,
});

export const figuresQuery = queryOptions({
  queryKey: keyOf('figures'),
  queryFn: async ({ signal }) => (await call(coinNetworks, { signal })).networks,
});

export const chainsQuery = queryOptions({
  queryKey: keyOf('chains'),
  queryFn: ({ signal }) => call(adminChains, { signal }),
  refetchInterval: every(POLL_MS),
});

export const hotAndColdQuery = queryOptions({
  queryKey: keyOf('hot-and-cold'),
  queryFn: ({ signal }) => call(hotAndCold, { signal }),
  refetchInterval: every(POLL_MS),
});

export const liabilityRunsQuery = queryOptions({
  queryKey: keyOf('liability-runs'),
  queryFn: async ({ signal }) => (await call(liabilityRuns, { signal })).runs,
  refetchInterval: every(POLL_MS),
});

export const unlistedQuery = queryOptions({
  queryKey: keyOf('unlisted'),
  queryFn: async ({ signal }) => (await call(unlistedDeposits, { signal })).deposits,
  refetchInterval: every(POLL_MS),
});
