/** Which coin the deposit screen shows and by which network it comes; both are remembered on the device. */
import type { DepositNetwork, NetworkName } from '@cambist/contract/deposits.ts';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

export interface DepositCoin {
  readonly name: string;
  readonly full_name: string;
  readonly networks: readonly DepositNetwork[];
}

interface DepositChoiceState {
  readonly coin: string | undefined;
  /** By coin: the same network for another coin is another choice. */
  readonly networks: Readonly<Record<string, NetworkName>>;
  chooseCoin(coin: string): void;
  chooseNetwork(coin: string, network: NetworkName): void;
}

export const useDepositChoice = create<DepositChoiceState>()(
  persist(
    (set) => ({
      coin: undefined,
      networks: {},
      chooseCoin: (coin) => set({ coin }),
      chooseNetwork: (coin, network) => set(({ networks }) => ({ coin, networks: { ...networks, [coin]: network } })),
    }),
    { name: 'cambist.deposit' },
  ),
);

/** The coin of the address, else the last one, else the first; undefined where nothing can be deposited. */
export function coinOf(
  coins: readonly DepositCoin[],
  asked: string | null,
  remembered: string | undefined,
): DepositCoin | undefined {
  const find = (name: string | null | undefined) =>
    coins.find((coin) => coin.name.toUpperCase() === name?.trim().toUpperCase());
  return find(asked) ?? find(remembered) ?? coins[0];
}

/**
 * The network that was chosen for this coin before, or the only one. Where there are several, none is taken for granted:
 * what is sent by another network than the one shown does not arrive.
 */
export function networkOf(coin: DepositCoin, remembered: NetworkName | undefined): DepositNetwork | undefined {
  const found = coin.networks.find(({ value }) => value === remembered);
  return found ?? (coin.networks.length === 1 ? coin.networks[0] : undefined);
}

const GROUP = 4;

export interface AddressGroup {
  /** Where it begins in the address. */
  readonly at: number;
  readonly text: string;
}

/** An address in pieces that the eye can compare, `0x` with the first; together they are the address. */
export function addressGroups(address: string): AddressGroup[] {
  const first = GROUP + (address.startsWith('0x') ? 2 : 0);
  const starts = Array.from({ length: Math.ceil((address.length - first) / GROUP) }, (_, at) => first + at * GROUP);
  return [
    { at: 0, text: address.slice(0, first) },
    ...starts.map((at) => ({ at, text: address.slice(at, at + GROUP) })),
  ];
}
