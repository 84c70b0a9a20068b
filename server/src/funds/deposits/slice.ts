/** Deposits as a slice: a watcher for each chain, and one round after another that brings what they saw into the ledger. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import type { Catalogue } from '../../exchange/instruments/service.ts';
import { type AlarmRaiser, createAlarms } from '../../exchange/ledger/service.ts';
import type { TradingService } from '../../exchange/orders/service.ts';
import type { Streams } from '../../exchange/streams/service.ts';
import type { AccountService } from '../../identity/accounts/service.ts';
import type { Job } from '../../platform/jobs.ts';
import type { LabelledFigure } from '../../platform/observability.ts';
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { type Chains, familyOf, type Keys, type NetworkStore } from '../chains/service.ts';
import { type AddressStore, createAddressStore } from './address-store.ts';
import { createChainStore } from './chain-store.ts';
import { Crediting } from './crediting.ts';
import { createCreditingStore, type Owned } from './crediting-store.ts';
import { Debts } from './debts.ts';
import { createDepositLedger } from './ledger.ts';
import { createNotices, type Telling } from './notices.ts';
import { serveDeposits } from './routes.ts';
import { createDepositService, type Deposited, type DepositService } from './service.ts';
import { createDepositStore, type Deposit, type DepositStore, depositTables, receiptStatement } from './store.ts';
import { Watcher } from './watcher.ts';

export interface DepositParts extends Telling {
  /** Tells the open pages of clients of a notice that was written. */
  readonly announce: (clientIds: readonly number[]) => Promise<void>;
  readonly engine: Engine;
  readonly trading: Pick<TradingService, 'stopOrders'>;
  readonly catalogue: Catalogue;
  readonly streams: Pick<Streams, 'push' | 'note'>;
  readonly chains: Chains;
  readonly networks: NetworkStore;
  readonly keys: Keys;
  readonly alarms: AlarmRaiser;
  readonly accounts: { readonly clients: Pick<AccountService['clients'], 'erasedOf'> };
  /** Those of a block's transactions that move the exchange's own coins. */
  readonly internal: ConstructorParameters<typeof Watcher>[0]['internal'];
}

export interface DepositsSlice extends Slice {
  readonly deposits: {
    /** Reads every chain to its end and brings the ledger to the same. */
    sync(): Promise<void>;
    readonly watchers: ReadonlyMap<NetworkName, Watcher>;
    /** Newest first. */
    readonly list: DepositService['list'];
    readonly held: DepositStore['held'];
    readonly moved: DepositStore['moved'];
    readonly holders: DepositStore['holders'];
    readonly coins: DepositStore['coins'];
    readonly holdings: DepositStore['holdings'];
    /** @returns false where nothing was to change */
    pause(network: NetworkName, isPaused: boolean): Promise<boolean>;
  } & Deposited;
}

const LOOK_MS = 1000;
const FOLD_MS = 60_000;

function figuresOf(watchers: ReadonlyMap<NetworkName, Watcher>, crediting: Crediting): LabelledFigure[] {
  const each = (name: string, help: string, read: (watcher: Watcher) => number | undefined): LabelledFigure => ({
    ...{ name: `cambist_chain_${name}`, help, label: 'network' },
    *read() {
      for (const [network, watcher] of watchers) {
        const figure = read(watcher);
        if (figure !== undefined) yield [network, figure];
      }
    },
  });
  return [
    each('head_height', 'Height of the newest block that the node has', ({ heights }) => heights.head),
    each('lag_blocks', 'Blocks of the node that deposits were not read from yet', ({ heights: { head, cursor } }) =>
      head === undefined || cursor === undefined ? undefined : Math.max(0, head - cursor),
    ),
    each(
      'nodes_up',
      'Nodes that answer, of the two that a network has',
      ({ pair }) => pair?.heads.filter((head) => head !== undefined).length,
    ),
    each('second_head_height', 'Height of the newest block that the second node has', ({ pair }) => pair?.heads[1]),
    each('trouble', '1 while something stands in the way of deposits', ({ trouble }) => (trouble === null ? 0 : 1)),
    {
      name: 'cambist_deposit_reversals_total',
      help: 'Credited deposits that have left their chain since the start',
      label: 'reason',
      read: () => [['reorganized', crediting.reversalCount]],
    },
  ];
}

function scaleIn(catalogue: Catalogue, asset: number): number {
  const found = catalogue.assetById(asset);
  if (found === undefined) throw new Error(`There is no asset ${asset}`);
  return found.scale;
}

/** A look at each chain, and a round of crediting, again and again. */
function jobsOf(watchers: Iterable<Watcher>, credit: () => Promise<void>, fold: () => Promise<void>): Job[] {
  const looks = [...watchers].map(({ network, catchUp }) => ({
    name: `watch ${network}`,
    everyMs: LOOK_MS,
    run: catchUp,
  }));
  return [
    ...looks,
    { name: 'credit deposits', everyMs: LOOK_MS, run: credit },
    { name: 'fold sums of deposits', everyMs: FOLD_MS, run: fold },
  ];
}

/** What withdrawals ask of deposits. */
const createDeposited = (
  store: DepositStore,
  debts: Debts,
  addresses: AddressStore,
  push: (changed: Deposit[]) => Promise<void>,
): Deposited => ({
  ownerOf: async (network, address) => (await addresses.owners(familyOf(network), [address])).get(address),
  ...{ locked: store.locked, debts, unlisted: store.unlisted },
  withoutDebt: (owner) => ({ sql: 'SELECT hold_no_debt($1)', parameters: [owner] }),
  receiving: receiptStatement,
  async pushReceived(withdrawal) {
    const received = await store.received(withdrawal);
    if (received !== undefined) await push([received]);
  },
});

/** Tells open pages of deposits that have changed; of what no page listens to, nothing is read. */
function createTelling(
  { streams, networks, announce }: Pick<DepositParts, 'streams' | 'networks' | 'announce'>,
  store: Pick<DepositStore, 'byIds'>,
  { describe }: Pick<DepositService, 'describe'>,
) {
  async function push(changed: readonly Deposit[]): Promise<void> {
    const heard = changed.filter(({ owner }) => streams.note(owner, 'deposits'));
    const coins = heard.length > 0 ? await networks.all() : [];
    for (const deposit of heard) streams.push(deposit.owner, 'deposits', [describe(deposit, coins)]);
  }

  return {
    push,
    async tell(deposits: readonly Owned[]): Promise<void> {
      // Both are noted, whichever is heard.
      const isHeard = ({ owner }: Owned) =>
        [streams.note(owner, 'deposits'), streams.note(owner, 'notifications')].includes(true);
      const heard = deposits.filter(isHeard).map(({ id }) => id);
      if (heard.length === 0) return;
      const changed = await store.byIds(heard);
      await push(changed);
      const told = changed.filter(({ state }) => state === 'CREDITED' || state === 'REVERSED');
      if (told.length > 0) await announce([...new Set(told.map((deposit) => deposit.owner))]);
    },
  };
}

export function createDepositsSlice(platform: Platform, parts: DepositParts): DepositsSlice {
  const { database, clock, logger } = platform;
  const { engine, catalogue, chains, networks } = parts;
  const store = createDepositStore(database);
  const chainStore = createChainStore(database.patient);
  const addresses = createAddressStore(database);
  const assetByCode = (code: string) => catalogue.assetByCode(code);
  const alarms = createAlarms(platform, parts.alarms);
  const shared = { networks, addresses, assetByCode, alarm: alarms.raise, clock, logger, internal: parts.internal };
  const watchers = new Map([...chains].map(([network, chain]) => [network, watcherOf(chain)] as const));
  const service = createDepositService({
    ...shared,
    ...{ store, chains, keys: parts.keys },
    troubleOf: (network) => watchers.get(network)?.trouble ?? null,
    isRead: async (network) => (await chainStore.cursor(network)) !== undefined,
    assetById: (id) => catalogue.assetById(id),
    assetName: (code) => catalogue.assetName(code),
  });
  const { push, tell } = createTelling(parts, store, service);
  const notices = createNotices(platform, parts, (asset) => catalogue.assetById(asset));
  const debts = new Debts((asset) => catalogue.assetById(asset));
  const creditingStore = createCreditingStore(database.patient);
  const crediting = new Crediting({
    ...{
      store: creditingStore,
      debts,
      ledger: createDepositLedger(engine),
      networks,
      notices,
      alarms,
      clock,
      erasedOf: parts.accounts.clients.erasedOf,
    },
    scaleOf: (asset) => scaleIn(catalogue, asset),
    stopOrders: async (owner) => (await parts.trading.stopOrders(owner)).ok,
    async onChange(deposits) {
      platform.outbox.wake();
      await tell(deposits);
    },
  });

  function watcherOf(chain: ConstructorParameters<typeof Watcher>[0]['chain']): Watcher {
    const onMoved = async (network: NetworkName) => push(await store.open(network));
    return new Watcher({ ...shared, chain, store: chainStore, onMoved });
  }

  return {
    figures: figuresOf(watchers, crediting),
    deposits: {
      watchers,
      list: service.list,
      ...createDeposited(store, debts, addresses, push),
      ...{ held: store.held, moved: store.moved, holders: store.holders, coins: store.coins, holdings: store.holdings },
      pause: (network, isPaused) => chainStore.pause(network, isPaused, clock.now()),
      async sync() {
        for (const watcher of watchers.values()) await watcher.catchUp();
        await crediting.run();
      },
    },
    routes: (calls) => serveDeposits(calls, service),
    personalData: personalDataOf(database, depositTables),
    jobs: jobsOf(watchers.values(), crediting.run, store.fold),
    async prepare() {
      // Before anything is asked of a debtor.
      debts.restore(await creditingStore.debts());
      // Before an address is shown, its chain is being read.
      for (const [network, chain] of chains) if (chain.isDevelopment) await watchers.get(network)?.catchUp();
    },
  };
}
