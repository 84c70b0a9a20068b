/**
 * What is held beside what is owed: with each run hot wallets and the addresses of clients are read at a named block, and
 * the signer signs that by the key of each hot wallet, together with the run's commitment. Each step is a row before the
 * next: a node or a signer that is away is asked again, and until then the run says that it is not signed.
 */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { ReserveStatement } from '@cambist/contract/liabilities.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Holding, type Reserves, SignerAway, type SignerLink } from '../../signer/service.ts';
import {
  type BlockHeader,
  type Chain,
  type Chains,
  type CoinNetwork,
  canonicalAddress,
  contractOf,
  familyOf,
  NodeFailure,
  type Sender,
} from '../chains/service.ts';
import type { KeptReserves, ReserveStore } from './reserve-store.ts';
import type { Run } from './store.ts';

export interface ReserveDeps {
  readonly store: ReserveStore;
  readonly chains: Chains;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  /** Smallest units of chains at the addresses of clients. */
  readonly held: () => Promise<readonly { network: NetworkName; coin: string; units: bigint }[]>;
  /** Undefined where there is none: statements are then not signed. */
  readonly signer: Pick<SignerLink, 'hotAddress' | 'reserves'> | undefined;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

/** Readings of a chain that moved meanwhile, before it counts as away. */
const TRIES = 5;

interface Reading {
  readonly block: BlockHeader;
  /** In the order of the coins that were asked for. */
  readonly units: readonly bigint[];
}

/** Deep enough to stay, and not before a deposit that was credited. */
const depthOf = (ways: readonly CoinNetwork[]) => Math.max(0, Math.min(...ways.map((way) => way.credited_at)) - 1);

/** By a chain that says what an address had at a block. */
async function readAt(
  { chain, balanceAt }: { readonly chain: Chain; readonly balanceAt: NonNullable<Sender['balanceAt']> },
  hot: string,
  ways: readonly CoinNetwork[],
): Promise<Reading> {
  const head = await chain.head();
  const block = await chain.header(Math.max(0, head.height - depthOf(ways)));
  if (block === undefined) throw new NodeFailure(`${chain.network} has no block below its newest`);
  return { block, units: await Promise.all(ways.map((way) => balanceAt(hot, contractOf(way), block))) };
}

/** By one that says what an address has now: nothing may have come between both ends of the reading. */
async function readNewest(chain: Chain, hot: string | undefined, ways: readonly CoinNetwork[]): Promise<Reading> {
  const { sender } = chain;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const block = await chain.head();
    const read = (way: CoinNetwork) => (sender && hot !== undefined ? sender.balance(hot, contractOf(way)) : 0n);
    const units = await Promise.all(ways.map(read));
    if ((await chain.head()).hash === block.hash) return { block, units };
  }
  throw new NodeFailure(`${chain.network} has moved with each reading`);
}

export class ReserveStatements {
  readonly #deps: ReserveDeps;

  constructor(deps: ReserveDeps) {
    this.#deps = deps;
  }

  /** Reads and signs what is missing of a run. Never rejects: what could not be had is asked for again. */
  async complete(run: Run): Promise<void> {
    const { store, clock, logger } = this.#deps;
    try {
      let kept = (await store.of([run.batch])).get(run.batch);
      if (kept === undefined) {
        const holdings = await this.#read();
        if (holdings.length === 0) return;
        await store.add(run.batch, clock.now(), holdings);
        kept = (await store.of([run.batch])).get(run.batch);
      }
      if (kept !== undefined && kept.signatures === undefined) await this.#sign(run, kept);
    } catch (err) {
      logger.warn({ err, batch: run.batch }, 'What is held could not be stated yet');
    }
  }

  of(batches: readonly number[]): Promise<ReadonlyMap<number, KeptReserves>> {
    return this.#deps.store.of(batches);
  }

  async #sign(run: Run, kept: KeptReserves): Promise<void> {
    const { signer, store, logger } = this.#deps;
    if (signer === undefined || !kept.holdings.some(({ kind }) => kind === 'hot')) return;
    const told = await signer.reserves(statementOf(run, kept));
    if (told.ok) await store.sign(run.batch, told.signatures);
    else logger.error({ batch: run.batch, refused: told.code }, 'The signer has refused to sign what is held');
  }

  async #read(): Promise<Holding[]> {
    const { chains, networks, held } = this.#deps;
    // Before the blocks are named, so that each of these is in or below its block.
    const credited = await held();
    const found: Holding[] = [];
    for (const [network, ways] of Map.groupBy(await networks.all(), (way) => way.network)) {
      const chain = chains.get(network);
      if (chain === undefined) continue;
      const hot = chain.sender && (await this.#hotAddress(network));
      const canonical = hot && canonicalAddress(familyOf(network), hot);
      const balanceAt = chain.sender?.balanceAt?.bind(chain.sender);
      const { block, units } = await (canonical && balanceAt
        ? readAt({ chain, balanceAt }, canonical, ways)
        : readNewest(chain, canonical, ways));
      for (const [index, way] of ways.entries()) {
        const at = { network, coin: way.coin, scale: way.chain_scale, height: block.height, hash: block.hash };
        if (hot !== undefined) found.push({ ...at, kind: 'hot', address: hot, units: units[index]! });
        const clients = credited.find((one) => one.network === network && one.coin === way.coin)?.units ?? 0n;
        if (clients > 0n) found.push({ ...at, kind: 'clients', address: null, units: clients });
      }
    }
    return found;
  }

  /** Undefined where nothing is paid; a signer that is away is waited for. */
  async #hotAddress(network: NetworkName): Promise<string | undefined> {
    const { signer } = this.#deps;
    if (signer === undefined) return undefined;
    return signer.hotAddress(network).catch((cause: unknown) => {
      throw cause instanceof SignerAway ? new NodeFailure('The signer is away', { cause }) : cause;
    });
  }
}

/** What is signed: the run, and what was held. */
export function statementOf(run: Run, { madeAt, holdings }: KeptReserves): Reserves {
  const { batch, stateHash, commitment, assets } = run;
  const owed = assets.map(({ coin, scale, sum, root }) => ({ coin, scale, sum, root }));
  return { batch, time: madeAt, state: stateHash, commitment, assets: owed, holdings: [...holdings] };
}

/** As it is published: the script reads this very file. */
export function publishedOf(run: Run, kept: KeptReserves): ReserveStatement {
  const { assets, holdings, ...statement } = statementOf(run, kept);
  return {
    ...statement,
    assets: assets.map((asset) => ({ ...asset, sum: String(asset.sum) })),
    holdings: holdings.map((one) => ({ ...one, units: String(one.units) })),
    signatures: [...(kept.signatures ?? [])],
  };
}

/** As a run is listed. */
export const shownReserves = ({ madeAt, holdings, signatures }: KeptReserves) => ({
  made_at: madeAt,
  signers: (signatures ?? []).map(({ address }) => address),
  holdings: holdings.map(({ scale, units, ...one }) => ({ ...one, amount: formatAmount(units, scale) })),
});
