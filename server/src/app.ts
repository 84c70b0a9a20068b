/** The slices, by hand: what there is, what each is given, in which order they start and end. */
import type { FastifyInstance } from 'fastify';
import { createAlertsSlice } from './exchange/alerts/slice.ts';
import { createClockSlice } from './exchange/engine/clock-slice.ts';
import { createEngineSlice } from './exchange/engine/slice.ts';
import { createSnapshotsSlice } from './exchange/engine/snapshots-slice.ts';
import { createFuturesSlice } from './exchange/futures/slice.ts';
import { createInstrumentsSlice } from './exchange/instruments/slice.ts';
import { tierOf as tierOfRates } from './exchange/ledger/service.ts';
import { createLedgerSlice } from './exchange/ledger/slice.ts';
import { createLiquiditySlice } from './exchange/liquidity/slice.ts';
import { createMarketDataSlice } from './exchange/market-data/slice.ts';
import { createOrdersSlice, marketLookup } from './exchange/orders/slice.ts';
import { createUnplacedNoticesSlice } from './exchange/orders/unplaced-notices.ts';
import { exchangeProjections } from './exchange/projections.ts';
import { createStreamsSlice } from './exchange/streams/slice.ts';
import { createBalanceHistorySlice } from './funds/balance-history/slice.ts';
import { createChainsSlice } from './funds/chains/slice.ts';
import { createCoinWalletSlice } from './funds/coin-wallet/slice.ts';
import { createColdSlice } from './funds/cold/slice.ts';
import { createConvertSlice } from './funds/convert/slice.ts';
import { createCostBasisSlice } from './funds/cost-basis/slice.ts';
import type { Deposited } from './funds/deposits/service.ts';
import { createDepositsSlice } from './funds/deposits/slice.ts';
import { createLiabilitiesSlice } from './funds/liabilities/slice.ts';
import { dailyTrades } from './funds/overview/projection.ts';
import { createOverviewSlice } from './funds/overview/slice.ts';
import { createPayoutsSlice } from './funds/payouts/slice.ts';
import { createStatementsSlice } from './funds/statements/slice.ts';
import { createSweepsSlice } from './funds/sweeps/slice.ts';
import { createTransfersSlice } from './funds/transfers/slice.ts';
import { createWithdrawalsSlice } from './funds/withdrawals/slice.ts';
import { createGateway } from './gateway.ts';
import { createShutOut } from './identity/accounts/refusals.ts';
import { createAccountsSlice } from './identity/accounts/slice.ts';
import { createOperatorsSlice } from './identity/operators/slice.ts';
import { createProfileSlice } from './identity/profile/slice.ts';
import { createSecuritySlice } from './identity/security/slice.ts';
import { createAlarmMailsSlice } from './operator/alarms/slice.ts';
import { createAuditSlice } from './operator/audit/slice.ts';
import { createConsoleSlice } from './operator/console/slice.ts';
import { createDevelopmentSlice } from './operator/development/slice.ts';
import { createDiskSlice } from './operator/disk/slice.ts';
import { createMarketAdminSlice } from './operator/markets/slice.ts';
import { createStandstillSlice } from './operator/standstill/slice.ts';
import { createContentSlice } from './people/content/slice.ts';
import { createMailSlice } from './people/mail/slice.ts';
import { createNotificationsSlice } from './people/notifications/slice.ts';
import { createSupportSlice } from './people/support/slice.ts';
import { startJobs } from './platform/jobs.ts';
import { migrate } from './platform/migrations.ts';
import { checkSecretsKey } from './platform/secrets-key.ts';
import { createSecretsKeyStore } from './platform/secrets-key-store.ts';
import { type AppDeps, createPlatform, type Platform, type Slice } from './platform/slice.ts';

type Given<Create extends (platform: Platform, parts: never) => unknown> = Parameters<Create>[1];
type Moving = Given<typeof createConvertSlice> &
  Given<typeof createTransfersSlice> &
  Omit<Given<typeof createLiabilitiesSlice>, keyof ReturnType<typeof createChainsSlice> | 'ownPayouts'>;
type Following = Given<typeof createCostBasisSlice> & Given<typeof createBalanceHistorySlice>;
type Receiving = Omit<Given<typeof createDepositsSlice>, keyof ReturnType<typeof createChainsSlice> | 'internal'>;
type Sending = Omit<
  Given<typeof createWithdrawalsSlice>,
  keyof ReturnType<typeof createChainsSlice> | 'deposits' | 'payouts'
>;

/** What moves the money of clients, and what is known of it, in the order in which they start. */
function createFundsSlices(
  platform: Platform,
  given: Moving & Following & Receiving & Sending & Given<typeof createStatementsSlice>,
) {
  const transfers = createTransfersSlice(platform, given);
  const convert = createConvertSlice(platform, given);
  const costBasis = createCostBasisSlice(platform, given);
  const balanceHistory = createBalanceHistorySlice(platform, given);
  const statements = createStatementsSlice(platform, given);
  const chains = createChainsSlice(platform);
  const internal: Given<typeof createDepositsSlice>['internal'] = (network, payments) =>
    payouts.payouts.internal(network, payments);
  const deposits = createDepositsSlice(platform, { ...given, ...chains, internal });
  const payouts = createPayoutsSlice(platform, { ...given, ...chains, ...deposits });
  const liabilities = createLiabilitiesSlice(platform, { ...given, ...chains, ...payouts });
  const sweeps = createSweepsSlice(platform, { ...given, ...chains, ...deposits, ...payouts });
  const cold = createColdSlice(platform, { ...given, ...chains, ...deposits, ...payouts, ...sweeps });
  const withdrawals = createWithdrawalsSlice(platform, { ...given, ...chains, ...deposits, ...payouts });
  const coinWallet = createCoinWalletSlice({ ...given, ...costBasis, ...deposits, ...withdrawals });
  const slices: readonly Slice[] = [
    ...[transfers, convert, costBasis, balanceHistory, liabilities, statements],
    ...[chains, deposits, payouts, sweeps, cold, withdrawals, coinWallet],
  ];
  return { parts: { ...chains, ...deposits, ...payouts, ...sweeps, ...cold, ...withdrawals }, slices };
}

/** Debts are known to a slice that is made after those that ask. */
const debtorsOf = (debts: () => Deposited['debts']): Deposited['debts'] => ({
  has: (clientId) => debts().has(clientId),
  owedBy: (clientId) => debts().owedBy(clientId),
  refusalOf: (clientId) => debts().refusalOf(clientId),
});

type Withdrawing = ReturnType<typeof createFundsSlices>['parts']['withdrawals'];

/** What is asked of withdrawals, which are a slice that is made after those that ask. */
const askedOf = (withdrawals: () => Withdrawing) => ({
  leftSince: (clientId: number, since: number) => withdrawals().usedSince(clientId, since),
  freesAt: (clientId: number) => withdrawals().freesAt(clientId),
  unfitAddress: ((entry) => withdrawals().unfitAddress(entry)) satisfies Given<
    typeof createSecuritySlice
  >['unfitAddress'],
});

async function createSlices(platform: Platform) {
  const engine = await createEngineSlice(platform, [...exchangeProjections, dailyTrades]);
  const { catalogue } = engine;
  const exchange = { catalogue, markets: marketLookup(catalogue), engine: engine.engine };
  const marketData = await createMarketDataSlice(platform, exchange);
  const traded = { ...exchange, marketData: marketData.marketData };
  const ledger = createLedgerSlice(platform, exchange);
  const liquidity = createLiquiditySlice(platform, { ...traded, ...ledger });
  const clock = createClockSlice(platform, { ...exchange, ...ledger });
  const snapshots = createSnapshotsSlice(platform, { ...exchange, ...ledger });
  const overview = createOverviewSlice(platform, traded);
  const audit = createAuditSlice(platform);
  const tierOf = async (clientId: number) => tierOfRates(exchange.engine.exchange.feesOf(clientId));
  const accounts = await createAccountsSlice(platform, { tierOf });
  const { movedSince } = overview.wallets;
  const { leftSince, freesAt, unfitAddress } = askedOf(() => funds.parts.withdrawals);
  const personalData = () => slices.flatMap((slice) => slice.personalData ?? []);
  const debtors = debtorsOf(() => funds.parts.deposits.debts);
  const hasFunds = (clientId: number) => overview.hasFunds(clientId) || debtors.has(clientId);
  const guarded = { ...accounts, ...audit, hasFunds, leftSince, unfitAddress, personalData };
  const security = createSecuritySlice(platform, guarded);
  const identity = { ...accounts, ...security };
  const mail = createMailSlice(platform, accounts);
  const passwords = accounts.accounts.passwords;
  const operators = createOperatorsSlice(platform, { ...accounts, ...security, ...audit, ...ledger, passwords });
  const profile = createProfileSlice(platform, { ...identity, tierOf, movedSince, leftSince, freesAt });
  const shutOut = createShutOut(accounts.accounts.states);
  const trading = { ...exchange, ...liquidity, shutOut, debtors, password: accounts.accounts };
  const orders = createOrdersSlice(platform, trading);
  const streams = createStreamsSlice(platform, { ...traded, ...orders, authority: security.authority });
  const instruments = createInstrumentsSlice(platform, traded);
  const notifications = createNotificationsSlice(platform, streams);
  const alerts = createAlertsSlice(platform, { ...traded, ...identity, ...streams, ...notifications });
  const unplaced = createUnplacedNoticesSlice(platform, { ...exchange, ...notifications });
  const guards = { ...ledger, ...audit, pending: operators.pending };
  const money = { ...traded, ...orders, ...liquidity, ...snapshots, ...overview, ...streams, ...guards };
  const moving = { ...money, ...identity, ...notifications.notifications, tierOf, password: accounts.accounts };
  const futures = createFuturesSlice(platform, { ...moving, ...notifications });
  const exposureOf = (clientId: number) => futures.futures.exposureOf(clientId);
  const funds = createFundsSlices(platform, { ...moving, exposureOf, debtRefusalOf: debtors.refusalOf });
  const people = { ...identity, ...streams, ...notifications };
  const support = createSupportSlice(platform, { ...people, ...audit });
  const content = await createContentSlice(platform, { ...identity, ...audit });
  const { maintained } = accounts.accounts.states;
  const marketAdmin = await createMarketAdminSlice(platform, {
    ...{ ...exchange, ...guards, ...accounts },
    ...{ form: futures.form, maintained, ...notifications },
  });
  const { deposits, withdrawals } = funds.parts;
  const told = { ...orders, ...notifications, ...marketAdmin, deposits, withdrawals };
  const operator = createConsoleSlice(platform, { ...exchange, ...identity, ...audit, ...ledger, ...told });
  const alarmMails = createAlarmMailsSlice(platform, { ...ledger, ...operators });
  const watches = [createDiskSlice(platform, ledger), createStandstillSlice(platform, ledger)];
  const development = createDevelopmentSlice({ ...exchange, ...overview, ...mail, ...notifications.notifications });
  /** In the order in which they start. They end in the opposite one: what makes orders, the engine, what follows it. */
  const slices: readonly Slice[] = [
    ...[marketData, instruments, orders, overview, mail, accounts, security, operators, profile],
    ...[streams, alerts, unplaced, futures, ...funds.slices],
    ...[audit, notifications, support, content, operator, alarmMails, ...watches, marketAdmin, development],
    ...[snapshots, engine, ledger, liquidity, clock],
  ];
  return {
    parts: {
      ...{ ...funds.parts, ...traded, ...snapshots, ...overview, ...ledger, ...clock, ...people, ...alerts },
      ...{ ...support, ...content, ...audit, identity, pending: operators.pending },
    },
    slices,
  };
}

export type App = Awaited<ReturnType<typeof createApp>>;

export async function createApp(deps: AppDeps) {
  const platform = createPlatform(deps);
  await migrate(deps.database.patient);
  await checkSecretsKey(createSecretsKeyStore(deps.database), platform.encryption);
  const { parts, slices } = await createSlices(platform);
  for (const slice of slices) await slice.prepare?.();
  const http: FastifyInstance = await createGateway(platform, { ...parts, slices });
  const jobs = startJobs(
    slices.flatMap((slice) => slice.jobs ?? []),
    platform,
  );
  for (const consumer of slices.flatMap((slice) => slice.consumers ?? [])) await consumer.start();
  for (const slice of slices) await slice.start?.(http);
  const { engine, snapshots, accounts, security, reconciler, wallets, news, support, alerts, notifications } = parts;
  const { deposits, payouts, sweeps, cold, withdrawals, developmentChains, pending } = parts;
  return {
    pending,
    outbox: platform.outbox,
    ...{ deposits, payouts, sweeps, cold, withdrawals, developmentChains },
    ...{ http, engine, snapshots, accounts, security, reconciler, wallets, news, support, alerts, notifications },
    async close() {
      for (const slice of slices.toReversed()) await slice.stop?.();
      await http.close();
      await jobs.close();
      for (const { consumers = [], close } of slices.toReversed()) {
        for (const consumer of consumers) await consumer.close();
        await close?.();
      }
      await deps.database.close();
    },
  };
}
