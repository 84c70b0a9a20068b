/**
 * Payouts without a server: a chain of development, a signer with its own file, one or two processes that send and can be
 * ended anywhere, and a ledger in memory that outlives them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { canonicalAddress } from '../src/funds/chains/addresses.ts';
import { DevelopmentChain } from '../src/funds/chains/development-chain.ts';
import { endowHotWallets } from '../src/funds/chains/development-hot-wallet.ts';
import { contractOf, createNetworkStore } from '../src/funds/chains/network-store.ts';
import { type Chain, NodeFailure, type Sender } from '../src/funds/chains/service.ts';
import { createDepositStore } from '../src/funds/deposits/store.ts';
import { createCosts } from '../src/funds/payouts/costs.ts';
import { Following } from '../src/funds/payouts/following.ts';
import { type KeptPayout, nameOf } from '../src/funds/payouts/kept-payout.ts';
import { PayoutRunner } from '../src/funds/payouts/runner.ts';
import { createSettled } from '../src/funds/payouts/settled.ts';
import { createPayoutStore } from '../src/funds/payouts/store.ts';
import type { Database } from '../src/platform/database.ts';
import type { Policy } from '../src/signer/policy.ts';
import { SignerAway, type SignerLink, signerInProcess } from '../src/signer/service.ts';
import { createFate, type Fate, hasEnded, Killed, mortal } from './mortal-database.ts';
import { mortalSequencer } from './mortal-sequencer.ts';

const USDT: Asset = { id: 0, code: 'USDT', scale: 8 };
const ETH: Asset = { id: 1, code: 'ETH', scale: 8 };
const SEED = Buffer.alloc(32, 7);

/** Asks fate before and after: before, nothing was done; after, the answer is lost. */
function asked<Given extends readonly unknown[], Answer>(
  work: (...given: Given) => Promise<Answer>,
  fate: (when: 'before' | 'after') => void,
): (...given: Given) => Promise<Answer> {
  return async (...given) => {
    fate('before');
    const answer = await work(...given);
    fate('after');
    return answer;
  };
}

/** What a process has, for works of other slices in it. */
export interface StageParts {
  /** May end at any statement. */
  readonly database: Database;
  readonly chain: Chain;
  readonly sender: Sender;
  readonly store: ReturnType<typeof createPayoutStore>;
  readonly runner: PayoutRunner;
  readonly exchange: ReturnType<typeof createExchange>;
  readonly sequencer: Parameters<typeof createCosts>[0]['sequencer'];
  readonly clock: { now(): number };
  readonly alarms: string[];
}

/** What each process does beside payouts, in its order. */
export type WorksOf = (parts: StageParts) => readonly (() => Promise<void>)[];

/** What a process is begun with. */
export interface ProcessParts extends Pick<StageParts, 'chain' | 'exchange' | 'sequencer' | 'clock' | 'alarms'> {
  readonly database: Database;
  readonly signer: SignerLink;
  readonly assets: readonly Asset[];
  readonly fate: Fate;
  /** What clients have paid for payouts; absent where the ledger knows of none. */
  readonly chargedFor?: (payout: { readonly reference: number }) => bigint | undefined;
}

/** The chain as a node that may be away, or whose answer is lost. */
function mortalSender(sender: Sender, fate: Fate): Sender {
  const lost = (when: string) => {
    try {
      fate(`${when} the node`);
    } catch (error) {
      if (error instanceof Killed) throw error;
      throw new NodeFailure('The node is away');
    }
  };
  return new Proxy<Sender>(sender, {
    get(of, name: keyof Sender) {
      if (typeof of[name] !== 'function') return of[name];
      const work = (of[name] as (...given: unknown[]) => Promise<unknown>).bind(of);
      return name === 'broadcast' ? asked(work, lost) : work;
    },
  });
}

function mortalSigner(signer: SignerLink, fate: Fate): SignerLink {
  const away = (when: string) => {
    try {
      fate(`${when} the signer`);
    } catch (error) {
      if (error instanceof Killed) throw error;
      throw new SignerAway('The signer is away');
    }
  };
  return { ...signer, sign: asked((intent, newest) => signer.sign(intent, newest), away) };
}

/** What sends the payouts of a chain, in a process that ends where fate wants it. */
export function beginProcess(
  { database, chain, signer, assets, fate, chargedFor, clock, alarms, exchange, sequencer }: ProcessParts,
  worksOf: WorksOf,
) {
  if (chain.sender === undefined) throw new Error('Nothing is sent by this chain');
  const dying = mortal(database, fate);
  const store = createPayoutStore(dying);
  const networks = createNetworkStore(dying);
  const sender = mortalSender(chain.sender, fate);
  const isTrusted = () => true;
  const alarm = async (kind: string, detail: string) => void alarms.push(`${kind}: ${detail}`);
  const following = new Following({
    ...{ chain, sender, store, networks, clock, isTrusted },
    assetByCode: (code) => assets.find((asset) => asset.code === code),
    chargedFor: chargedFor ?? (() => undefined),
    moved: createDepositStore(dying).moved,
    signedFor: async (payout) => signer.signed(await nameOf(store, payout)),
    alarm(kind, detail) {
      alarms.push(`${kind}: ${detail}`);
      return { sql: 'SELECT 1' };
    },
  });
  const runner = new PayoutRunner({
    ...{ chain, sender, store, networks, clock, isTrusted, following, alarm },
    signer: mortalSigner(signer, fate),
    isStopped: () => false,
    logger: { warn: () => undefined },
  });
  const settled = createSettled({ chain, sender, store, alarm });
  const parts = { database: dying, chain, sender, store, runner, exchange, clock, alarms, sequencer };
  return { runner, costs: createCosts({ store, sequencer }), settled, store, works: worksOf(parts) };
}

export type Process = ReturnType<typeof beginProcess>;

/** Works at once, in a process that ends where fate wants it. @returns whether it has ended */
export const endingAnywhere = (
  { runner, costs, settled, works: own }: Process,
  works: readonly (() => Promise<unknown>)[],
): Promise<boolean> => hasEnded([runner.run(), costs(), settled(), ...[...own, ...works].map((work) => work())]);

export async function createPayoutStage(database: Database, worksOf: WorksOf = () => []) {
  const directory = mkdtempSync(join(tmpdir(), 'cambist-payouts-'));
  const clock = { at: 1_000, now: () => clock.at };
  await database.transaction(
    ['payout_attempts', 'payout_costs', 'payouts'].map((table) => ({ sql: `DELETE FROM ${table}` })),
  );
  await database.query('UPDATE payout_book SET id = gen_random_uuid(), newest_signed = NULL');
  await database.query(
    `UPDATE payout_networks SET hot_address = '', next_nonce = NULL, cost_rest = 0, is_paused = false`,
  );
  const plain = createPayoutStore(database);
  const coins = (await createNetworkStore(database).all()).filter(({ network }) => network === 'ERC20');
  const exchange = createExchange();
  for (const { id, code, scale } of [USDT, ETH]) exchange.apply(0, { kind: 'list-asset', asset: id, code, scale });
  const alarms: string[] = [];
  const policy: { networks: Policy['networks'] } = {
    networks: {
      ERC20: {
        format: 'development',
        fee_cap: 10n ** 16n,
        most_fees_per_day: 10n ** 30n,
        coins: coins.map((coin) => ({
          contract: contractOf(coin),
          most_per_payment: 10n ** 24n,
          most_per_day: 10n ** 27n,
        })),
      },
    },
  };
  const fate = createFate();
  const sequencer = mortalSequencer(exchange, fate.ask);
  const openSigner = () => signerInProcess(directory, { seed: SEED, policy: () => policy, clock });
  let signer = openSigner();
  let chain = new DevelopmentChain('ERC20', directory, clock);
  await endowHotWallets([chain], signer, coins);
  const hot = canonicalAddress('EVM', await signer.hotAddress('ERC20'));
  const start = { ETH: chain.accounts.balance(hot, null), USDT: chain.accounts.balance(hot, usdtContract()) };
  let process = begin();

  function usdtContract(): string {
    const contract = coins.filter(({ coin }) => coin === 'USDT').map(contractOf)[0];
    if (!contract) throw new Error('USDT has no contract');
    return contract;
  }

  function begin() {
    const parts = { database, chain, signer, clock, alarms, sequencer, exchange, assets: [USDT, ETH] };
    return beginProcess({ ...parts, fate: fate.ask }, worksOf);
  }

  const stage = {
    hot,
    start,
    policy,
    alarms,
    clock,
    exchange,
    store: plain,
    get chain() {
      return chain;
    },
    get runner() {
      return process.runner;
    },
    get signer() {
      return signer;
    },
    usdt: usdtContract(),
    /** What its signer has signed, as a file. */
    record: join(directory, 'development-signed.jsonl'),

    /** As the transaction that decides to pay. */
    async plan(reference: number, coin: 'ETH' | 'USDT', units: bigint, address: string, confirmations = 12) {
      const payment = { purpose: 'withdrawal', reference, network: 'ERC20', coin, address, units } as const;
      await database.transaction([plain.planning(payment, confirmations, clock.now())]);
    },

    async payout(reference: number): Promise<KeptPayout> {
      const [found] = await plain.byReferences('withdrawal', [reference]);
      if (found === undefined) throw new Error(`There is no payout for ${reference}`);
      return found;
    },

    /** Without a fault. */
    async sync(): Promise<void> {
      for (const work of process.works) await work();
      await process.runner.run();
      await process.costs();
      await process.settled();
    },

    /** Works at once, in a process that ends where fate wants it. @returns whether it has ended */
    syncUnder: (next: Fate, works: readonly (() => Promise<unknown>)[] = []): Promise<boolean> =>
      fate.under(next, () => endingAnywhere(process, works)),

    /** The same keys with a record of its own. */
    otherSigner: () =>
      signerInProcess(mkdtempSync(join(directory, 'other-')), { seed: SEED, policy: () => policy, clock }),

    /** A second process beside the first, on the same chain, database and signer. */
    beside: begin,

    /** A new process, signer and node find what the last ones have left. */
    restart(): void {
      chain = Object.assign(new DevelopmentChain('ERC20', directory, clock), { baseFee: chain.baseFee });
      signer = openSigner();
      process = begin();
    },

    /** What an address has been paid in blocks of the chain as it is, in how many payments. */
    paid(address: string): { units: bigint; count: number } {
      const payments = chain.lastBlocks(1_000_000).flatMap((block) => block.payments);
      const own = payments.filter((one) => one.address === address);
      return { units: own.reduce((sum, { units }) => sum + units, 0n), count: own.length };
    },

    /** What the hot wallet's transactions have cost. */
    fees(): bigint {
      const mined = chain.lastBlocks(1_000_000).flatMap(({ transactions = [] }) => transactions);
      return mined.reduce((sum, { fee }) => sum + fee, 0n);
    },

    /** What the ledger has booked of that, with the rest that it cannot hold. */
    async booked(): Promise<bigint> {
      const account = accountKey(SystemOwner.NETWORK_COSTS, Wallet.SPOT, Bucket.AVAILABLE, ETH.id);
      const [row] = await database.query<{ cost_rest: bigint }>(
        `SELECT cost_rest FROM payout_networks WHERE network = 'ERC20'`,
      );
      return -exchange.balance(account) * 10n ** 10n + (row?.cost_rest ?? 0n);
    },

    remove: (): void => rmSync(directory, { recursive: true, force: true }),
  };
  return stage;
}

export type PayoutStage = Awaited<ReturnType<typeof createPayoutStage>>;
