/**
 * Sweeps without a server: deposits and payouts on one chain of development, in one or two processes that can be ended
 * anywhere, and sums that are added up from the chain alone.
 */
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { canonicalAddress } from '../src/funds/chains/addresses.ts';
import { createNetworkStore } from '../src/funds/chains/network-store.ts';
import { createAddressStore } from '../src/funds/deposits/address-store.ts';
import { createChainStore } from '../src/funds/deposits/chain-store.ts';
import { Crediting } from '../src/funds/deposits/crediting.ts';
import { createCreditingStore } from '../src/funds/deposits/crediting-store.ts';
import { Debts } from '../src/funds/deposits/debts.ts';
import { createDepositLedger } from '../src/funds/deposits/ledger.ts';
import { createDepositStore } from '../src/funds/deposits/store.ts';
import { Watcher } from '../src/funds/deposits/watcher.ts';
import { internalOf } from '../src/funds/payouts/internal.ts';
import { changesOf } from '../src/funds/payouts/moved.ts';
import type { Sweep } from '../src/funds/sweeps/service.ts';
import { createSweepStore } from '../src/funds/sweeps/store.ts';
import { Sweeper } from '../src/funds/sweeps/sweeper.ts';
import type { WorthDeps } from '../src/funds/sweeps/worth.ts';
import type { Database } from '../src/platform/database.ts';
import { createLogger } from '../src/platform/logger.ts';
import { createPayoutStage, type StageParts } from './payout-stage.ts';

const ASSETS: readonly Asset[] = [
  { id: 0, code: 'USDT', scale: 8 },
  { id: 1, code: 'ETH', scale: 8 },
];
/** Blocks after which a deposit may leave, and a payment stays: fewer than on Ethereum, so that tests are short. */
export const [UNLOCKED_AT, CONFIRMATIONS] = [6, 12];
const ETHER_IN_USDT = 2000n;
const COINS = ['ETH', 'USDT'] as const;
type Coin = (typeof COINS)[number];

/** Whose rows a stage of sweeps begins without. */
export const SWEEP_TABLES = [
  ...['sweeps', 'deposit_movements', 'deposit_debts', 'deposit_dust', 'unlisted_deposits', 'deposits'],
  ...['chain_blocks', 'chain_cursors', 'deposit_addresses', 'deposit_keys', 'deposit_sums', 'deposit_holdings'],
];

const assetByCode = (code: string) => ASSETS.find((asset) => asset.code === code);

/** Deposits of a chain, credited in a ledger, and the slice's store. */
export function depositWorks(
  { database, chain, store, exchange, sequencer, clock, alarms, runner }: StageParts,
  assetByCode: (code: string) => Asset | undefined,
) {
  const networks = createNetworkStore(database);
  const hotAddress = () => runner.hotAddress;
  const alarm = async (kind: string, detail: string) => void alarms.push(`${kind}: ${detail}`);
  const deposits = createDepositStore(database);
  const watcher = new Watcher({
    ...{ chain, networks, assetByCode, alarm, clock, logger: createLogger('silent') },
    store: createChainStore(database),
    addresses: createAddressStore(database),
    internal: (network, payments) => internalOf(store, network, hotAddress(), payments),
    onMoved: async () => undefined,
  });
  const crediting = new Crediting({
    ...{ networks, clock },
    debts: new Debts(() => undefined),
    stopOrders: async () => true,
    ledger: createDepositLedger({ exchange, sequencer } as unknown as Parameters<typeof createDepositLedger>[0]),
    store: createCreditingStore(database),
    scaleOf: () => 8,
    notices: { of: () => [] },
    erasedOf: async () => new Set(),
    onChange: async () => undefined,
    alarms: {
      statement(kind, detail) {
        alarms.push(`${kind}: ${detail}`);
        return { sql: 'SELECT 1' };
      },
    },
  });
  return { deposits, works: [watcher.catchUp, crediting.run, deposits.fold] };
}

/** What sweeps ask of payouts. */
export const sweepPayouts = ({
  store,
  runner,
  clock,
}: StageParts): ConstructorParameters<typeof Sweeper>[0]['payouts'] => ({
  ...{ planning: store.planning, of: store.byReferences, hotAddress: () => runner.hotAddress, wake: () => undefined },
  exhausted: store.exhausted,
  isStopped: () => false,
  async giveUp(purpose, reference) {
    const [payout] = await store.byReferences(purpose, [reference]);
    return payout !== undefined && store.giveUp(payout, clock.now());
  },
});

/** Deposits and sweeps of a chain. @param worthOf in USDT, smallest units of the ledger */
export function sweepWorks(parts: StageParts, { assetByCode, worthOf }: WorthDeps) {
  const { database, chain, sender, clock } = parts;
  const networks = createNetworkStore(database);
  const { deposits, works } = depositWorks(parts, assetByCode);
  const sweeper = new Sweeper({
    ...{ chain, sender, networks, assetByCode, clock, holders: deposits.holders, isTrusted: () => true },
    store: createSweepStore(database),
    worthOf,
    payouts: sweepPayouts(parts),
  });
  return [...works, sweeper.run];
}

const worksIn = (parts: StageParts) =>
  sweepWorks(parts, { assetByCode, worthOf: (asset, units) => (asset === 1 ? units * ETHER_IN_USDT : units) });

/** @param owners ids of clients, each with an address */
export async function createSweepStage(database: Database, owners: readonly number[]) {
  await database.transaction(SWEEP_TABLES.map((table) => ({ sql: `DELETE FROM ${table}` })));
  await database.query('UPDATE sweep_policy SET is_on = true, least_multiple = 20');
  await database.query(
    `UPDATE coin_networks SET credited_at = 2, unlocked_at = $1, withdraw_confirmations = $2 WHERE network = 'ERC20'`,
    [UNLOCKED_AT, CONFIRMATIONS],
  );
  const stage = await createPayoutStage(database, worksIn);
  const addresses = createAddressStore(database);
  const known = new Map<number, string>();
  for (const owner of owners) {
    const index = await addresses.takeIndex(owner);
    const address = canonicalAddress('EVM', await stage.signer.address('EVM', index));
    await addresses.add(owner, 'EVM', address, 0);
    known.set(owner, address);
  }
  const contracts = { ETH: null, USDT: stage.usdt };
  const addressOf = (owner: number) => known.get(owner) ?? '';
  const store = createSweepStore(database);
  const deposits = createDepositStore(database);
  /** What clients were sent from outside, as deposits; what confirms of the chain as it is counts. */
  const received = () => {
    const blocks = stage.chain.lastBlocks(1_000_000).flatMap(({ payments }) => payments);
    return blocks.filter(({ address, from }) => from === undefined && [...known.values()].includes(address));
  };

  return Object.assign(stage, {
    addressOf,
    sweeps: store,
    all: (): Promise<Sweep[]> => store.list(1000),

    /** From outside. */
    deposit: (owner: number, coin: Coin, units: bigint) =>
      stage.chain.send({ contract: contracts[coin], address: addressOf(owner), units }),

    /** Blocks with everything that is to be done after each, with its time. */
    async blocks(count: number): Promise<void> {
      for (let made = 0; made < count; made += 1) {
        stage.chain.mine(1);
        stage.clock.at += 12_000;
        await stage.sync();
      }
    },

    balance: (address: string, coin: Coin) => stage.chain.accounts.balance(address, contracts[coin]),

    /** What is at the addresses of all clients by the chain. */
    atAddresses: (coin: Coin): bigint =>
      [...known.values()].reduce((sum, address) => sum + stage.chain.accounts.balance(address, contracts[coin]), 0n),

    /** The same as custody believes it. */
    async believed(coin: Coin): Promise<bigint> {
      const moving = (await stage.store.betweenWallets()).flatMap(changesOf);
      const all = [...(await deposits.held()), ...moving].filter((one) => one.coin === coin);
      return all.reduce((sum, { units }) => sum + units, 0n);
    },

    /** What may leave an address, as it is kept. */
    async holding(owner: number, coin: Coin): Promise<bigint> {
      const [row] = await deposits
        .holders('ERC20', coin, 0n, 1000)
        .then((rows) => rows.filter(({ address }) => address === addressOf(owner)));
      return row?.units ?? 0n;
    },

    /** What a client has in the ledger. */
    spot: (owner: number, coin: Coin) =>
      stage.exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, coin === 'ETH' ? 1 : 0)),

    /** What clients were sent from outside, by the blocks of the chain. */
    received: (coin: Coin): bigint =>
      received().reduce((sum, { contract, units }) => (contract === contracts[coin] ? sum + units : sum), 0n),

    /** What the hot wallet has paid to addresses of clients, in how many payments. */
    toppedUp(): { units: bigint; count: number } {
      const paid = stage.chain.lastBlocks(1_000_000).flatMap(({ payments }) => payments);
      const own = paid.filter(({ address, from }) => from === stage.hot && [...known.values()].includes(address));
      return { units: own.reduce((sum, { units }) => sum + units, 0n), count: own.length };
    },
  });
}

export type SweepStage = Awaited<ReturnType<typeof createSweepStage>>;
