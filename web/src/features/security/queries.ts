/** What the security centre and the profile read. All of it is read again after any act; see `use-act.ts`. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { passkeys } from '@cambist/contract/passkeys.ts';
import { dataExports } from '@cambist/contract/privacy.ts';
import { accountLimits, accountSummary, bindAccounts, profile } from '@cambist/contract/profile.ts';
import { appAuthorization, securityOverview, sessions, whitelist } from '@cambist/contract/security.ts';
import { withdrawNetworks } from '@cambist/contract/withdrawals.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import { pacedMs } from '../../lib/away.ts';
import { SECURITY_KEY } from '../../lib/queries/account.ts';

const EXPORT_POLL_MS = 3_000;

const keyOf = (name: string) => [...SECURITY_KEY, name];

export type Overview = AnswerOf<typeof securityOverview>;

export const overviewQuery = queryOptions({
  queryKey: keyOf('overview'),
  queryFn: ({ signal }) => call(securityOverview, { signal }),
});

export const whitelistQuery = queryOptions({
  queryKey: keyOf('whitelist'),
  queryFn: ({ signal }) => call(whitelist, { signal }),
});

export const networksQuery = queryOptions({
  queryKey: keyOf('networks'),
  queryFn: ({ signal }) => call(withdrawNetworks, { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: keyOf('passkeys'),
  queryFn: ({ signal }) => call(passkeys, { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: keyOf('sessions'),
  queryFn: ({ signal }) => call(sessions, { signal }),
});

export const authorizationQuery = queryOptions({
  queryKey: keyOf('authorization'),
  queryFn: ({ signal }) => call(appAuthorization, { signal }),
});

export const exportsQuery = queryOptions({
  queryKey: keyOf('exports'),
  queryFn: ({ signal }) => call(dataExports, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.exports.some((one) => one.state === 'waiting') ? pacedMs(EXPORT_POLL_MS) : false,
});

export const connectionsQuery = queryOptions({
  queryKey: keyOf('connections'),
  queryFn: ({ signal }) => call(bindAccounts, { signal }),
});

export type Profile = AnswerOf<typeof profile>['profile'];

export const profileQuery = queryOptions({
  queryKey: keyOf('profile'),
  queryFn: ({ signal }) => call(profile, { signal }),
});

export const summaryQuery = queryOptions({
  queryKey: keyOf('summary'),
  queryFn: ({ signal }) => call(accountSummary, { signal }),
});

export const limitsQuery = queryOptions({
  queryKey: keyOf('limits'),
  queryFn: ({ signal }) => call(accountLimits, { signal }),
});
