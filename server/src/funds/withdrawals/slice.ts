/** Withdrawals as a slice: what asks for them, and one round after another that brings them to their end. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { type Locale, localeOf } from '@cambist/contract/locales.ts';
import type { Withdrawal as WithdrawalAnswer } from '@cambist/contract/withdrawals.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import type { Catalogue } from '../../exchange/instruments/service.ts';
import { type AlarmRaiser, createAlarms } from '../../exchange/ledger/service.ts';
import type { Worth } from '../../exchange/liquidity/service.ts';
import type { Streams } from '../../exchange/streams/service.ts';
import { type AccountService, RESEND_AFTER_MS } from '../../identity/accounts/service.ts';
import type { Totp } from '../../identity/factors/service.ts';
import type { PendingChanges } from '../../identity/operators/service.ts';
import { describeChanges } from '../../identity/operators/service.ts';
import { withdrawalLimitUsdt } from '../../identity/profile/service.ts';
import type { NewAddress, Security } from '../../identity/security/service.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import type { Refusal } from '../../platform/calls.ts';
import type { Database } from '../../platform/database.ts';
import { guarded } from '../../platform/guarded.ts';
import type { LabelledFigure } from '../../platform/observability.ts';
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { type Chains, canonicalAddress, familyOf, type NetworkStore } from '../chains/service.ts';
import type { Deposited } from '../deposits/service.ts';
import type { Payment, Payouts } from '../payouts/service.ts';
import { serveTreasury } from './admin-routes.ts';
import { createArrivals } from './arrivals.ts';
import { createFunding } from './funding.ts';
import { createAddressReview, createInspection, siblings } from './inspection.ts';
import { createWithdrawalLedger } from './ledger.ts';
import { createNotices, type Telling } from './notices.ts';
import { OwnerQueue } from './owner-queue.ts';
import { createPolicyStore } from './policy-store.ts';
import { Processing } from './processing.ts';
import { createProofs, type Person } from './proofs.ts';
import { createRequests } from './request.ts';
import { createReview } from './review.ts';
import { type CodeSending, serveWithdrawals, unfitRefusal } from './routes.ts';
import { createDescribe, createWithdrawalService } from './service.ts';
import { createStageStore } from './stage-store.ts';
import {
  createWithdrawalStore,
  type ListFilter,
  type Withdrawal,
  type WithdrawalStore,
  withdrawalTables,
} from './store.ts';
import { createTreasury } from './treasury.ts';

export interface WithdrawalParts extends Telling {
  readonly chains: Chains;
  readonly networks: NetworkStore;
  readonly deposits: Deposited;
  /** Tells the open pages of clients of a notice that was written. */
  readonly announce: (clientIds: readonly number[]) => Promise<void>;
  readonly engine: Engine;
  readonly catalogue: Catalogue;
  readonly streams: Pick<Streams, 'push'>;
  readonly worth: Worth;
  readonly accounts: AccountService;
  readonly security: Security;
  readonly totp: Totp;
  readonly audit: AuditLog;
  readonly pending: PendingChanges;
  readonly alarms: AlarmRaiser;
  /** The fee tier of a client, 0 to 5. */
  readonly tierOf: (clientId: number) => Promise<number>;
  /** Undefined where nothing can be sent by any chain. */
  readonly payouts: Payouts | undefined;
}

export interface WithdrawalsSlice extends Slice {
  readonly withdrawals: {
    /** Does all that there is to do now. */
    sync(): Promise<void>;
    /** Newest first. */
    list(filter: ListFilter, locale: Locale): Promise<readonly WithdrawalAnswer[]>;
    /** Sends nothing to an address any more; one that is on the list stays as it is. */
    warnOf(network: NetworkName, address: string, note: string): Promise<void>;
    /** The refusal of an address that nothing could be withdrawn to. */
    unfitAddress(entry: NewAddress): Promise<Refusal | undefined>;
    /** USDT that left since a moment or is about to. */
    usedSince(clientId: number, since: number): Promise<string>;
    /** When less of that counts; null while nothing does. */
    freesAt(clientId: number): Promise<number | null>;
  };
}

const LOOK_MS = 1000;
const COUNT_MS = 15_000;

type Counted = Awaited<ReturnType<WithdrawalStore['openCounts']>>;

/** Figures that a round has counted last. */
function figuresOf(counted: () => Counted): LabelledFigure[] {
  return [
    {
      ...{ name: 'cambist_withdrawals_open', help: 'Withdrawals that have not ended, by stage', label: 'stage' },
      read: () => counted().map(({ stage, count }) => [stage, count] as const),
    },
    {
      name: 'cambist_withdrawals_oldest_timestamp_ms',
      help: 'When the oldest open withdrawal was requested, by stage',
      label: 'stage',
      read: () => counted().map(({ stage, oldest }) => [stage, oldest] as const),
    },
  ];
}

/** What is asked of a client's account. */
function createPerson({ accounts, security, totp }: WithdrawalParts): Person {
  const { changes, restrictions, states, clients } = accounts;
  const hasApp = async (clientId: number) => (await totp.enabledAt(clientId)) !== null;
  return {
    isRestricted: async (clientId) =>
      states.freezeOf(clientId) !== undefined || (await restrictions.active(clientId)).length > 0,
    hasMail: async (clientId) => Boolean((await clients.clientById(clientId))?.email),
    hasApp,
    hasFactor: async (clientId) => (await security.stepUp.factorsOf(clientId)).length > 0,
    rules: security.withdrawalRules,
    savedAddresses: security.whitelist,
    checkPassword: accounts.checkTransactionPassword,
    fitsCode: changes.fitsCode,
    usingCode: changes.usingCode,
    useAppCode: async (clientId, code) => (await totp.verdict(clientId, code)) === 'right',
    own: security.stepUp.own,
    unrestricted: accounts.unrestricted,
  };
}

/** The code that a withdrawal asks for: by mail, or of the app where the account has no address. */
function createCodeSender({ accounts }: WithdrawalParts, person: Person) {
  return async (clientId: number, locale: Locale): Promise<CodeSending> => {
    const result = await accounts.changes.sendCode(clientId, 'withdrawal', locale);
    if (result === 'no-email') {
      if (!(await person.hasApp(clientId))) return { kind: 'no-second-way' };
      return { kind: 'sent', by: 'app', resendAfterMs: 0 };
    }
    if (result.ok) return { kind: 'sent', by: 'mail', resendAfterMs: RESEND_AFTER_MS };
    return result.error === 'not-sent' ? { kind: 'not-sent' } : { kind: 'too-soon', waitMs: result.waitMs };
  };
}

/** What is to be paid on the chain: the amount without the fee, in the chain's units. */
function createPaymentOf({ networks, catalogue }: WithdrawalParts) {
  return async ({ id, coin, network, asset, address, amount, fee }: Withdrawal): Promise<Payment> => {
    const figures = (await networks.all()).find((one) => one.coin === coin && one.network === network);
    const scale = catalogue.assetById(asset)?.scale;
    if (figures === undefined || scale === undefined) throw new Error(`${coin} has no figures on ${network}`);
    const [sent, up] = [amount - fee, figures.chain_scale - scale];
    const down = 10n ** BigInt(Math.max(0, -up));
    if (sent % down !== 0n) throw new Error(`Withdrawal ${id} is not in whole units of ${network}`);
    const units = up >= 0 ? sent * 10n ** BigInt(up) : sent / down;
    return { purpose: 'withdrawal', reference: id, network, coin, address, units };
  };
}

/** Tells the open pages of a client what has changed. */
function createPush(
  { logger, outbox }: Platform,
  parts: WithdrawalParts,
  person: Person,
  describe: ReturnType<typeof createDescribe>,
) {
  return guarded(logger, 'withdrawals', async (withdrawal: Withdrawal) => {
    outbox.wake();
    const { owner, receiver, stage } = withdrawal;
    const [client, isRestricted] = await Promise.all([
      parts.accounts.clients.clientById(owner),
      person.isRestricted(owner),
    ]);
    parts.streams.push(owner, 'withdrawals', [describe(withdrawal, isRestricted, localeOf(client?.locale ?? 'en'))]);
    if (stage !== 'SETTLED' || receiver === null) return parts.announce([owner]);
    await parts.deposits.pushReceived(withdrawal.id);
    await parts.announce([owner, receiver]);
  });
}

function createStores(database: Database) {
  return {
    store: createWithdrawalStore(database),
    stages: createStageStore(database),
    policies: createPolicyStore(database),
  };
}

function createParts(platform: Platform, parts: WithdrawalParts) {
  const { clock } = platform;
  const { catalogue, payouts, deposits, accounts, security } = parts;
  const stores = createStores(platform.database);
  const person = createPerson(parts);
  const ledger = createWithdrawalLedger(parts.engine);
  const quote = catalogue.assetByCode('USDT');
  if (quote === undefined) throw new Error('The catalogue has no USDT');
  const assets = {
    assetByCode: (code: string) => catalogue.assetByCode(code),
    assetById: (id: number) => catalogue.assetById(id),
    assetName: (code: string) => catalogue.assetName(code),
  };
  const dayLimitUsdt = async (clientId: number) => withdrawalLimitUsdt(await parts.tierOf(clientId));
  const funding = createFunding({
    ...stores,
    ...assets,
    ledger,
    quote,
    dayLimitUsdt,
    clock,
    locked: deposits.locked,
    worth: parts.worth,
    ownLimitUsdt: async (clientId) => (await security.withdrawalRules(clientId)).limitUsdt,
    isOfNewDevice: accounts.isOfNewDevice,
  });
  const isErased = async (clientId: number) => (await accounts.clients.erasedOf([clientId])).has(clientId);
  const isFraudulent = (network: NetworkName, address: string) =>
    stores.policies.isFraudulent(siblings(network), address);
  const alarm = createAlarms(platform, parts.alarms).raise;
  return {
    ...stores,
    ...assets,
    person,
    ledger,
    funding,
    dayLimitUsdt,
    quote,
    payouts,
    clock,
    isErased,
    isFraudulent,
    alarm,
  };
}

function createUnfitAddress(
  deps: Parameters<typeof createAddressReview>[0],
): WithdrawalsSlice['withdrawals']['unfitAddress'] {
  const review = createAddressReview(deps);
  return async ({ coin, network, address }) => {
    const unfit = await review(coin, network, address);
    return unfit && unfitRefusal(unfit);
  };
}

export function createWithdrawalsSlice(platform: Platform, parts: WithdrawalParts): WithdrawalsSlice {
  const { logger, database } = platform;
  const { BTC_NETWORK: bitcoin } = platform.config;
  const { deposits, networks, chains, accounts, security, payouts, audit } = parts;
  const shared = createParts(platform, parts);
  const { person, store, funding, assetById, clock } = shared;
  const notices = createNotices(platform, parts, (asset) => assetById(asset)?.scale ?? 0);
  const queue = new OwnerQueue();
  const describe = createDescribe(shared);
  const onChange = createPush(platform, parts, person, describe);
  const processing = new Processing({
    ...{ ...shared, notices, queue, onChange, logger },
    unrestricted: accounts.unrestricted,
    ...{ withoutDebt: deposits.withoutDebt, receiving: deposits.receiving },
    paymentOf: createPaymentOf(parts),
  });
  const inspect = createInspection({
    ...{ ...shared, networks, ownerOf: deposits.ownerOf },
    bitcoin,
  });
  const proofs = createProofs({ ...shared, ...deposits, hasDebt: deposits.debts.has, isOneStep: funding.isOneStep });
  const requests = createRequests({ ...shared, inspect, proofs, processing, queue });
  const arrivals = createArrivals({ payouts, clock });
  const addressBook = security.whitelist;
  const service = createWithdrawalService({
    ...{ ...shared, notices, processing, arrivals, addressBook, chains, networks, onChange },
  });
  const review = createReview({
    ...{ ...shared, notices, processing, audit, describe, onChange },
    person: (clientId) => accounts.clients.clientById(clientId),
    isRestricted: person.isRestricted,
    shown: funding.shown,
  });
  const treasury = createTreasury({ ...shared, ...parts, bitcoin });
  let counted: Counted = [];
  const wake = guarded(logger, 'withdrawals', () => processing.run());
  return {
    withdrawals: {
      sync: () => processing.run(),
      list: service.list,
      async warnOf(network, text, note) {
        const address = canonicalAddress(familyOf(network), text);
        await shared.policies.add({ network, address, note, added_at: clock.now() });
      },
      unfitAddress: createUnfitAddress({ networks, bitcoin }),
      freesAt: funding.freesAt,
      usedSince: async (clientId, since) => funding.shown(await store.usedSince(clientId, since)),
    },
    routes(calls) {
      serveTreasury(calls, { review, treasury, ...deposits, wake, describeChange: describeChanges(accounts) });
      serveWithdrawals(calls, {
        ...{ service, requests, arrivals, wake, debtRefusalOf: deposits.debts.refusalOf },
        sendCode: createCodeSender(parts, person),
        restrictionOf: async (clientId, locale) =>
          (await accounts.client(clientId, locale))?.withdraw_restriction ?? '',
      });
    },
    personalData: personalDataOf(database, withdrawalTables),
    figures: figuresOf(() => counted),
    jobs: [
      { name: 'bring withdrawals on', everyMs: LOOK_MS, run: processing.run },
      {
        ...{ name: 'count withdrawals', everyMs: COUNT_MS, atStart: true },
        async run() {
          counted = await store.openCounts();
        },
      },
    ],
  };
}
