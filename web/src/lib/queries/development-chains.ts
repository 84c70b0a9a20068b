/** The chains that a development server makes in its own process, and what can be done on them. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { developmentChains, mineBlocks, reorganizeChain, sendOnChain } from '@cambist/contract/development-chains.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api-client.ts';
import { every } from '../away.ts';

const REFRESH_MS = 2_000;

type Chains = AnswerOf<typeof developmentChains>;
export type DevelopmentChain = Chains['chains'][number];

export const developmentChainsQuery = queryOptions({
  queryKey: ['development-chains'],
  queryFn: ({ signal }) => call(developmentChains, { signal }),
  refetchInterval: every(REFRESH_MS),
});

export interface Payment {
  readonly coin: string;
  readonly address: string;
  readonly amount: string;
}

interface Handlers {
  readonly onError: (error: Error) => void;
  readonly onSent?: (transaction: string) => void;
}

/** Each act shows the chain as it is afterwards. */
export function useChainActions(network: NetworkName, { onError, onSent }: Handlers) {
  const queries = useQueryClient();
  const show = ({ chain }: { readonly chain: DevelopmentChain }) =>
    queries.setQueryData<Chains>(
      developmentChainsQuery.queryKey,
      (old) => old && { chains: old.chains.map((known) => (known.network === network ? chain : known)) },
    );
  return {
    send: useMutation({
      mutationFn: (payment: Payment) => call(sendOnChain, { body: { network, ...payment } }),
      onSuccess: (answer) => {
        show(answer);
        onSent?.(answer.transaction);
      },
      onError,
    }),
    mine: useMutation({
      mutationFn: (blocks: number) => call(mineBlocks, { body: { network, blocks } }),
      onSuccess: show,
      onError,
    }),
    reorganize: useMutation({
      mutationFn: (body: { readonly depth: number; readonly payments: 'KEEP' | 'DROP' }) =>
        call(reorganizeChain, { body: { network, ...body } }),
      onSuccess: show,
      onError,
    }),
  };
}
