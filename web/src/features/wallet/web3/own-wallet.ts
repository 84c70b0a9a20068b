/**
 * The wallet of the person's own that this browser is connected to. Only which extension it is stays on the device, until
 * the session ends: the address is asked of the extension each time, which gives it without a question as long as the person lets it.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { EIP1193Provider, EIP6963ProviderDetail } from 'mipd';
import { useEffect } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { endWithSession, ofClient } from '../../../lib/kept-answers.ts';
import { findWallets } from '../../../lib/wallet-extensions.ts';

interface ConnectionStore {
  /** By its reverse domain name, which stays the same. */
  readonly extension: string | undefined;
  connect(extension: string): void;
  forget(): void;
}

const useConnection = create<ConnectionStore>()(
  persist(
    (set) => ({
      extension: undefined,
      connect: (extension) => set({ extension }),
      forget: () => set({ extension: undefined }),
    }),
    ofClient('own-wallet'),
  ),
);

endWithSession(useConnection);

export interface OwnWallet {
  readonly name: string;
  readonly address: string;
  readonly provider: EIP1193Provider;
}

const KEY = ['own-wallet'] as const;

async function walletOf({ info, provider }: EIP6963ProviderDetail, method: 'eth_accounts' | 'eth_requestAccounts') {
  const [address] = await provider.request({ method });
  return address === undefined ? null : { name: info.name, address, provider };
}

/** The wallet, `null` where none is connected, undefined while that is found out. */
export function useOwnWallet() {
  const { extension, connect, forget } = useConnection();
  const queries = useQueryClient();
  const { data: wallet } = useQuery({
    queryKey: [...KEY, extension],
    queryFn: async (): Promise<OwnWallet | null> => {
      if (extension === undefined) return null;
      const found = (await findWallets()).find(({ info }) => info.rdns === extension);
      return found ? walletOf(found, 'eth_accounts') : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const provider = wallet?.provider;
  useEffect(() => {
    // Another account was chosen in the extension, or none is shown to this page any more.
    const read = () => void queries.invalidateQueries({ queryKey: KEY });
    provider?.on('accountsChanged', read);
    return () => provider?.removeListener('accountsChanged', read);
  }, [provider, queries]);
  return {
    wallet,
    /** Asks the extension. Rejects where it, or the person, refuses. */
    async use(chosen: EIP6963ProviderDetail): Promise<void> {
      const connected = await walletOf(chosen, 'eth_requestAccounts');
      queries.setQueryData([...KEY, chosen.info.rdns], connected);
      connect(chosen.info.rdns);
    },
    forget,
  };
}
