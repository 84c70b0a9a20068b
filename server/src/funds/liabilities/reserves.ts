/**
 * What is held beside what is owed: with each run hot and cold wallets and the addresses of clients are read at a named block,
 * and the signer signs that by the key of each hot wallet, together with the run's commitment. Each step is a row before the
 * next: a node or a signer that is away is asked again, and until then the run says that it is not signed. What a cold wallet
 * holds is a statement of its own, signed elsewhere and brought back as a file.
 */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { ReserveStatement } from '@cambist/contract/liabilities.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Authority } from '../../platform/authority.ts';
import type { Logger } from '../../platform/logger.ts';
import {
  type Holding,
  isSignedBy,
  type Reserves,
  type SignedColdReserves,
  SignerAway,
  type SignerLink,
  signedColdReserves,
  type UnreadCoin,
  writeColdReserves,
} from '../../signer/service.ts';
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
  shownAddress,
} from '../chains/service.ts';
import type { OwnPayouts } from '../payouts/service.ts';
import type { KeptReserves, ReadReserves, ReserveStore } from './reserve-store.ts';
import type { Run } from './store.ts';

export interface ReserveDeps {
  readonly store: ReserveStore;
  readonly chains: Chains;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  /** Asked before a block is named, and then for what the addresses of clients have at its height, in smallest units of the chain. */
  readonly atAddresses: OwnPayouts['atAddresses'];
  /** Undefined where there is none: statements are then not signed. */
  readonly signer: Pick<SignerLink, 'hotAddress' | 'coldAddress' | 'reserves'> | undefined;
  /** Which of Bitcoin's networks. */
  readonly bitcoin: Parameters<typeof isSignedBy>[2];
  readonly clock: { now(): number };
  readonly logger: Logger;
}

/** Readings of a chain that moved meanwhile, before it counts as away. */
const TRIES = 5;

/**
 * `UNREADABLE`: no signed statement. `OTHER_RUN`: of a run, or of a commitment, that is not here. `OTHER_ADDRESS`: of no cold
 * wallet in it. `NOT_SIGNED`: not by the key of the address, or not of this statement. `TWICE`: it is here already.
 */
export type ColdFault = 'UNREADABLE' | 'OTHER_RUN' | 'OTHER_ADDRESS' | 'NOT_SIGNED' | 'TWICE';

interface Reading {
  readonly block: BlockHeader;
  /** Of each coin, in the order of the addresses; undefined of a coin whose contract could not be read. */
  readonly units: readonly (Units | undefined)[];
}

/** What addresses have of coins at one moment. */
interface Asked {
  readonly addresses: readonly string[];
  readonly ways: readonly CoinNetwork[];
}

/** Deep enough to stay, and not before a deposit that was credited. */
const depthOf = (ways: readonly CoinNetwork[]) => Math.max(0, Math.min(...ways.map((way) => way.credited_at)) - 1);

type Units = readonly bigint[];

/** Undefined where it is not read, however often it is tried. */
async function tried(read: () => Promise<Units>, times = TRIES): Promise<Units | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    return times === 1 ? undefined : tried(read, times - 1);
  }
}

/**
 * What each address has of each coin. A contract that is not read is left out where the chain says at the same moment what
 * they have of its own coin: it is not the node that is away.
 */
async function unitsOf(
  { addresses, ways }: Asked,
  read: (address: string, contract: string | null) => Promise<bigint>,
) {
  const of = (contract: string | null) => () => Promise.all(addresses.map((address) => read(address, contract)));
  const units: (Units | undefined)[] = [];
  for (const contract of ways.map(contractOf)) {
    const found = await (contract === null ? of(null)() : tried(of(contract)));
    if (found === undefined) await of(null)();
    units.push(found);
  }
  return units;
}

/** By a chain that says what an address had at a block. */
async function readAt(
  { chain, balanceAt }: { readonly chain: Chain; readonly balanceAt: NonNullable<Sender['balanceAt']> },
  asked: Asked,
): Promise<Reading> {
  const head = await chain.head();
  const block = await chain.header(Math.max(0, head.height - depthOf(asked.ways)));
  if (block === undefined) throw new NodeFailure(`${chain.network} has no block below its newest`);
  return { block, units: await unitsOf(asked, (address, contract) => balanceAt(address, contract, block)) };
}

/** Of two nodes both must have the block as their newest. */
const isNewest = ({ pair }: Chain, { height }: BlockHeader): boolean =>
  pair?.heads.every((head) => head === height) ?? true;

/** By one that says what an address has now: nothing may have come between both ends of the reading. */
async function readNewest(chain: Chain, asked: Asked): Promise<Reading> {
  const { sender } = chain;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const block = await chain.head();
    const isAtOne = isNewest(chain, block);
    const units = await unitsOf(
      asked,
      async (address, contract) => (await sender?.balance(address, contract, true)) ?? 0n,
    );
    if ((await chain.head()).hash === block.hash && isAtOne && isNewest(chain, block)) return { block, units };
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
        const read = await this.#read();
        if (read.holdings.length === 0) return;
        await store.add(run.batch, clock.now(), read);
        if (read.unread.length > 0) logger.warn({ batch: run.batch, unread: read.unread }, 'Contracts were not read');
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

  /** What is carried to the machine of a cold wallet; undefined where that is not in the run. */
  async coldFile(run: Run, address: string): Promise<{ name: string; file: string } | undefined> {
    const kept = (await this.of([run.batch])).get(run.batch);
    const statement = kept && coldStatementOf(run, kept, address);
    if (statement === undefined || statement.holdings.length === 0) return undefined;
    return { name: `reserves-${run.batch}-${address.slice(0, 10)}.json`, file: writeColdReserves(statement) };
  }

  /** Takes a statement that was signed elsewhere, once. @param run the one that it names @returns undefined once it is kept */
  async takeCold(
    run: Run | undefined,
    { commitment, address, signature }: SignedColdReserves,
    by: Authority,
  ): Promise<ColdFault | undefined> {
    const { store, bitcoin, clock } = this.#deps;
    const kept = run && (await this.of([run.batch])).get(run.batch);
    if (run === undefined || kept === undefined || run.commitment !== commitment) return 'OTHER_RUN';
    const statement = coldStatementOf(run, kept, address);
    if (statement.holdings.length === 0) return 'OTHER_ADDRESS';
    if (!(await isSignedBy(statement, signature, bitcoin))) return 'NOT_SIGNED';
    const isAdded = await store.addCold(by, run.batch, { address, signature, addedAt: clock.now() });
    return isAdded ? undefined : 'TWICE';
  }

  async #sign(run: Run, kept: KeptReserves): Promise<void> {
    const { signer, store, logger } = this.#deps;
    if (signer === undefined || !kept.holdings.some(({ kind }) => kind === 'hot')) return;
    const told = await signer.reserves(statementOf(run, kept));
    if (told.ok) await store.sign(run.batch, told.signatures);
    else logger.error({ batch: run.batch, refused: told.code }, 'The signer has refused to sign what is held');
  }

  async #read(): Promise<ReadReserves> {
    const { chains, networks, atAddresses } = this.#deps;
    const found: Holding[] = [];
    const unread: UnreadCoin[] = [];
    for (const [network, ways] of Map.groupBy(await networks.all(), (way) => way.network)) {
      const chain = chains.get(network);
      if (chain === undefined) continue;
      const wallets = chain.sender === undefined ? [] : await this.#walletsOf(network);
      const addresses = wallets.map(({ address }) => canonicalAddress(familyOf(network), address));
      const balanceAt = chain.sender?.balanceAt?.bind(chain.sender);
      // Before the block is named, so that each deposit of these is in it or below it.
      const creditedAt = await atAddresses(network);
      const { block, units } = await (balanceAt && addresses.length > 0
        ? readAt({ chain, balanceAt }, { addresses, ways })
        : readNewest(chain, { addresses, ways }));
      const credited = await creditedAt(block.height);
      for (const [index, way] of ways.entries()) {
        const at = { network, coin: way.coin, scale: way.chain_scale, height: block.height, hash: block.hash };
        const has = units[index];
        if (has === undefined) {
          unread.push({ network, coin: way.coin, height: block.height, hash: block.hash });
          continue;
        }
        for (const [which, wallet] of wallets.entries()) {
          const amount = has[which] ?? 0n;
          // A cold wallet without a coin has nothing to sign for.
          if (wallet.kind === 'hot' || amount > 0n) found.push({ ...at, ...wallet, units: amount });
        }
        const clients = credited.find(({ coin }) => coin === way.coin)?.units ?? 0n;
        if (clients > 0n) found.push({ ...at, kind: 'clients', address: null, units: clients });
      }
    }
    return { holdings: found, unread };
  }

  /** The hot wallet and the cold one of the signer's policy, as people are shown them; a signer that is away is waited for. */
  async #walletsOf(network: NetworkName): Promise<{ readonly kind: 'hot' | 'cold'; readonly address: string }[]> {
    const { signer } = this.#deps;
    if (signer === undefined) return [];
    try {
      const family = familyOf(network);
      const [hot, cold] = [await signer.hotAddress(network), await signer.coldAddress(network)];
      const wallets = [{ kind: 'hot' as const, address: hot }];
      // One address is counted once, whatever a policy says.
      if (cold === null || cold === canonicalAddress(family, hot)) return wallets;
      return [...wallets, { kind: 'cold' as const, address: shownAddress(family, cold) }];
    } catch (cause) {
      throw cause instanceof SignerAway ? new NodeFailure('The signer is away', { cause }) : cause;
    }
  }
}

/** The run beside some of what was held. */
function statementWith(run: Run, madeAt: number, { holdings, unread }: ReadReserves): Reserves {
  const { batch, stateHash, commitment, assets } = run;
  const owed = assets.map(({ coin, scale, sum, root }) => ({ coin, scale, sum, root }));
  const statement = { batch, time: madeAt, state: stateHash, commitment, assets: owed, holdings: [...holdings] };
  return unread.length === 0 ? statement : { ...statement, unread: [...unread] };
}

/** What the signer signs: all that was held but for cold wallets, and what could not be read. */
const statementOf = (run: Run, { madeAt, holdings, unread }: KeptReserves): Reserves =>
  statementWith(run, madeAt, { holdings: holdings.filter(({ kind }) => kind !== 'cold'), unread });

/** What a cold wallet signs: what its address held. */
const coldStatementOf = (run: Run, { madeAt, holdings }: KeptReserves, address: string): Reserves =>
  statementWith(run, madeAt, {
    holdings: holdings.filter((one) => one.kind === 'cold' && one.address === address),
    unread: [],
  });

/** Undefined where it is none. */
export function readSignedCold(text: string): SignedColdReserves | undefined {
  try {
    return signedColdReserves.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** As it is published: the script reads this very file. */
export function publishedOf(run: Run, kept: KeptReserves): ReserveStatement {
  const { assets, holdings, ...statement } = statementWith(run, kept.madeAt, kept);
  const cold = kept.cold.map(({ address, signature }) => ({ address, signature }));
  return {
    ...statement,
    version: run.version,
    assets: assets.map((asset) => ({ ...asset, sum: String(asset.sum) })),
    holdings: holdings.map((one) => ({ ...one, units: String(one.units) })),
    unread: [...kept.unread],
    signatures: [...(kept.signatures ?? []), ...cold],
  };
}

/** As a run is listed. */
export function shownReserves({ madeAt, holdings, unread, signatures, cold }: KeptReserves) {
  const addresses = new Set(holdings.flatMap(({ kind, address }) => (kind === 'cold' && address ? [address] : [])));
  return {
    made_at: madeAt,
    signers: (signatures ?? []).map(({ address }) => address),
    cold: [...addresses].map((address) => ({
      address,
      signed_at: cold.find((one) => one.address === address)?.addedAt ?? null,
    })),
    holdings: holdings.map(({ scale, units, ...one }) => ({ ...one, amount: formatAmount(units, scale) })),
    unread: [...unread],
  };
}
