/** Deposits of clients: their addresses, and what has come to them. */
import type {
  Deposit as DepositAnswer,
  DepositNetwork,
  NetworkName,
  networkTrouble,
} from '@cambist/contract/deposits.ts';
import { networkName } from '@cambist/contract/deposits.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import type { z } from 'zod';
import type { Statement } from '../../platform/database.ts';
import {
  type Chains,
  type CoinNetwork,
  canonicalAddress,
  deriveAddress,
  type Family,
  familyOf,
  type Keys,
  shownAddress,
} from '../chains/service.ts';
import type { AddressStore } from './address-store.ts';
import type { Debts } from './debts.ts';
import type { Deposit, DepositStore, ListFilter, Receipt } from './store.ts';

export { type AddressStore, createAddressStore } from './address-store.ts';

/** What withdrawals ask of deposits. */
export interface Deposited {
  /** The client whose address it is, as `canonicalAddress` writes it. */
  readonly ownerOf: (network: NetworkName, address: string) => Promise<number | undefined>;
  /** What was credited and may not leave yet, in smallest units by asset. */
  readonly locked: DepositStore['locked'];
  /** What clients owe of reversed deposits. */
  readonly debts: Pick<Debts, 'has' | 'owedBy' | 'refusalOf'>;
  /** For the transaction that lets something leave: it fails (`debt`) where the client owes anything. */
  readonly withoutDebt: (owner: number) => Statement;
  readonly unlisted: DepositStore['unlisted'];
  /** For the transaction that completes a withdrawal to another client. */
  readonly receiving: (receipt: Receipt, now: number) => Statement;
  /** Tells the receiver's open pages of it. */
  readonly pushReceived: (withdrawal: number) => Promise<void>;
}

export type { HeldCoin } from './coin-store.ts';
export type { AddressChange, Holder, Receipt } from './store.ts';

export interface DepositDeps {
  readonly store: DepositStore;
  readonly addresses: AddressStore;
  readonly chains: Chains;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  readonly keys: Keys;
  readonly troubleOf: (network: NetworkName) => z.infer<typeof networkTrouble> | null;
  /** Whether a chain is being read: before that, nothing sent there would be found. */
  readonly isRead: (network: NetworkName) => Promise<boolean>;
  readonly assetByCode: (code: string) => Asset | undefined;
  readonly assetById: (id: number) => Asset | undefined;
  readonly assetName: (code: string) => string;
  readonly clock: { now(): number };
  /** Raises an alarm for an operator. */
  readonly alarm: (kind: string, detail: string) => Promise<void>;
}

export type AddressError = 'unknown-network' | 'not-read-yet' | 'not-verified';

export type AddressResult =
  | { readonly ok: true; readonly network: NetworkName; readonly address: string | null }
  | { readonly ok: false; readonly error: AddressError };

function createAddresses(deps: DepositDeps) {
  const { addresses, chains, keys, isRead, clock, alarm } = deps;

  /** A network by its name, or the first one of a coin. */
  async function networkNamed(name: string): Promise<NetworkName | undefined> {
    const wanted = name.toUpperCase();
    const named = networkName.options.find((network) => network === wanted);
    const all = (await deps.networks.all()).filter(({ network }) => chains.has(network));
    return named !== undefined && chains.has(named) ? named : all.find(({ coin }) => coin === wanted)?.network;
  }

  /** An address is shown only where the table, this process and the signer agree on it. */
  async function verified(family: Family, index: number, kept: string): Promise<string | undefined> {
    const xpub = await keys.xpubOf(family);
    const mine = xpub === undefined ? undefined : deriveAddress(family, xpub, index, keys.bitcoin);
    const isMine = mine !== undefined && canonicalAddress(family, mine) === kept;
    if (isMine && ((await keys.signedAddress(family, index)) ?? mine) === mine) return mine;
    await alarm('deposit-address', `The derivations of the ${family} address ${index} differ; it is not shown`);
    return undefined;
  }

  return async (clientId: number, name: string, mayMake: boolean): Promise<AddressResult> => {
    const network = await networkNamed(name);
    if (network === undefined) return { ok: false, error: 'unknown-network' };
    const family = familyOf(network);
    const xpub = await keys.xpubOf(family);
    if (xpub === undefined || !(await isRead(network))) return { ok: false, error: 'not-read-yet' };
    if (mayMake) {
      const index = await addresses.takeIndex(clientId);
      const made = canonicalAddress(family, deriveAddress(family, xpub, index, keys.bitcoin));
      await addresses.add(clientId, family, made, clock.now());
    }
    const kept = await addresses.find(clientId, family);
    if (kept === undefined || kept.address === null) return { ok: true, network, address: null };
    const address = await verified(family, kept.index, kept.address);
    return address === undefined ? { ok: false, error: 'not-verified' } : { ok: true, network, address };
  };
}

export function createDepositService(deps: DepositDeps) {
  const { store, chains, networks, troubleOf } = deps;

  function describeNetwork(coin: CoinNetwork): DepositNetwork {
    return {
      name: coin.name,
      subname: coin.network,
      value: coin.network,
      arrival: coin.arrival,
      confirmation: coin.confirmation,
      minimum: coin.minimum,
      gasFee: coin.gas_fee,
      deposit_minimum: coin.deposit_minimum,
      credited_at: coin.credited_at,
      unlocked_at: coin.unlocked_at,
      contract_address: coin.contract,
      trouble: troubleOf(coin.network),
      is_development: chains.get(coin.network)?.isDevelopment ?? false,
    };
  }

  function describe(deposit: Deposit, coins: readonly CoinNetwork[]): DepositAnswer {
    const { id, coin, network, asset, amount, state, transaction, seenAt, updatedAt } = deposit;
    const figures = coins.find((one) => one.coin === coin && one.network === network);
    const [creditedAt, unlockedAt] = [figures?.credited_at ?? 1, figures?.unlocked_at ?? 1];
    return {
      id: String(id),
      coin,
      network,
      recharge_amount: formatAmount(amount, deps.assetById(asset)?.scale ?? 0),
      date: seenAt,
      response_time: updatedAt,
      recharge_status: state === 'CREDITED' || state === 'UNLOCKED' ? 'APPROVED' : 'PENDING',
      state,
      wallet_address: shownAddress(familyOf(network), deposit.address),
      transaction,
      is_internal: transaction === null,
      confirmations: Math.min(deposit.confirmations, unlockedAt),
      credited_at: creditedAt,
      unlocked_at: unlockedAt,
    };
  }

  return {
    addressOf: createAddresses(deps),
    describe,

    /** Coins that can come in by a chain of this process, each with its networks. */
    async coins() {
      const known = (await networks.all()).filter((one) => chains.has(one.network) && deps.assetByCode(one.coin));
      return [...Map.groupBy(known, ({ coin }) => coin)].map(([coin, ways]) => ({
        name: coin,
        full_name: deps.assetName(coin),
        image: `/icons/${coin.toLowerCase()}.svg`,
        networks: ways.map(describeNetwork),
      }));
    },

    async list(filter: ListFilter): Promise<DepositAnswer[]> {
      const [found, coins] = await Promise.all([store.list(filter), networks.all()]);
      return found.map((deposit) => describe(deposit, coins));
    },

    async find(owner: number, id: number): Promise<DepositAnswer | undefined> {
      const deposit = await store.find(owner, id);
      return deposit && describe(deposit, await networks.all());
    },
  };
}

export type DepositService = ReturnType<typeof createDepositService>;
