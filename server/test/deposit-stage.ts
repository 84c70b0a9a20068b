/**
 * Deposits without a server: a chain of development, the watcher and the crediting of one process that can be ended
 * anywhere, a real exchange in memory that outlives it, and a second computation from the chain alone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { DevelopmentChain } from '../src/funds/chains/development-chain.ts';
import { createNetworkStore } from '../src/funds/chains/network-store.ts';
import { unitsOf } from '../src/funds/chains/units.ts';
import { createAddressStore } from '../src/funds/deposits/address-store.ts';
import { createChainStore } from '../src/funds/deposits/chain-store.ts';
import { Crediting } from '../src/funds/deposits/crediting.ts';
import { createCreditingStore } from '../src/funds/deposits/crediting-store.ts';
import { Debts } from '../src/funds/deposits/debts.ts';
import { createDepositLedger } from '../src/funds/deposits/ledger.ts';
import { Watcher } from '../src/funds/deposits/watcher.ts';
import type { Database } from '../src/platform/database.ts';
import { createLogger } from '../src/platform/logger.ts';
import { createFate, type Fate, hasEnded, mortal } from './mortal-database.ts';
import { mortalSequencer } from './mortal-sequencer.ts';

const USDT: Asset = { id: 0, code: 'USDT', scale: 8 };
const ETH: Asset = { id: 1, code: 'ETH', scale: 8 };
export const ASSETS: readonly Asset[] = [USDT, ETH];

export function address(owner: number): string {
  return `0x${owner.toString(16).padStart(40, '0')}`;
}

const TABLES = [
  ...['deposit_movements', 'deposit_debts', 'deposit_dust', 'unlisted_deposits', 'deposits'],
  ...['chain_blocks', 'chain_cursors', 'deposit_addresses', 'deposit_keys', 'deposit_sums', 'deposit_holdings'],
];

export async function createDepositStage(database: Database, owners: readonly number[]) {
  const directory = mkdtempSync(join(tmpdir(), 'cambist-deposits-'));
  const clock = { now: () => 1_000 };
  await database.transaction(TABLES.map((table) => ({ sql: `DELETE FROM ${table}` })));
  const addresses = createAddressStore(database);
  for (const owner of owners) {
    await addresses.takeIndex(owner);
    await addresses.add(owner, 'EVM', address(owner), 0);
  }
  const networks = createNetworkStore(database);
  const coins = (await networks.all()).filter(({ network }) => network === 'ERC20');
  const exchange = createExchange();
  for (const { id, code, scale } of ASSETS) exchange.apply(0, { kind: 'list-asset', asset: id, code, scale });
  let chain = new DevelopmentChain('ERC20', directory, clock);
  const alarms: string[] = [];
  const stopped: number[] = [];
  const fate = createFate();
  const sequencer = mortalSequencer(exchange, fate.ask);
  let process = begin();

  function begin() {
    const dying = mortal(database, fate.ask);
    const shared = { networks: createNetworkStore(dying), clock, logger: createLogger('silent') };
    const watcher = new Watcher({
      ...shared,
      chain,
      store: createChainStore(dying),
      addresses: createAddressStore(dying),
      assetByCode: (code) => ASSETS.find((asset) => asset.code === code),
      internal: async () => new Set(),
      onMoved: async () => undefined,
      alarm: async (kind) => void alarms.push(kind),
    });
    const ledger = createDepositLedger({ exchange, sequencer } as unknown as Parameters<typeof createDepositLedger>[0]);
    const debts = new Debts((id) => ASSETS.find((asset) => asset.id === id));
    const crediting = new Crediting({
      ...shared,
      debts,
      stopOrders: async (owner) => {
        stopped.push(owner);
        return true;
      },
      ledger,
      store: createCreditingStore(dying),
      scaleOf: () => 8,
      notices: { of: () => [] },
      erasedOf: async () => new Set(),
      onChange: async () => undefined,
      alarms: {
        statement(kind) {
          alarms.push(kind);
          return { sql: 'SELECT 1' };
        },
      },
    });
    return { watcher, crediting, debts };
  }

  const balance = (owner: number, wallet: Wallet, asset: number) =>
    exchange.balance(accountKey(owner, wallet, Bucket.AVAILABLE, asset));

  return {
    exchange,
    coins,
    /** Those raised so far, by kind. */
    alarms,
    get chain() {
      return chain;
    },
    get crediting() {
      return process.crediting;
    },
    /** Debtors whose orders were ended. */
    stopped,
    get debts() {
      return process.debts;
    },
    get watcher() {
      return process.watcher;
    },
    spot: (owner: number, asset: number) => balance(owner, Wallet.SPOT, asset),

    /** What the ledger has of an owner, less what is owed. */
    async worth(owner: number, asset: number): Promise<bigint> {
      const [debt] = await database.query<{ amount: bigint }>(
        'SELECT amount::numeric FROM deposit_debts WHERE owner = $1 AND asset = $2',
        [owner, asset],
      );
      const held = exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.PENDING, asset));
      const wallets = [Wallet.SPOT, Wallet.FUNDING, Wallet.FUTURE].map((wallet) => balance(owner, wallet, asset));
      return wallets.reduce((sum, one) => sum + one, held) - (debt?.amount ?? 0n);
    },

    /** The other side of all of it. */
    custody: (asset: number) => balance(SystemOwner.CUSTODY, Wallet.SPOT, asset),

    in: balance,

    move(owner: number, asset: number, from: Wallet, to: Wallet, amount: bigint, isPending = false): void {
      if (amount <= 0n) return;
      const accountIn = (wallet: Wallet) => accountKey(owner, wallet, Bucket.AVAILABLE, asset);
      const facts = { transferId: 0, reference: owner, isPending, detail: '' };
      const legs = [{ from: accountIn(from), to: accountIn(to), amount }];
      exchange.apply(0, { kind: 'transfer', reason: 'wallet-transfer', ...facts, legs });
      exchange.takeEvents();
    },

    /** Puts funds where a reversal does not reach them: a transfer that is pending. */
    spend(owner: number, asset: number, amount: bigint): void {
      this.move(owner, asset, Wallet.SPOT, Wallet.FUNDING, amount, true);
    },

    send(coin: string, owner: number, text: string): string {
      const figures = coins.find((one) => one.coin === coin);
      const units = figures && unitsOf(text, figures.chain_scale);
      if (units === undefined) throw new Error(`${text} ${coin} cannot be sent`);
      return chain.send({ contract: figures?.contract?.toLowerCase() ?? null, address: address(owner), units });
    },

    /** Everything, until nothing changes, without a fault. */
    async sync(): Promise<void> {
      await process.watcher.catchUp();
      await process.crediting.run();
    },

    /** Reading and crediting at once, in a process that ends where fate wants it. @returns whether it has ended */
    syncUnder(next: Fate): Promise<boolean> {
      const { watcher, crediting } = process;
      return fate.under(next, () =>
        hasEnded([watcher.catchUp(), crediting.run(), watcher.catchUp().then(() => crediting.run())]),
      );
    },

    /** A second process beside the first, on the same chain and database. */
    beside: begin,

    /** A new process finds what the last one has left. */
    restart(): void {
      chain = new DevelopmentChain('ERC20', directory, clock);
      process = begin();
    },

    /** What the chain as it is now has paid, above the minimum, by its blocks alone: units by address and coin. */
    paid(): Map<string, bigint> {
      const paid = new Map<string, bigint>();
      for (const { payments } of chain.lastBlocks(1_000_000)) {
        for (const { contract, address: to, units } of payments) {
          const coin = coins.find((one) => (one.contract?.toLowerCase() ?? null) === contract);
          if (coin === undefined || units < (unitsOf(coin.deposit_minimum, coin.chain_scale) ?? 0n)) continue;
          paid.set(`${to} ${coin.coin}`, (paid.get(`${to} ${coin.coin}`) ?? 0n) + units);
        }
      }
      return paid;
    },

    remove: (): void => rmSync(directory, { recursive: true, force: true }),
  };
}

export type DepositStage = Awaited<ReturnType<typeof createDepositStage>>;
