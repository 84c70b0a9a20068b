/**
 * Withdrawals without a server: requests and the loop of a process that can be ended anywhere, a real exchange in memory
 * that outlives it, payouts that the test brings on, and a second computation from the rows alone.
 */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { NotAccepted, OutcomeUnknown, type Submission, type Submitted } from '../src/exchange/engine/service.ts';
import { createNetworkStore } from '../src/funds/chains/network-store.ts';
import { receiptStatement } from '../src/funds/deposits/store.ts';
import { createFunding } from '../src/funds/withdrawals/funding.ts';
import { createInspection } from '../src/funds/withdrawals/inspection.ts';
import { createWithdrawalLedger } from '../src/funds/withdrawals/ledger.ts';
import { OwnerQueue } from '../src/funds/withdrawals/owner-queue.ts';
import { createPolicyStore } from '../src/funds/withdrawals/policy-store.ts';
import { Processing } from '../src/funds/withdrawals/processing.ts';
import { createProofs, type Person } from '../src/funds/withdrawals/proofs.ts';
import { createRequests } from '../src/funds/withdrawals/request.ts';
import { createStageStore } from '../src/funds/withdrawals/stage-store.ts';
import { CANCELLABLE, createWithdrawalStore, type Withdrawal } from '../src/funds/withdrawals/store.ts';
import { createClientStore } from '../src/identity/accounts/client-store.ts';
import { byExchange, holdAuthority } from '../src/platform/authority.ts';
import type { Database } from '../src/platform/database.ts';
import { createLogger } from '../src/platform/logger.ts';
import { say } from '../src/platform/texts.ts';
import { evmElsewhere } from './elsewhere.ts';
import { type Fate, Killed, mortal } from './mortal-database.ts';
import { createPayoutsTable } from './payouts-table.ts';

const USDT: Asset = { id: 0, code: 'USDT', scale: 8 };
const ETH: Asset = { id: 1, code: 'ETH', scale: 8 };
const ASSETS: readonly Asset[] = [USDT, ETH];
const UNIT = 10n ** 8n;

/** What each client begins with. */
export const FUNDS = 10_000n * UNIT;

const TABLES = ['withdrawal_approvals', 'withdrawal_events', 'withdrawals'];

/** The deposit address of a client. */
const addressOf = (owner: number) => `0x${owner.toString(16).padStart(40, '0')}`;

async function insertClient(database: Database, at: number): Promise<number> {
  const name = `stage-${at}-${Math.trunc(performance.now() * 1000)}@example.test`;
  const id = await createClientStore(database).insertClient({
    ...{ email: name, emailKey: name, passwordHash: '', transactionPasswordHash: '', mobileNumber: '' },
    ...{ referral: '', uniqueId: name, role: 'client', provider: 'email', locale: 'en', createdAt: 0 },
  });
  if (id === undefined) throw new Error('The client is there already');
  return id;
}

/** Who shows whatever is asked for. */
const person: Person = {
  isRestricted: async () => false,
  hasMail: async () => true,
  hasApp: async () => false,
  hasFactor: async () => false,
  rules: async () => ({ limitUsdt: null, oneStepUsdt: 0, isWhitelistOnly: false }),
  savedAddresses: async () => [],
  checkPassword: async () => true,
  fitsCode: async () => true,
  usingCode: () => ({ sql: 'SELECT 1' }),
  useAppCode: async () => true,
  own: async ({ clientId }) => byExchange(clientId),
  unrestricted: (clientId) => ({ sql: 'SELECT hold_unrestricted($1, $2)', parameters: [clientId, 1_000] }),
};

function createLedgerStage() {
  const exchange = createExchange();
  let lastId = 0;
  for (const { id, code, scale } of ASSETS) exchange.apply(0, { kind: 'list-asset', asset: id, code, scale });

  function apply(command: Parameters<typeof exchange.apply>[1]) {
    const outcome = exchange.apply(0, command);
    exchange.takeEvents();
    return outcome;
  }

  return {
    exchange,
    fund(owner: number, amount: bigint): void {
      lastId += 1;
      const [from, to] = [SystemOwner.DEVELOPMENT, owner].map((one) =>
        accountKey(one, Wallet.SPOT, Bucket.AVAILABLE, USDT.id),
      ) as [number, number];
      const facts = { transferId: lastId, reason: 'development-credit', reference: owner } as const;
      apply({ kind: 'transfer', ...facts, isPending: false, legs: [{ from, to, amount }], detail: '' });
    },
    /** As the sequencer: applied in the order of the calls, answered later, and perhaps never. */
    submitUnder:
      (fate: Fate) =>
      async (submission: Submission): Promise<Submitted> => {
        try {
          fate('before the ledger');
        } catch {
          throw new NotAccepted('The queue is full');
        }
        const isNew = submission.kind === 'transfer';
        const id = isNew ? lastId + 1 : 'transferId' in submission ? submission.transferId : 0;
        const outcome = apply({ ...submission, transferId: id } as Parameters<typeof exchange.apply>[1]);
        if (isNew && outcome.ok) lastId = id;
        try {
          fate('after the ledger');
        } catch {
          throw new OutcomeUnknown('The process ends');
        }
        return { outcome, id, batch: 0, time: 0, order: undefined, ended: 0 };
      },
    balance: (owner: number, bucket: Bucket = Bucket.AVAILABLE) =>
      exchange.balance(accountKey(owner, Wallet.SPOT, bucket, USDT.id)),
  };
}

export async function createWithdrawalStage(database: Database, clients: number) {
  await database.transaction(TABLES.map((table) => ({ sql: `DELETE FROM ${table}` })));
  await database.query('UPDATE withdrawal_policy SET approval_usdt = $1, hourly_count = 1000', ['600']);
  const owners: number[] = [];
  for (let at = 0; at < clients; at += 1) owners.push(await insertClient(database, at));
  const ledger = createLedgerStage();
  for (const owner of owners) ledger.fund(owner, FUNDS);
  const payouts = await createPayoutsTable(database);
  const store = createWithdrawalStore(database);
  let now = 1_000;
  const clock = { now: () => now };
  let fate: Fate = () => undefined;
  let process = begin((where) => fate(where));

  /** @param dies asked before and after whatever lasts */
  function begin(dies: Fate) {
    const dying = mortal(database, dies);
    const submit = ledger.submitUnder(dies);
    const engine = { exchange: ledger.exchange, sequencer: { submit, settled: async () => undefined } };
    const withdrawalLedger = createWithdrawalLedger(engine as unknown as Parameters<typeof createWithdrawalLedger>[0]);
    const shared = {
      store: createWithdrawalStore(dying),
      stages: createStageStore(dying),
      ledger: withdrawalLedger,
      clock,
    };
    const seen = payouts.seenBy(dying);
    const queue = new OwnerQueue();
    const withoutDebt = (owner: number) => ({ sql: 'SELECT hold_no_debt($1)', parameters: [owner] });
    const isErased = async () => false;
    const policies = createPolicyStore(dying);
    const isFraudulent = (network: NetworkName, address: string) => policies.isFraudulent([network], address);
    const processing = new Processing({
      ...{ ...shared, payouts: seen, queue, withoutDebt, unrestricted: person.unrestricted },
      receiving: receiptStatement,
      isErased,
      isFraudulent,
      notices: { of: () => [] },
      async paymentOf({ id, network, coin, address, amount, fee }) {
        return { purpose: 'withdrawal', reference: id, network, coin, address, units: amount - fee };
      },
      onChange: () => undefined,
      alarm: async (alarm) => {
        throw new Error(`An alarm was raised: ${alarm}`);
      },
      logger: createLogger('silent'),
    });
    const funding = createFunding({
      ...{ ...shared, policies, quote: USDT },
      locked: async () => new Map(),
      worth: {
        ...{ highest: (_asset, units) => units, lowest: (_asset, units) => units, middle: (_asset, units) => units },
        isTrusted: () => true,
      },
      dayLimitUsdt: async () => 1_000_000,
      ownLimitUsdt: async () => null,
      isOfNewDevice: async () => false,
      assetById: (id) => ASSETS.find((asset) => asset.id === id),
    });
    const inspect = createInspection({
      networks: createNetworkStore(dying),
      assetByCode: (code) => ASSETS.find((asset) => asset.code === code),
      ownerOf: async (_network, address) => owners.find((owner) => addressOf(owner) === address),
      isErased,
      isFraudulent,
      payouts: seen,
    });
    const proofs = createProofs({
      ...shared,
      person,
      withoutDebt,
      hasDebt: () => false,
      isOneStep: funding.isOneStep,
    });
    return { processing, queue, requests: createRequests({ ...shared, inspect, proofs, funding, processing, queue }) };
  }

  const all = async (): Promise<Withdrawal[]> => (await store.listAll(undefined, 10_000, undefined)).toReversed();

  return {
    owners,
    payouts,
    all,
    exchange: ledger.exchange,
    available: (owner: number) => ledger.balance(owner),
    pending: (owner: number) => ledger.balance(owner, Bucket.PENDING),
    /** What left by chains, and what was charged for it. */
    custody: () => ledger.balance(SystemOwner.CUSTODY),
    fees: () => ledger.balance(SystemOwner.FEES),
    tick(ms: number): void {
      now += ms;
    },
    get processing() {
      return process.processing;
    },

    /** @param to a client, or an address elsewhere */
    request(owner: number, amount: string, to?: number, key?: string) {
      const address = to === undefined ? evmElsewhere(owner) : addressOf(to);
      const wish = { coin: 'USDT', network: 'ERC20', address, amount, fee: undefined };
      const identity = { clientId: owner, sessionId: 0, role: 'client' } as const;
      const intent = key === undefined ? undefined : { key, fingerprint: `${address} ${amount}` };
      const shown = { password: 'right', code: 'right' };
      return process.requests.start(identity, wish, shown, intent, async () => byExchange(owner));
    },

    /** As the service does. @returns whether it was in time */
    async cancel(withdrawal: Withdrawal, to: 'CANCELLED' | 'REFUSED' = 'CANCELLED'): Promise<boolean> {
      const moved = await createStageStore(mortal(database, (where) => fate(where))).move({
        ...{ id: withdrawal.id, from: CANCELLABLE, to, decision: 'void', actor: 'CLIENT', now },
        detail: say('You have cancelled it.'),
        conditions: [holdAuthority(byExchange(withdrawal.owner))],
      });
      if (typeof moved === 'string') return false;
      await process.processing.giveBack(moved);
      return true;
    },

    approve: (withdrawal: Withdrawal, operator: number) =>
      createStageStore(mortal(database, (where) => fate(where))).approve(
        withdrawal.id,
        byExchange(operator),
        say('An operator has approved it.'),
        now,
      ),

    /** In a process that ends where fate wants it. @returns whether it has ended; a new one has begun then */
    async under(next: Fate, work: () => Promise<unknown>): Promise<boolean> {
      let hasEnded = false;
      fate = (where) => {
        if (hasEnded) throw new Killed();
        try {
          next(where);
        } catch (error) {
          hasEnded = true;
          throw error;
        }
      };
      await work().catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      fate = () => undefined;
      if (hasEnded) process = begin((where) => fate(where));
      return hasEnded;
    },

    /** Another process at the same time, on the same database and ledger. */
    beside: () => begin(() => undefined).processing,
  };
}

export type WithdrawalStage = Awaited<ReturnType<typeof createWithdrawalStage>>;
