/** What kind of exchange this is; it does not change while the page is open. */
import { platform } from '@cambist/contract/platform.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../api-client.ts';

const platformQuery = queryOptions({
  queryKey: ['platform'],
  queryFn: ({ signal }) => call(platform, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Undefined until the server has said it. */
export const usePlatform = () => useQuery(platformQuery).data;

/** The mailbox and the faucet exist only on a development server. */
export const useIsDevelopment = (): boolean => usePlatform()?.development ?? false;
