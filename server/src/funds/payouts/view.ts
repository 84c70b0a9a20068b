/** Chains, hot wallets and payouts as operators see them. */
import type { adminChains } from '@cambist/contract/admin-withdrawals.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import type { SignerLink } from '../../signer/service.ts';
import {
  type Chain,
  type Chains,
  type CoinNetwork,
  chainScaleOf,
  contractOf,
  familyOf,
  ledgerAmount,
  NATIVE_COINS,
  shownAddress,
} from '../chains/service.ts';
import type { Custody } from './custody.ts';
import type { KeptPayout, NetworkRow } from './kept-payout.ts';
import type { PayoutStore } from './store.ts';

export type Watched = {
  readonly trouble: 'PAUSED' | 'BEHIND' | 'SPLIT' | 'AWAY' | null;
  readonly heights: { readonly head: number | undefined; readonly cursor: number | undefined };
};

export interface ViewDeps {
  readonly chains: Chains;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  readonly store: PayoutStore;
  readonly custody: Custody;
  readonly watchers: ReadonlyMap<NetworkName, Watched>;
  readonly signer: SignerLink | undefined;
  readonly hotAddress: (network: NetworkName) => string | undefined;
  readonly assetByCode: (code: string) => Asset | undefined;
  /** At the last price, in units of the quote asset; undefined where no market prices it. */
  readonly worthOf: (asset: number, units: bigint) => bigint | undefined;
  readonly clock: { now(): number };
}

type Answer = AnswerOf<typeof adminChains>;
type ChainAnswer = Answer['chains'][number];
type PayoutAnswer = Answer['payouts'][number];
type Coin = { readonly coin: string; readonly contract: string | null; readonly scale: number };

const KINDS = {
  withdrawal: 'WITHDRAWAL',
  'top-up': 'TOP_UP',
  'to-cold': 'TO_COLD',
  sweep: 'SWEEP',
  refill: 'REFILL',
} as const;
const QUOTE = 'USDT';
const SHOWN = 100;
const MARGIN_MS = 30 * 86_400_000;

/** The chain's own coin first. */
function coinsOn(network: NetworkName, coins: readonly CoinNetwork[]): Coin[] {
  const tokens = coins.filter((one) => one.network === network && one.contract !== null);
  const listed = tokens.map((one) => ({ coin: one.coin, contract: contractOf(one), scale: one.chain_scale }));
  return [{ ...NATIVE_COINS[network], contract: null }, ...listed];
}

export function describePayout(payout: KeptPayout, coins: readonly CoinNetwork[]): PayoutAnswer {
  const { network, coin, address, units, transaction, attempts, createdAt, updatedAt } = payout;
  const scale = chainScaleOf(coins, network, coin);
  return {
    ...{ network, coin, transaction, state: payout.state, confirmations: payout.confirmations },
    id: String(payout.id),
    kind: KINDS[payout.purpose],
    amount: formatAmount(units, scale),
    address: shownAddress(familyOf(network), address),
    replacements: Math.max(0, attempts.filter(({ raw }) => raw !== null).length - 1),
    waits_for: payout.waitsFor,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** What payouts from the hot wallet that wait for funds miss, fees aside. */
function shortOf(balances: ReadonlyMap<string, bigint>, payouts: readonly KeptPayout[], coins: readonly Coin[]) {
  const own = payouts.filter(({ payer, state }) => payer === undefined && state !== 'MINED');
  return coins.flatMap(({ coin, scale }) => {
    const open = own.filter((one) => one.coin === coin);
    if (!open.some(({ waitsFor }) => waitsFor === 'FUNDS')) return [];
    const missing = open.reduce((sum, { units }) => sum + units, 0n) - (balances.get(coin) ?? 0n);
    return missing > 0n ? [{ coin, amount: formatAmount(missing, scale) }] : [];
  });
}

async function describeHotWallet({ network, sender }: Chain, deps: ViewDeps, coins: readonly CoinNetwork[]) {
  const address = deps.hotAddress(network);
  if (sender === undefined || address === undefined) return null;
  const all = coinsOn(network, coins);
  const shown = shownAddress(familyOf(network), address);
  try {
    const read = await Promise.all(all.map(async ({ contract }) => sender.balance(address, contract)));
    const balances = new Map(all.map(({ coin }, index) => [coin, read[index] ?? 0n]));
    const open = await deps.store.open(network, SHOWN);
    return {
      address: shown,
      balances: all.map(({ coin, scale }) => ({ coin, amount: formatAmount(balances.get(coin) ?? 0n, scale) })),
      short: shortOf(balances, open, all),
    };
  } catch {
    return { address: shown, balances: null, short: [] };
  }
}

async function describeChain(
  chain: Chain,
  deps: ViewDeps,
  coins: readonly CoinNetwork[],
  { isPaused = false, costRest = 0n }: Partial<NetworkRow>,
): Promise<ChainAnswer> {
  const { coin, scale } = NATIVE_COINS[chain.network];
  const isListed = deps.assetByCode(coin) !== undefined;
  const watched = deps.watchers.get(chain.network);
  return {
    network: chain.network,
    is_development: chain.isDevelopment,
    head: watched?.heights.head ?? null,
    cursor: watched?.heights.cursor ?? null,
    nodes: (chain.pair?.heads ?? []).map((height) => ({ head: height ?? null })),
    trouble: watched?.trouble ?? null,
    payouts_paused: isPaused,
    hot_wallet: await describeHotWallet(chain, deps, coins),
    unbooked_cost: isListed || costRest === 0n ? null : { coin, amount: formatAmount(costRest, scale) },
  };
}

export async function isAnswering(signer: SignerLink): Promise<boolean> {
  return signer.hotAddress('ERC20').then(
    () => true,
    () => false,
  );
}

async function describeSigner(signer: SignerLink | undefined): Promise<Answer['signer']> {
  if (signer === undefined) return { state: 'NONE', is_in_process: false };
  return { state: (await isAnswering(signer)) ? 'READY' : 'AWAY', is_in_process: signer.isInProcess };
}

async function describeCustody({ custody, store }: ViewDeps): Promise<Answer['custody']> {
  const compared = await custody.compare();
  const kept = new Map((await store.custody()).map((one) => [one.coin, one]));
  return compared.map(({ coin, scale, ledger, chains }) => ({
    coin,
    ledger: formatAmount(ledger, scale),
    chains: chains === null ? null : formatAmount(chains, scale),
    difference: chains === null ? null : formatAmount(chains - ledger, scale),
    is_stopped: kept.get(coin)?.is_stopped ?? false,
  }));
}

/** What was charged in a coin less what a chain has taken in its own, at the middle of the known prices; null without them. */
function resultOf(
  { assetByCode, worthOf }: ViewDeps,
  network: NetworkName,
  charged: { readonly coin: string; readonly units: bigint } | undefined,
  cost: bigint,
): string | null {
  const native = NATIVE_COINS[network];
  const [quote, paid, came] = [QUOTE, native.coin, charged?.coin ?? QUOTE].map(assetByCode);
  if (quote === undefined || paid === undefined || came === undefined) return null;
  const { amount } = ledgerAmount(cost, native.scale, paid.scale);
  const [out, into] = [worthOf(paid.id, amount), worthOf(came.id, charged?.units ?? 0n)];
  return out === undefined || into === undefined ? null : formatAmount(into - out, quote.scale);
}

const costIn = (network: NetworkName, cost: bigint) => {
  const { coin, scale } = NATIVE_COINS[network];
  return { coin, amount: formatAmount(cost, scale) };
};

async function describeMargins(deps: ViewDeps): Promise<Pick<Answer, 'margins' | 'own_costs'>> {
  const { store, assetByCode, clock } = deps;
  const since = clock.now() - MARGIN_MS;
  const [margins, own] = [await store.margins(since), await store.ownCosts(since)];
  return {
    margins: margins.map(({ network, coin, charged, cost, ...counts }) => ({
      ...{ network, coin, ...counts },
      charged: formatAmount(charged, assetByCode(coin)?.scale ?? 0),
      cost: costIn(network, cost),
      result_usdt: resultOf(deps, network, { coin, units: charged }, cost),
    })),
    own_costs: own.map(({ network, cost, count }) => ({
      ...{ network, count, cost: costIn(network, cost) },
      result_usdt: resultOf(deps, network, undefined, cost),
    })),
  };
}

export async function describeChains(deps: ViewDeps): Promise<Answer> {
  const coins = await deps.networks.all();
  const kept = await deps.store.networks();
  return {
    chains: await Promise.all(
      [...deps.chains.values()].map((chain) => describeChain(chain, deps, coins, kept.get(chain.network) ?? {})),
    ),
    signer: await describeSigner(deps.signer),
    payouts: (await deps.store.list(SHOWN)).map((payout) => describePayout(payout, coins)),
    custody: await describeCustody(deps),
    ...(await describeMargins(deps)),
  };
}
