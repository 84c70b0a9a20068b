/** Sweeps, wallets and what moves between them as operators see them. */
import type { hotAndCold } from '@cambist/contract/admin-hot-cold.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import {
  type Chains,
  type CoinNetwork,
  chainScaleOf,
  contractOf,
  familyOf,
  NATIVE_COINS,
  type Sender,
  shownAddress,
} from '../chains/service.ts';
import type { OwnPayouts } from '../payouts/service.ts';
import type { Sweep, SweepPolicy, Sweeps } from '../sweeps/service.ts';
import { backBy } from './refills.ts';
import type { Bounds, ColdStore, Move } from './store.ts';

type Answer = AnswerOf<typeof hotAndCold>;
type Network = Answer['networks'][number];
type Payout = Awaited<ReturnType<OwnPayouts['of']>>[number];
type Holding = {
  readonly network: NetworkName;
  readonly coin: string;
  readonly addresses: number;
  readonly units: bigint;
};

export interface ViewDeps {
  readonly chains: Chains;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  readonly store: ColdStore;
  readonly payouts: Pick<OwnPayouts, 'of' | 'hotAddress' | 'coldAddress'>;
  readonly holdings: () => Promise<readonly Holding[]>;
  readonly sweeps: Sweeps;
}

const SHOWN = 50;

/** What is sent for it says where it is, once it is planned. */
function describeSweep(
  sweep: Sweep,
  payout: Payout | undefined,
  topUp: Payout | undefined,
  coins: readonly CoinNetwork[],
): Answer['sweeps'][number] {
  const { id, network, coin, address, state, waits_for: waits, units } = sweep;
  const sent = state === 'SENDING' ? payout : undefined;
  const wait = state === 'TOPPING_UP' ? topUp?.waitsFor : sent?.waitsFor;
  return {
    ...{ network, coin, created_at: sweep.created_at, updated_at: sweep.updated_at },
    id: String(id),
    address: shownAddress(familyOf(network), address),
    state: state === 'SENDING' ? (sent?.state ?? 'PLANNED') : state,
    waits_for: waits || (wait ?? ''),
    amount: units === null ? null : formatAmount(units, chainScaleOf(coins, network, coin)),
    transaction: payout?.transaction ?? null,
  };
}

function describeMove(
  move: Move,
  payout: Payout | undefined,
  coins: readonly CoinNetwork[],
  sender: Sender | undefined,
): Answer['moves'][number] {
  const { id, kind, network, coin, units, state, createdAt, updatedAt } = move;
  return {
    ...{ network, coin, created_at: createdAt, updated_at: updatedAt },
    id: String(id),
    kind: kind === 'refill' ? 'REFILL' : 'TO_COLD',
    has_psbt: kind === 'refill' && sender?.psbt !== undefined,
    amount: formatAmount(units, chainScaleOf(coins, network, coin)),
    state: state === 'SENDING' ? (payout?.state ?? 'PLANNED') : state,
    waits_for: state === 'SENDING' ? (payout?.waitsFor ?? '') : '',
    transaction: payout?.transaction ?? null,
    back_by: backBy(move),
  };
}

/** Null while the node is away. */
async function balanceOf(sender: Sender, address: string | undefined, way: CoinNetwork): Promise<string | null> {
  if (address === undefined) return null;
  const found = await sender.balance(address, contractOf(way)).catch(() => null);
  return found === null ? null : formatAmount(found, way.chain_scale);
}

function describePolicy(network: NetworkName, policies: readonly SweepPolicy[], sweeps: Sweeps): Network['sweeps'] {
  const policy = policies.find((one) => one.network === network);
  if (policy === undefined || !sweeps.serves(network)) return null;
  const { network: _network, ...shown } = policy;
  return { ...shown, own_coin: NATIVE_COINS[network].coin, has_market: sweeps.hasMarket(network) };
}

async function describeNetwork(
  network: NetworkName,
  deps: ViewDeps,
  ways: readonly CoinNetwork[],
  {
    bounds,
    holdings,
    policies,
  }: { bounds: readonly Bounds[]; holdings: readonly Holding[]; policies: readonly SweepPolicy[] },
): Promise<Network[]> {
  const sender = deps.chains.get(network)?.sender;
  if (sender === undefined) return [];
  const [hot, cold] = [deps.payouts.hotAddress(network), await deps.payouts.coldAddress(network)];
  const wallets = ways.map(async (way): Promise<Network['wallets'][number]> => {
    const is = (one: { network: string; coin: string }) => one.network === network && one.coin === way.coin;
    const [bound, held] = [bounds.find(is), holdings.find(is)];
    const amount = (units: bigint) => formatAmount(units, way.chain_scale);
    return {
      coin: way.coin,
      hot: await balanceOf(sender, hot, way),
      cold: await balanceOf(sender, cold, way),
      at_addresses: amount(held?.units ?? 0n),
      addresses: held?.addresses ?? 0,
      bounds: bound ? { low: amount(bound.low), target: amount(bound.target), high: amount(bound.high) } : null,
    };
  });
  return [
    {
      network,
      sweeps: describePolicy(network, policies, deps.sweeps),
      cold_address: cold === undefined ? null : shownAddress(familyOf(network), cold),
      wallets: await Promise.all(wallets),
      is_counting: [hot, cold].some((address) => address !== undefined && sender.isCounting?.(address) === true),
    },
  ];
}

export async function describeHotAndCold(deps: ViewDeps): Promise<Answer> {
  const { store, payouts, chains } = deps;
  const coins = await deps.networks.all();
  const [sweeps, moves, bounds, holdings, policies] = await Promise.all([
    ...[deps.sweeps.list(SHOWN), store.list(SHOWN), store.bounds(), deps.holdings(), deps.sweeps.policies()],
  ] as const);
  const of = async (purpose: 'sweep' | 'top-up' | 'to-cold' | 'refill', ids: readonly number[]) =>
    new Map((await payouts.of(purpose, ids)).map((payout) => [payout.reference, payout]));
  const sweepIds = sweeps.map(({ id }) => id);
  const moveIds = moves.map(({ id }) => id);
  const [sent, topUps] = [await of('sweep', sweepIds), await of('top-up', sweepIds)];
  const moved = { 'to-cold': await of('to-cold', moveIds), refill: await of('refill', moveIds) };
  const described = [...chains.keys()].map((network) => {
    const ways = coins.filter((one) => one.network === network);
    return describeNetwork(network, deps, ways, { bounds, holdings, policies });
  });
  return {
    networks: (await Promise.all(described)).flat(),
    sweeps: sweeps.map((sweep) => describeSweep(sweep, sent.get(sweep.id), topUps.get(sweep.id), coins)),
    moves: moves.map((move) =>
      describeMove(move, moved[move.kind].get(move.id), coins, chains.get(move.network)?.sender),
    ),
  };
}
