/**
 * Which coin a screen of deposits or withdrawals shows and by which network it travels. Both are remembered on the device until
 * the session ends: the network that another client chose would be taken for granted.
 */
import type { DepositNetwork, NetworkName } from '@cambist/contract/deposits.ts';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { endWithSession, ofClient } from '../../lib/kept-answers.ts';

export interface DepositCoin {
  readonly name: string;
  readonly full_name: string;
  readonly networks: readonly DepositNetwork[];
}

interface ChoiceState {
  readonly coin: string | undefined;
  /** By coin: the same network for another coin is another choice. */
  readonly networks: Readonly<Record<string, NetworkName>>;
  chooseCoin(coin: string): void;
  chooseNetwork(coin: string, network: NetworkName): void;
}

/** What is sent by one network is rarely what comes by it, so each screen remembers its own. */
function choiceStore(name: string) {
  const store = create<ChoiceState>()(
    persist(
      (set) => ({
        coin: undefined,
        networks: {},
        chooseCoin: (coin) => set({ coin }),
        chooseNetwork: (coin, network) => set(({ networks }) => ({ coin, networks: { ...networks, [coin]: network } })),
      }),
      ofClient(name),
    ),
  );
  endWithSession(store);
  return store;
}

export const useDepositChoice = choiceStore('deposit');
export const useWithdrawChoice = choiceStore('withdraw');

/** The coin of the address, else the last one, else the first; undefined where there is none. */
export function coinOf<Coin extends { readonly name: string }>(
  coins: readonly Coin[],
  asked: string | null,
  remembered: string | undefined,
): Coin | undefined {
  const find = (name: string | null | undefined) =>
    coins.find((coin) => coin.name.toUpperCase() === name?.trim().toUpperCase());
  return find(asked) ?? find(remembered) ?? coins[0];
}

/**
 * The network that was chosen for this coin before, or the only one. Where there are several, none is taken for granted:
 * what is sent by another network than the one shown does not arrive.
 */
export function networkOf<Network extends { readonly value: NetworkName }>(
  coin: { readonly networks: readonly Network[] },
  remembered: NetworkName | undefined,
): Network | undefined {
  const found = coin.networks.find(({ value }) => value === remembered);
  return found ?? (coin.networks.length === 1 ? coin.networks[0] : undefined);
}
