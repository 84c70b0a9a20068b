/** What a withdrawal is before anything of the client is proven: its coin, network, address, amount and fee. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { networkName } from '@cambist/contract/deposits.ts';
import { parseAmount } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { amountProblem } from '../../exchange/orders/errors.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';
import { type BitcoinNetwork, type CoinNetwork, canonicalAddress, familyOf } from '../chains/service.ts';
import type { Payouts } from '../payouts/service.ts';
import { type AddressFault, addressFault } from './addresses.ts';
import type { LimitName } from './stage-store.ts';

export interface Wish {
  readonly coin: string;
  readonly network: string;
  readonly address: string;
  readonly amount: string;
  /** The fee that the person was shown. */
  readonly fee: string | undefined;
}

/** What can be withdrawn by a network: its figures for sending are there. */
export type Way = CoinNetwork & {
  readonly withdraw_minimum: string;
  readonly withdraw_fee: string;
  readonly withdraw_confirmations: number;
};

export interface Inspected {
  readonly asset: Asset;
  readonly way: Way;
  /** Canonical. */
  readonly address: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly receiver: number | null;
}

export type WithdrawalError =
  | { readonly kind: 'unknown-coin'; readonly name: string }
  | { readonly kind: 'not-withdrawable'; readonly coin: string; readonly network: string }
  | { readonly kind: 'invalid-amount'; readonly detail: LocalizedText }
  | { readonly kind: 'below-minimum'; readonly minimum: string }
  | { readonly kind: 'fee-changed'; readonly fee: string }
  | { readonly kind: 'address'; readonly fault: AddressFault }
  | { readonly kind: 'fraudulent-address' | 'exchange-address' | 'own-address' | 'token-contract' }
  | { readonly kind: 'restricted' }
  | { readonly kind: 'wrong-password' }
  | { readonly kind: 'wrong-code' }
  | { readonly kind: 'debt' }
  | { readonly kind: 'not-whitelisted' | 'no-second-way' }
  | { readonly kind: 'insufficient'; readonly balance: string }
  | { readonly kind: 'limit'; readonly limit: LimitName; readonly most: string; readonly used: string }
  | { readonly kind: 'key-reused' | 'not-accepted' | 'outcome-unknown' };

export type Result<Value, Problem = WithdrawalError> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Problem };

export const fail = <Problem>(error: Problem): { readonly ok: false; readonly error: Problem } => ({
  ok: false,
  error,
});

export interface InspectionDeps {
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  readonly assetByCode: (code: string) => Asset | undefined;
  readonly ownerOf: (network: NetworkName, address: string) => Promise<number | undefined>;
  /** Whether an account has ended: its addresses stay, and what came to them would be lost. */
  readonly isErased: (clientId: number) => Promise<boolean>;
  /** Whether nothing is sent to it, by any network that has the same addresses. */
  readonly isFraudulent: (network: NetworkName, address: string) => Promise<boolean>;
  readonly payouts: Payouts | undefined;
  /** Whose addresses those of Bitcoin are; the main network's where it is absent. */
  readonly bitcoin?: BitcoinNetwork;
}

export const isWay = (coin: CoinNetwork): coin is Way =>
  coin.withdraw_minimum !== null && coin.withdraw_fee !== null && coin.withdraw_confirmations !== null;

/** The networks that share addresses with one. */
export const siblings = (network: NetworkName): NetworkName[] =>
  networkName.options.filter((other) => familyOf(other) === familyOf(network));

/** Figures of an operator are within the decimals of both, which is seen to where they are changed. */
export function figureUnits(text: string, asset: Asset): bigint {
  const parsed = parseAmount(text, asset.scale);
  if (!parsed.ok) throw new Error(`${text} ${asset.code} cannot be held by the ledger`);
  return parsed.value;
}

/** In units of the ledger that the chain can pay too. */
export function readAmount(text: string, asset: Asset, chainScale: number): Result<bigint> {
  const parsed = parseAmount(text, asset.scale);
  const scale = Math.min(asset.scale, chainScale);
  if (!parsed.ok) return fail({ kind: 'invalid-amount', detail: amountProblem(parsed.error, scale) });
  if (parsed.value === 0n) return fail({ kind: 'invalid-amount', detail: say('Amount is required') });
  if (parsed.value % 10n ** BigInt(asset.scale - scale) === 0n) return { ok: true, value: parsed.value };
  return fail({ kind: 'invalid-amount', detail: amountProblem('TOO_MANY_DECIMALS', scale) });
}

function createAddressCheck({ networks, ownerOf, isErased, isFraudulent, payouts, bitcoin }: InspectionDeps) {
  /** @returns the client whose deposit address it is; null for any other address that may be sent to */
  return async (owner: number, network: NetworkName, text: string): Promise<Result<number | null>> => {
    const fault = addressFault(network, text, bitcoin);
    if (fault !== undefined) return fail({ kind: 'address', fault });
    const family = familyOf(network);
    const address = canonicalAddress(family, text);
    if (await isFraudulent(network, address)) return fail({ kind: 'fraudulent-address' });
    if (payouts?.isOwnAddress(network, address)) return fail({ kind: 'exchange-address' });
    const contracts = (await networks.all()).filter((one) => familyOf(one.network) === family && one.contract !== null);
    const isToken = contracts.some(({ contract }) => canonicalAddress(family, contract ?? '') === address);
    if (isToken) return fail({ kind: 'token-contract' });
    const receiver = (await ownerOf(network, address)) ?? null;
    if (receiver !== null && (await isErased(receiver))) return fail({ kind: 'exchange-address' });
    return receiver === owner ? fail({ kind: 'own-address' }) : { ok: true, value: receiver };
  };
}

/** Whether the fee is another one than was shown. Who sends internally may have been shown that of the network. */
function isFeeOther(shown: string | undefined, fee: bigint, networkFee: bigint, asset: Asset): boolean {
  if (shown === undefined) return false;
  const parsed = parseAmount(shown, asset.scale);
  return !parsed.ok || (parsed.value !== fee && !(fee === 0n && parsed.value === networkFee));
}

export function createInspection(deps: InspectionDeps) {
  const checkAddress = createAddressCheck(deps);

  return async (owner: number, wish: Wish): Promise<Result<Inspected>> => {
    const asset = deps.assetByCode(wish.coin.toUpperCase());
    if (asset === undefined) return fail({ kind: 'unknown-coin', name: wish.coin });
    const all = await deps.networks.all();
    const way = all.filter(isWay).find(({ coin, network }) => coin === asset.code && network === wish.network);
    if (way === undefined) return fail({ kind: 'not-withdrawable', coin: asset.code, network: wish.network });
    const amount = readAmount(wish.amount, asset, way.chain_scale);
    if (!amount.ok) return amount;
    if (amount.value < figureUnits(way.withdraw_minimum, asset)) {
      return fail({ kind: 'below-minimum', minimum: way.withdraw_minimum });
    }
    const receiver = await checkAddress(owner, way.network, wish.address);
    if (!receiver.ok) return receiver;
    const networkFee = figureUnits(way.withdraw_fee, asset);
    const fee = receiver.value === null ? networkFee : 0n;
    if (isFeeOther(wish.fee, fee, networkFee, asset)) {
      return fail({ kind: 'fee-changed', fee: receiver.value === null ? way.withdraw_fee : '0' });
    }
    const address = canonicalAddress(familyOf(way.network), wish.address);
    return { ok: true, value: { asset, way, address, amount: amount.value, fee, receiver: receiver.value } };
  };
}

export type Inspection = ReturnType<typeof createInspection>;

export type UnfitAddress = Extract<WithdrawalError, { kind: 'not-withdrawable' | 'address' }>;

/** What keeps an address from ever being withdrawn to, which is seen to when it is saved. */
export function createAddressReview({ networks, bitcoin }: Pick<InspectionDeps, 'networks' | 'bitcoin'>) {
  return async (coin: string, network: string, address: string): Promise<UnfitAddress | undefined> => {
    const way = (await networks.all()).filter(isWay).find((one) => one.coin === coin && one.network === network);
    if (way === undefined) return { kind: 'not-withdrawable', coin, network };
    const fault = addressFault(way.network, address, bitcoin);
    return fault && { kind: 'address', fault };
  };
}
