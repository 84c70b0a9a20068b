/** Payments by chains as a slice: a runner for each network that something can be sent by, and what it has cost. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { accountParts, SystemOwner } from '@cambist/core/ledger/account.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import type { Catalogue } from '../../exchange/instruments/service.ts';
import { type AlarmRaiser, type Alarms, createAlarms } from '../../exchange/ledger/service.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import type { Statement } from '../../platform/database.ts';
import { guarded } from '../../platform/guarded.ts';
import type { LabelledFigure } from '../../platform/observability.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { SignerLink } from '../../signer/service.ts';
import {
  type Chain,
  type Chains,
  canonicalAddress,
  contractOf,
  familyOf,
  type NetworkStore,
  NodeFailure,
} from '../chains/service.ts';
import type { AddressChange } from '../deposits/service.ts';
import { lookAtAddresses } from './at-addresses.ts';
import { createCosts } from './costs.ts';
import { Custody } from './custody.ts';
import { Following } from './following.ts';
import { internalOf } from './internal.ts';
import { nameOf } from './kept-payout.ts';
import { changesOf } from './moved.ts';
import { createOverdue } from './overdue.ts';
import { servePayouts } from './routes.ts';
import { PayoutRunner } from './runner.ts';
import type { Estimate, OwnPayouts, Payment, Payouts } from './service.ts';
import { createSettled } from './settled.ts';
import { createPayoutStore, type PayoutStore } from './store.ts';
import { isAnswering, type ViewDeps, type Watched } from './view.ts';

export interface PayoutParts {
  readonly engine: Pick<Engine, 'sequencer' | 'exchange'>;
  readonly catalogue: Catalogue;
  readonly alarms: AlarmRaiser;
  readonly chains: Chains;
  readonly networks: NetworkStore;
  readonly signer: SignerLink | undefined;
  readonly worth: { readonly middle: ViewDeps['worthOf'] };
  readonly audit: AuditLog;
  readonly deposits: {
    readonly watchers: ReadonlyMap<NetworkName, Watched>;
    /** Smallest units of chains at the addresses of clients. */
    held(): Promise<readonly { network: NetworkName; coin: string; units: bigint }[]>;
    /** For the transaction that ends a payout: what it has changed at addresses of clients is kept. */
    moved(changes: readonly AddressChange[]): readonly Statement[];
    /** @returns false where nothing was to change */
    pause(network: NetworkName, isPaused: boolean): Promise<boolean>;
  };
}

export interface PayoutsSlice extends Slice {
  readonly ownPayouts: OwnPayouts;
  readonly payouts: Payouts & {
    /** Does all that there is to do now, for tests. */
    sync(): Promise<void>;
    /** Looks for payments that have waited for long, for tests. */
    lookForOverdue(): Promise<void>;
    /** Compares what chains hold with what the ledger owes, for tests. */
    compare(): Promise<void>;
  };
}

const LOOK_MS = 1000;
const SETTLED_MS = 10_000;
const CUSTODY_MS = 60_000;

/** What the client pays for a withdrawal that the ledger still holds. */
function chargedFor({ exchange }: PayoutParts['engine'], { purpose, reference }: Payment): bigint | undefined {
  if (purpose !== 'withdrawal') return undefined;
  const held = exchange
    .pendingTransfers()
    .find((pending) => pending.reason === 'withdrawal' && pending.reference === reference);
  return held?.legs
    .filter(({ to }) => accountParts(to).owner === SystemOwner.FEES)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

interface Running {
  readonly store: PayoutStore;
  readonly alarms: Alarms;
  readonly custody: Custody;
  /** What the watcher of deposits knows of a chain, but that an operator stopped it. */
  readonly chainTrouble: (network: NetworkName) => 'BEHIND' | 'SPLIT' | 'AWAY' | null;
}

/** Of two nodes both must answer, or the one that is left could say anything. */
const isWhole = ({ pair }: Chain) => pair?.heads.every((head) => head !== undefined) ?? true;

/** A runner for each network that something can be sent by. */
function createRunners(
  { clock, logger }: Platform,
  { chains, networks, signer, catalogue, engine, deposits }: PayoutParts,
  { store, alarms, custody, chainTrouble }: Running,
): ReadonlyMap<NetworkName, PayoutRunner> {
  const runnerOf = (chain: Chain): PayoutRunner | undefined => {
    const { sender, network } = chain;
    if (sender === undefined || signer === undefined) return undefined;
    const shared = {
      chain,
      sender,
      store,
      networks,
      clock,
      isTrusted: () => chainTrouble(network) === null && isWhole(chain),
    };
    const following = new Following({
      ...{ ...shared, alarm: alarms.statement, moved: deposits.moved },
      assetByCode: (code) => catalogue.assetByCode(code),
      chargedFor: (payout) => chargedFor(engine, payout),
      signedFor: async (payout) => signer.signed(await nameOf(store, payout)),
    });
    const isStopped = (coin: string) => custody.isStopped(coin);
    return new PayoutRunner({ ...shared, following, logger, signer, alarm: alarms.raise, isStopped });
  };
  return new Map(
    [...chains.values()].flatMap((chain) => {
      const runner = runnerOf(chain);
      return runner === undefined ? [] : [[chain.network, runner] as const];
    }),
  );
}

/** What a chain says of a payment; undefined while it cannot. */
async function estimateBy(
  { chains, networks }: PayoutParts,
  hot: string | undefined,
  { network, coin, address, units }: Omit<Payment, 'purpose' | 'reference'>,
  confirmations: number,
): Promise<Estimate | undefined> {
  const sender = chains.get(network)?.sender;
  const figures = (await networks.all()).find((one) => one.coin === coin && one.network === network);
  if (sender === undefined || hot === undefined || figures === undefined) return undefined;
  const payment = { network, address, units, contract: contractOf(figures) };
  return sender.estimate(hot, payment, confirmations).catch((error: unknown) => {
    if (error instanceof NodeFailure) return undefined;
    throw error;
  });
}

/** Figures that a job has counted last. */
function figuresOf(counted: () => Counted, isSignerThere: () => boolean | undefined): LabelledFigure[] {
  const states = (read: (row: Counted[number]) => number) => () =>
    counted().map((row) => [row.state, read(row)] as const);
  return [
    {
      ...{ name: 'cambist_payouts', help: 'Payouts by state', label: 'state' },
      read: states(({ count }) => count),
    },
    {
      ...{
        name: 'cambist_payouts_oldest_timestamp_ms',
        help: 'When the oldest open payout was planned',
        label: 'state',
      },
      read: () =>
        counted()
          .filter(({ state }) => state !== 'FINAL' && state !== 'FAILED')
          .map(({ state, oldest }) => [state, oldest] as const),
    },
    {
      ...{ name: 'cambist_signer_up', help: '1 while the signer answers', label: 'signer' },
      *read() {
        const isThere = isSignerThere();
        if (isThere !== undefined) yield ['signer', isThere ? 1 : 0] as const;
      },
    },
  ];
}

type Counted = Awaited<ReturnType<PayoutStore['states']>>;

type Runners = ReadonlyMap<NetworkName, PayoutRunner>;

/** Runs what has something to do, and keeps which networks are paused and where their cold wallets are. */
function createLoop(runners: Runners, store: PayoutStore, bookCosts: () => Promise<void>) {
  const paused = new Set<NetworkName>();
  const cold = new Map<NetworkName, string>();
  let busy: readonly NetworkName[] = [];

  async function read(): Promise<void> {
    for (const [network, { isPaused, coldAddress }] of await store.networks()) {
      cold.set(network, coldAddress);
      if (isPaused) paused.add(network);
      else paused.delete(network);
    }
    busy = await store.busy();
  }
  const runOne = async (network: NetworkName) => (busy.includes(network) ? runners.get(network)?.run() : undefined);

  return {
    paused: paused as ReadonlySet<NetworkName>,
    cold: cold as ReadonlyMap<NetworkName, string>,
    async look(): Promise<void> {
      await read();
      const ended = await Promise.allSettled([...runners.keys()].map(runOne));
      await bookCosts();
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    },
    /** One of each network: a node that takes its time keeps no other network waiting. */
    jobs: [
      {
        ...{ name: 'payouts', everyMs: LOOK_MS },
        async run() {
          await read();
          await bookCosts();
        },
      },
      ...[...runners.keys()].map((network) => ({
        ...{ name: `payouts by ${network}`, everyMs: LOOK_MS },
        run: async () => runOne(network),
      })),
    ],
  };
}

/** A look at what is final, on each chain that something is paid by. */
function createSettledLook(chains: Chains, store: PayoutStore, alarms: Alarms): () => Promise<void> {
  const looks = [...chains.values()].flatMap((chain) =>
    chain.sender === undefined ? [] : [createSettled({ chain, sender: chain.sender, store, alarm: alarms.raise })],
  );
  return async () => {
    for (const look of looks) await look();
  };
}

/** What other slices may ask of payouts. */
function createPayouts(
  parts: PayoutParts,
  { runners, store, chainTrouble }: Pick<Running, 'store' | 'chainTrouble'> & { readonly runners: Runners },
  { paused, cold }: Pick<ReturnType<typeof createLoop>, 'paused' | 'cold'>,
): Omit<Payouts, 'wake'> {
  const hotAddress = (network: NetworkName) => runners.get(network)?.hotAddress;
  const wallets = (network: NetworkName) => [hotAddress(network), cold.get(network)];
  return {
    planning: store.planning,
    byReferences: store.byReferences,
    estimate: (payment, confirmations) => estimateBy(parts, hotAddress(payment.network), payment, confirmations),
    trouble: (network) => {
      if (paused.has(network)) return 'PAUSED';
      return chainTrouble(network) ?? (runners.get(network)?.isAway ? 'AWAY' : null);
    },
    serves: (network) => runners.has(network),
    internal: (network, payments) => internalOf(store, network, hotAddress(network), payments),
    isOwnAddress: (network, address) => wallets(network).includes(canonicalAddress(familyOf(network), address)),
  };
}

/** What moves coins between the exchange's own addresses asks of payouts. */
function createOwnPayouts(
  { chains, deposits }: Pick<PayoutParts, 'chains' | 'deposits'>,
  runners: Runners,
  store: PayoutStore,
  custody: Custody,
  wake: () => void,
  clock: Platform['clock'],
): OwnPayouts {
  return {
    ...{ planning: store.planning, signedElsewhere: store.signedElsewhere, wake, of: store.byReferences },
    ...{ owedBy: store.owedBy, book: store.book, exhausted: store.exhausted },
    moving: async () => (await store.betweenWallets()).flatMap(changesOf),
    atAddresses: (network) => lookAtAddresses({ chains, store, held: deposits.held }, network),
    hotAddress: (network) => runners.get(network)?.hotAddress,
    coldAddress: async (network) => (await store.networks()).get(network)?.coldAddress || undefined,
    async readColdAddresses() {
      for (const runner of runners.values()) await runner.readColdAddress();
    },
    isStopped: (coin) => custody.isStopped(coin),
    async giveUp(purpose, reference) {
      const [payout] = await store.byReferences(purpose, [reference]);
      return payout !== undefined && store.giveUp(payout, clock.now());
    },
  };
}

export function createPayoutsSlice(platform: Platform, parts: PayoutParts): PayoutsSlice {
  const { database, clock, logger } = platform;
  const { chains, networks, signer, deposits, engine, audit } = parts;
  const store = createPayoutStore(database.patient);
  const alarms = createAlarms(platform, parts.alarms);
  const assetByCode = (code: string) => parts.catalogue.assetByCode(code);
  const hotAddress = (network: NetworkName) => runners.get(network)?.hotAddress;
  const custody = new Custody({
    ...{ chains, networks, store, hotAddress, assetByCode, clock, held: deposits.held, exchange: engine.exchange },
    alarm: alarms.raise,
  });
  const chainTrouble = (network: NetworkName) => {
    const trouble = deposits.watchers.get(network)?.trouble ?? null;
    return trouble === 'PAUSED' ? null : trouble;
  };
  const runners = createRunners(platform, parts, { store, alarms, custody, chainTrouble });
  const loop = createLoop(runners, store, createCosts({ store, sequencer: engine.sequencer }));
  const wake = guarded(logger, 'payouts', loop.look);
  const lookAtSettled = createSettledLook(chains, store, alarms);
  const sync = async () => {
    await loop.look();
    await lookAtSettled();
  };
  const compare = () => custody.check();
  const lookForOverdue = createOverdue({ store, alarm: alarms.raise, clock });
  let counted: Counted = [];
  let isSignerThere: boolean | undefined;

  const payouts = {
    ...createPayouts(parts, { runners, store, chainTrouble }, loop),
    wake,
    sync,
    lookForOverdue,
    compare,
  };

  return {
    payouts,
    ownPayouts: createOwnPayouts(parts, runners, store, custody, wake, clock),
    figures: figuresOf(
      () => counted,
      () => isSignerThere,
    ),
    routes: (calls) =>
      servePayouts(calls, {
        ...{ chains, networks, store, custody, signer, hotAddress, assetByCode, clock, wake, audit },
        ...{ worthOf: parts.worth.middle, watchers: deposits.watchers, pauseDeposits: deposits.pause },
        replace: async ({ id, network, carriedBy }) => runners.get(network)?.replace(carriedBy ?? id),
      }),
    jobs: [
      ...loop.jobs,
      { name: 'settled payouts', everyMs: SETTLED_MS, run: lookAtSettled },
      {
        ...{ name: 'custody', everyMs: CUSTODY_MS, atStart: true },
        async run() {
          counted = await store.states();
          isSignerThere = signer && (await isAnswering(signer));
          await compare();
        },
      },
      { name: 'overdue payouts', everyMs: CUSTODY_MS, run: lookForOverdue },
    ],
    async prepare() {
      await custody.prepare();
      for (const runner of runners.values()) await runner.prepare();
    },
  };
}
