/**
 * Deposits, sweeps and payouts on a node of TRON without a server: in one or two processes that can be ended anywhere, with a
 * ledger in memory that outlives them, and sums that are added up from the chain alone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { PairedChain } from '../src/funds/chains/paired-chain.ts';
import { TronChain } from '../src/funds/chains/tron-chain.ts';
import { TronNode } from '../src/funds/chains/tron-node.ts';
import { createAddressStore } from '../src/funds/deposits/address-store.ts';
import { createDepositStore } from '../src/funds/deposits/store.ts';
import { changesOf } from '../src/funds/payouts/moved.ts';
import { createPayoutStore } from '../src/funds/payouts/store.ts';
import type { Sweep } from '../src/funds/sweeps/service.ts';
import { createSweepStore } from '../src/funds/sweeps/store.ts';
import type { Database } from '../src/platform/database.ts';
import { createLogger } from '../src/platform/logger.ts';
import type { Policy } from '../src/signer/policy.ts';
import { signerInProcess } from '../src/signer/service.ts';
import { createFate, type Fate } from './mortal-database.ts';
import { mortalSequencer } from './mortal-sequencer.ts';
import { beginProcess, endingAnywhere, type WorksOf } from './payout-stage.ts';
import { SWEEP_TABLES, sweepWorks } from './sweep-stage.ts';
import { hexOf, requestOf, TronChainOfTests, type TronLie } from './tron-node.ts';

export const TOKEN = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
export const ASSETS: readonly Asset[] = [
  { id: 0, code: 'USDT', scale: 8 },
  { id: 2, code: 'TRX', scale: 8 },
];
/** Blocks after which a deposit may leave, and a payment stays: one more than TRON takes to make a block final. */
export const DEPTH = 20;
const BLOCK_MS = 3000;
const BEGIN = 1_800_000_000_000;
const SEED = Buffer.alloc(32, 11);
type Coin = 'TRX' | 'USDT';
const contracts = { TRX: null, USDT: TOKEN } as const;

async function empty(database: Database): Promise<void> {
  const tables = [...SWEEP_TABLES, 'wallet_moves', 'wallet_bounds', 'payout_attempts', 'payout_costs', 'payouts'];
  await database.transaction(tables.map((table) => ({ sql: `DELETE FROM ${table}` })));
  await database.query('UPDATE payout_book SET id = gen_random_uuid(), newest_signed = NULL');
  await database.query(
    `UPDATE payout_networks SET hot_address = '', cold_address = '', next_nonce = NULL, cost_rest = 0, is_paused = false`,
  );
  await database.query('UPDATE sweep_policy SET is_on = true, least_multiple = 20');
  await database.query(
    `UPDATE coin_networks SET credited_at = 1, unlocked_at = $1, withdraw_confirmations = $1 WHERE network = 'TRC20'`,
    [DEPTH],
  );
}

interface Parts {
  /** What the exchange lists, in the ledger's own numbers; USDT and TRX where it is absent. */
  readonly assets?: () => readonly Asset[];
  /** Ids of clients, each with an address. */
  readonly owners?: readonly number[];
  /** What each process does beside deposits, sweeps and payouts. */
  readonly works?: WorksOf;
  /** What the second of two nodes of the chain says; one node alone without it. */
  readonly second?: TronLie;
}

export async function createTronStage(
  database: Database,
  { owners = [], works = () => [], assets = () => ASSETS, second: lie }: Parts = {},
) {
  await empty(database);
  const directory = mkdtempSync(join(tmpdir(), 'cambist-tron-'));
  const clock = { at: BEGIN, now: () => clock.at };
  const chain = new TronChainOfTests(clock.now);
  const exchange = createExchange();
  for (const { id, code, scale } of ASSETS) exchange.apply(0, { kind: 'list-asset', asset: id, code, scale });
  const alarms: string[] = [];
  const coins = [null, TOKEN].map((contract) => ({ contract, most_per_payment: 10n ** 14n, most_per_day: 10n ** 16n }));
  const policy: { networks: Policy['networks'] } = {
    networks: { TRC20: { format: 'tron', fee_cap: 200_000_000n, most_fees_per_day: 10n ** 30n, coins } },
  };
  const fate = createFate();
  const sequencer = mortalSequencer(exchange, fate.ask);
  const openSigner = () => signerInProcess(directory, { seed: SEED, policy: () => policy, clock });
  let signer = openSigner();
  const hot = await signer.hotAddress('TRC20');
  const prices = {
    assetByCode: (code: string) => ASSETS.find((asset) => asset.code === code),
    // 0.30 USDT for a TRX.
    worthOf: (asset: number, units: bigint) => (asset === 2 ? (units * 3n) / 10n : units),
  };
  let process = begin();
  const start = { TRX: 10n ** 11n, USDT: 10n ** 12n };
  for (const coin of ['TRX', 'USDT'] as const) chain.endow(hot, contracts[coin], start[coin]);
  chain.mine(DEPTH);
  clock.at += DEPTH * BLOCK_MS;

  function begin() {
    const shared = { database, signer, clock, alarms, sequencer, exchange, assets: assets() };
    const first = new TronChain(new TronNode(requestOf(chain)));
    const second = lie && new TronChain(new TronNode(requestOf(chain, lie)));
    const pair = second && new PairedChain({ first, second, clock, logger: createLogger('silent') });
    const parts = { ...shared, chain: pair ?? first };
    const worksOf: WorksOf = (given) => [...sweepWorks(given, prices), ...works(given)];
    return beginProcess({ ...parts, fate: fate.ask }, worksOf);
  }

  const known = new Map<number, string>();
  const addresses = createAddressStore(database);
  for (const owner of owners) {
    const address = await signer.address('TRON', await addresses.takeIndex(owner));
    await addresses.add(owner, 'TRON', address, 0);
    known.set(owner, address);
  }
  const store = createPayoutStore(database);
  const sweeps = createSweepStore(database);
  const deposits = createDepositStore(database);

  const stage = {
    ...{ hot, start, policy, alarms, clock, chain, exchange, store, sweeps, known },
    get runner() {
      return process.runner;
    },
    addressOf: (owner: number) => known.get(owner) ?? '',
    all: (): Promise<Sweep[]> => sweeps.list(1000),

    /** Without a fault. */
    async sync(): Promise<void> {
      for (const work of process.works) await work();
      await process.runner.run();
      await process.costs();
      await process.settled();
    },
    /** Works at once, in a process that ends where fate wants it. @returns whether it has ended */
    syncUnder: (next: Fate, others: readonly (() => Promise<unknown>)[] = []): Promise<boolean> =>
      fate.under(next, () => endingAnywhere(process, others)),
    /** A second process beside the first, on the same chain, database and signer. */
    beside: begin,
    /** A new process and signer find what the last ones have left. */
    restart(): void {
      signer = openSigner();
      process = begin();
    },

    /** Blocks with their time. */
    mine(count: number, isEmpty = false): void {
      for (let made = 0; made < count; made += 1) {
        clock.at += BLOCK_MS;
        chain.mine(1, { isEmpty });
      }
    },
    /** Blocks with everything that is to be done after each. */
    async blocks(count: number): Promise<void> {
      for (let made = 0; made < count; made += 1) {
        stage.mine(1);
        await stage.sync();
      }
    },

    /** From outside. */
    deposit: (owner: number, units: bigint) => chain.pay(stage.addressOf(owner), { units, contract: TOKEN }),
    held: (address: string, coin: Coin) => chain.held(address, contracts[coin]),
    /** What is at the addresses of all clients by the chain. */
    atAddresses: (coin: Coin): bigint =>
      [...known.values()].reduce((sum, address) => sum + chain.held(address, contracts[coin]), 0n),
    /** The same as it is kept. */
    async believed(coin: Coin): Promise<bigint> {
      const moving = (await store.betweenWallets()).flatMap(changesOf);
      const all = [...(await deposits.held()), ...moving].filter((one) => one.coin === coin);
      return all.reduce((sum, { units }) => sum + units, 0n);
    },
    spot: (owner: number) => exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, 0)),

    /** What clients were sent from outside, by the blocks of the chain. */
    received(): bigint {
      const words = new Set([...known.values()].map((address) => hexOf(address).slice(2).padStart(64, '0')));
      const logs = chain.transactions.flatMap(({ of, result }) =>
        of.outcome && result.contractRet === 'SUCCESS' ? result.log : [],
      );
      return logs.reduce((sum, { topics, data }) => (words.has(topics[2] ?? '') ? sum + BigInt(`0x${data}`) : sum), 0n);
    },
    /** What the exchange's own transactions have cost, in sun. */
    fees: (): bigint =>
      chain.transactions.reduce((sum, { of, result }) => (of.outcome === undefined ? sum + result.fee : sum), 0n),
    /** How often the hot wallet has paid gas to addresses of clients. */
    toppedUp: (): number =>
      chain.transactions.filter(({ of }) => of.outcome === undefined && of.type === 'TransferContract').length,
    /** What the ledger has booked of costs, with what it has not yet, in sun. */
    async booked(): Promise<bigint> {
      const account = accountKey(SystemOwner.NETWORK_COSTS, Wallet.SPOT, Bucket.AVAILABLE, 2);
      const [row] = await database.query<{ cost_rest: bigint }>(
        `SELECT cost_rest FROM payout_networks WHERE network = 'TRC20'`,
      );
      return -exchange.balance(account) / 100n + (row?.cost_rest ?? 0n);
    },

    remove: (): void => rmSync(directory, { recursive: true, force: true }),
  };
  return stage;
}

export type TronStage = Awaited<ReturnType<typeof createTronStage>>;
