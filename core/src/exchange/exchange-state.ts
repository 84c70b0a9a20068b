import type { SectionReader, SectionWriter } from '../collections/sections.ts';
import { StateHasher } from '../collections/state-hash.ts';
import type { ExchangeEvent } from '../events/event.ts';
import { EventLog } from '../events/event-log.ts';
import { Instruments } from '../instruments/instruments.ts';
import { MarketIds } from '../instruments/market-ids.ts';
import type { MarketState } from '../instruments/market-state.ts';
import { InvariantError, invariant } from '../invariant.ts';
import { accountParts, Bucket, FIRST_CLIENT, Wallet } from '../ledger/account.ts';
import { AccountTable } from '../ledger/account-table.ts';
import { Ledger } from '../ledger/ledger.ts';
import type { Origin } from '../ledger/transfer.ts';
import { type PendingTransfer, Transfers } from '../ledger/transfers.ts';
import { type HoldingColumns, hashHoldings } from '../margin/holding-columns.ts';
import type { HoldingRecord } from '../margin/holding-record.ts';
import { IndexProcessor } from '../margin/index-processor.ts';
import { Liquidator } from '../margin/liquidator.ts';
import { MarginProcessor } from '../margin/margin-processor.ts';
import { Margins } from '../margin/margins.ts';
import type { Direction } from '../margin/perpetual.ts';
import { PositionSettler } from '../margin/position-settler.ts';
import { INITIAL_PERPETUAL_STATE, type PerpetualState } from '../margin/pricing.ts';
import { EMPTY_WALLET, type MarginWallet, type PositionView } from '../margin/view.ts';
import { OrderPool } from '../matching/order-pool.ts';
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import type { Asset, MarketSpec } from '../money/market.ts';
import { type ClientOrderId, ClientOrderIds } from '../orders/client-order-ids.ts';
import { Closings } from '../orders/closings.ts';
import type { UntriggeredOrder } from '../orders/conditional/conditional-order.ts';
import { ConditionalProcessor } from '../orders/conditional/conditional-processor.ts';
import { describeUntriggered } from '../orders/conditional/untriggered.ts';
import { nextDueAt } from '../orders/due.ts';
import type { ExitPlan } from '../orders/exits/exit-plan.ts';
import { ExitPlans, hashExitPlans } from '../orders/exits/exit-plans.ts';
import { ExitProcessor } from '../orders/exits/exit-processor.ts';
import { OpenOrders } from '../orders/open-orders.ts';
import { OrderProcessor } from '../orders/order-processor.ts';
import type { OpenOrder } from '../orders/order-state.ts';
import { OrderParts } from '../orders/parts.ts';
import type { TwapOrder } from '../orders/twap/twap.ts';
import { TwapProcessor } from '../orders/twap/twap-processor.ts';
import { hashTwaps, Twaps } from '../orders/twap/twaps.ts';
import type { PositionLeg, Side } from '../terms/order-terms.ts';
import type { Outcome } from '../terms/outcome.ts';
import type { Command } from './command.ts';
import type { Counters, Defaults, Exchange, FeeRates } from './exchange.ts';
import {
  hashAccounts,
  hashClientOrderIds,
  hashInstruments,
  hashOrders,
  hashPerpetuals,
  hashTransfers,
} from './hash.ts';
import {
  loadClientOrderIds,
  loadCounters,
  loadExitPlans,
  loadHoldings,
  loadInstruments,
  loadPerpetuals,
  loadTransfers,
  loadTwaps,
  loadUntriggered,
  saveClientOrderIds,
  saveCounters,
  saveExitPlans,
  saveHoldings,
  saveInstruments,
  savePerpetuals,
  saveTransfers,
  saveTwaps,
  saveUntriggered,
} from './snapshot-records.ts';

/** All that an exchange knows, wired together: what can be asked of it, and how it is saved and brought back. */
export abstract class ExchangeState implements Exchange {
  abstract rules: number;
  abstract apply(time: number, command: Command): Outcome;
  abstract takeEvents(): ExchangeEvent[];

  protected readonly accounts = new AccountTable();
  protected readonly ledger = new Ledger(this.accounts);
  protected readonly pool = new OrderPool();
  protected readonly open = new OpenOrders(this.pool, this.accounts);
  protected readonly ids = new MarketIds();
  protected readonly log = new EventLog(this.ids, this.pool, this.accounts);
  protected readonly margins = new Margins(this.accounts, this.ledger, this.log);
  protected readonly instruments = new Instruments(
    this.ids,
    this.pool,
    this.accounts,
    this.ledger,
    this.margins,
    this.log,
  );
  protected readonly transfers = new Transfers(this.accounts, this.ledger, this.margins, this.log);
  protected readonly clientIds = new ClientOrderIds();
  protected readonly plans = new ExitPlans();
  protected readonly twapList = new Twaps();
  protected readonly orders: OrderProcessor;
  protected readonly closings: Closings;
  protected readonly conditionals: ConditionalProcessor;
  protected readonly exits: ExitProcessor;
  protected readonly twapProcessor: TwapProcessor;
  protected readonly marginProcessor: MarginProcessor;
  protected readonly liquidator: Liquidator;
  protected readonly settler: PositionSettler;
  protected readonly indexes: IndexProcessor;

  constructor() {
    const instruments = this.instruments;
    const limits = () => instruments.limits;
    const ids = this.clientIds;
    const plans = this.plans;
    this.orders = new OrderProcessor(this.pool, this.accounts, this.log, this.open, ids, plans, limits);
    const bookOf = (id: number) => instruments.find(id);
    const [accounts, log, twaps] = [this.accounts, this.log, this.twapList];
    const parts = new OrderParts(this.orders, accounts, log);
    this.closings = new Closings(accounts, log, this.orders, parts);
    const conditionals = new ConditionalProcessor(bookOf, accounts, log, this.orders, parts, limits, twaps, plans);
    this.conditionals = conditionals;
    this.exits = new ExitProcessor(bookOf, accounts, log, plans, conditionals);
    this.orders.exits = this.exits;
    this.twapProcessor = new TwapProcessor(bookOf, accounts, log, twaps, this.orders, conditionals);
    this.marginProcessor = new MarginProcessor({
      ...{ pool: this.pool, accounts, ledger: this.ledger, log, margins: this.margins },
      ...{ matcher: this.orders.matcher, find: bookOf, books: instruments.books },
      untriggeredIn: (owner, market) => conditionals.orders.of(owner, market).length + twaps.countOf(owner, market),
      twaps: this.twapProcessor,
    });
    this.indexes = new IndexProcessor(bookOf, log, this.orders.cancels);
    this.settler = new PositionSettler({
      ...{ accounts, margins: this.margins, find: bookOf },
      waitingIn: (market) => conditionals.orders.countIn(market) + twaps.countIn(market),
    });
    this.liquidator = new Liquidator({
      ...{ pool: this.pool, accounts, ledger: this.ledger, log, margins: this.margins },
      ...{ orders: this.orders, twaps: this.twapProcessor, books: instruments.books },
    });
  }

  assets(): readonly Asset[] {
    return this.instruments.assets;
  }

  markets(): readonly MarketSpec[] {
    return this.instruments.books.map(({ spec }) => spec);
  }

  defaults(): Defaults {
    return { fees: this.accounts.defaultFees, limits: this.instruments.limits };
  }

  feesOf(owner: number): FeeRates {
    const index = this.accounts.findOwner(owner);
    if (index === 0) return this.accounts.defaultFees;
    return { makerPpm: this.accounts.makerPpm(index), takerPpm: this.accounts.takerPpm(index) };
  }

  balance(accountKey: number): bigint {
    const account = this.accounts.findAccount(accountKey);
    return account < 0 ? 0n : this.accounts.balances[account]!;
  }

  /** Account keys with what is in them, in no order; empty accounts are left out. */
  balances = () => this.accounts.nonZeroBalances();

  accountsOf(owner: number): number[] {
    const index = this.accounts.findOwner(owner);
    return index === 0 ? [] : this.accounts.keysOf(index);
  }

  /** Numbers of the owners from one number up to another, both included, ascending. */
  ownersBetween(first: number, last: number): number[] {
    return this.accounts.ownersBetween(first, last);
  }

  openOrder(orderId: number): OpenOrder | undefined {
    const slot = this.open.find(orderId);
    return slot === 0 ? undefined : this.open.describe(this.instruments.books, slot);
  }

  openOrdersOf(owner: number): OpenOrder[] {
    const index = this.accounts.findOwner(owner);
    const open: OpenOrder[] = [];
    if (index === 0) return open;
    for (let slot = this.accounts.firstOrder(index); slot !== 0; slot = this.pool.ownerNext(slot)) {
      open.push(this.open.describe(this.instruments.books, slot));
    }
    return open.sort((a, b) => a.orderId - b.orderId);
  }

  openOrderCount(): number {
    return this.pool.count;
  }

  openPositionCount(): number {
    return this.margins.holdings.openCount;
  }

  positionOwners(): readonly number[] {
    return this.margins.holdings.owners().map((owner) => this.accounts.ownerNumber(owner));
  }

  untriggeredOrder(orderId: number): UntriggeredOrder | undefined {
    const order = this.conditionals.orders.find(orderId);
    return order && describeUntriggered(order);
  }

  untriggeredOrdersOf(owner: number): UntriggeredOrder[] {
    return this.conditionals.orders.of(owner).map(describeUntriggered);
  }

  untriggeredOrderCount(): number {
    return this.conditionals.orders.size;
  }

  untriggeredOrdersIn(market: number): number {
    return this.conditionals.orders.countIn(market);
  }

  twap(orderId: number): TwapOrder | undefined {
    return this.twapList.find(orderId);
  }

  twaps(owner?: number): readonly TwapOrder[] {
    return owner === undefined ? this.twapList.all() : this.twapList.of(owner);
  }

  twapsIn(market: number): number {
    return this.twapList.countIn(market);
  }

  nextTwapAt(): number | undefined {
    return this.twapList.nextAt;
  }

  nextDueAt(): number | undefined {
    return nextDueAt(this.instruments.books, this.twapList.nextAt);
  }

  clientOrderIds(): readonly ClientOrderId[] {
    return this.clientIds.all();
  }

  orderIdOf(owner: number, clientOrderId: string): number {
    return this.clientIds.find(owner, clientOrderId);
  }

  exitPlans(): readonly ExitPlan[] {
    return this.plans.all();
  }

  holdings(): readonly HoldingRecord[] {
    return this.margins.records((index) => this.instruments.books[index]!.spec.id);
  }

  #holdingColumns(): HoldingColumns {
    return this.margins.columns((index) => this.ids.idAt(index));
  }

  perpetualState(market: number): PerpetualState {
    return this.instruments.market(market).perpetual?.state ?? INITIAL_PERPETUAL_STATE;
  }

  openInterest(market: number): number {
    return this.instruments.market(market).perpetual?.openLots ?? 0;
  }

  /** Owners and legs of what is open in a direction of a market, in no order. */
  *openPositions(
    market: number,
    direction: Direction,
  ): Iterable<{ readonly owner: number; readonly leg: PositionLeg }> {
    for (const { owner, leg } of this.margins.holdings.open(this.instruments.market(market).index, direction))
      yield { owner: this.accounts.ownerNumber(owner), leg };
  }

  /** Where a position stands among those of its side: higher is closed earlier against one that is liquidated. Undefined without one. */
  deleveragingRankOf(owner: number, market: number, leg: PositionLeg): bigint | undefined {
    const holding = this.instruments.market(market).perpetual?.find(this.accounts.findOwner(owner), leg);
    return holding?.position === undefined ? undefined : this.liquidator.rank(holding);
  }

  positionsOf(owner: number): readonly PositionView[] {
    const index = this.accounts.findOwner(owner);
    if (index === 0) return [];
    const marketOf = (market: number) => this.instruments.books[market]!.spec.id;
    return this.margins.views(index, (holding) => this.margins.record(holding, marketOf));
  }

  marginWalletOf(owner: number, asset: number): MarginWallet {
    const index = this.accounts.findOwner(owner);
    return index === 0 ? EMPTY_WALLET : this.margins.wallet(index, asset);
  }

  hasLiquidations(): boolean {
    return this.liquidator.isPending;
  }

  freeOf(owner: number, asset: number): bigint {
    const index = this.accounts.findOwner(owner);
    return index === 0 ? 0n : this.margins.free(index, asset);
  }

  isMarkWatched(market: number): boolean {
    return this.instruments.market(market).markWatch !== undefined || this.plans.isMarkWatched(market);
  }

  /** The newest id that an order has. */
  get lastOrderId(): number {
    return this.orders.lastOrderId;
  }

  pendingTransfers(): readonly PendingTransfer[] {
    return this.transfers.pending();
  }

  sequences(): readonly Origin[] {
    return this.transfers.sequences();
  }

  levelQuantity(market: number, side: Side, price: number): number {
    const { book } = this.instruments.market(market);
    const level = book.levelOf(side, price);
    return level === 0 ? 0 : book.ladder.lots(level);
  }

  levelOrders(market: number, side: Side, price: number): number {
    const { book } = this.instruments.market(market);
    const level = book.levelOf(side, price);
    return level === 0 ? 0 : book.ladder.orders(level);
  }

  depth(market: number, side: Side, levels: number): number[] {
    const { book } = this.instruments.market(market);
    const flat: number[] = [];
    let price = book.best(side);
    for (let left = levels; left > 0 && price !== 0; left -= 1) {
      const level = book.ladder.find(price);
      flat.push(price, book.ladder.lots(level), book.ladder.orders(level));
      price = book.worse(side, price);
    }
    return flat;
  }

  bestPrice(market: number, side: Side): number {
    return this.instruments.market(market).book.best(side);
  }

  marketState(market: number): MarketState {
    return this.instruments.market(market).state;
  }

  /** What the band of a market is measured from at the time of the last command, ticks: see `MarketBook`. */
  bandPrice(market: number): number {
    return this.instruments.market(market).bandPrice();
  }

  counters(): Counters {
    const { lastOrderId, matcher } = this.orders;
    const { lastPriority } = this.open;
    const { lastTransferId } = this.transfers;
    return { lastOrderId, lastTradeId: matcher.lastTradeId, lastPriority, lastTransferId };
  }

  stateHash(): string {
    const hasher = new StateHasher();
    const { lastOrderId, lastTradeId, lastPriority, lastTransferId } = this.counters();
    for (const counter of [lastOrderId, lastTradeId, lastPriority, lastTransferId]) hasher.number(counter);
    hashInstruments(hasher, this);
    for (const market of this.instruments.books) hashOrders(hasher, market, this.pool, this.accounts);
    hashTransfers(hasher, this);
    hashClientOrderIds(hasher, this);
    hashExitPlans(hasher, this.exitPlans());
    hashTwaps(hasher, this.twaps());
    hashPerpetuals(hasher, this);
    hashHoldings(hasher, this.#holdingColumns());
    hashAccounts(hasher, this.accounts, this.conditionals.orders.all());
    return hasher.digest();
  }

  /** Writes all of the state. Nothing may have happened since the events were taken. */
  save(to: SectionWriter): void {
    saveInstruments(to, this);
    this.accounts.save(to);
    this.open.save(to, this.instruments.books);
    saveUntriggered(to, this.conditionals.orders.all());
    saveClientOrderIds(to, this.clientOrderIds());
    saveTransfers(to, this);
    saveCounters(to, this);
    saveExitPlans(to, this.exitPlans());
    this.open.saveIcebergs(to, this.instruments.books);
    saveTwaps(to, this.twaps());
    savePerpetuals(to, this);
    saveHoldings(to, this.#holdingColumns());
  }

  /** Reads into an empty exchange what `save` wrote. */
  load(from: SectionReader): void {
    loadInstruments(from, this);
    this.accounts.load(from);
    this.open.load(from, this.instruments.books);
    loadUntriggered(from, this);
    loadClientOrderIds(from, this);
    loadTransfers(from, this);
    loadCounters(from, this);
    loadExitPlans(from, this);
    this.open.loadIcebergs(from, this.instruments.books);
    loadTwaps(from, this);
    loadPerpetuals(from, this);
    loadHoldings(from, this);
  }

  restoreDefaults({ fees, limits }: Defaults): void {
    this.accounts.setDefaultFees(fees.makerPpm, fees.takerPpm);
    this.instruments.limits = limits;
  }

  restoreAsset(asset: Asset): void {
    this.instruments.restoreAsset(asset);
  }

  restoreMarket(spec: MarketSpec, state: MarketState): void {
    this.instruments.restoreMarket(spec, state);
  }

  restoreBalance(accountKey: number, amount: bigint): void {
    const { owner, wallet, bucket } = accountParts(accountKey);
    invariant(amount >= 0n || owner < FIRST_CLIENT, 'a client never falls below zero', { accountKey, amount });
    invariant(amount <= MAXIMUM_AMOUNT && amount >= -MAXIMUM_AMOUNT, 'a balance is an int64', { accountKey, amount });
    invariant(bucket <= Bucket.MARGIN, 'a bucket is available, held, pending or margin', { accountKey });
    const account = this.accounts.account(accountKey);
    this.accounts.use(account);
    this.accounts.balances[account] = amount;
    if (wallet === Wallet.CREDIT) this.accounts.giveCredit(this.accounts.owner(owner));
  }

  restoreFees(owner: number, { makerPpm, takerPpm }: FeeRates): void {
    this.accounts.setFees(this.accounts.owner(owner), makerPpm, takerPpm);
  }

  restoreOrder(order: OpenOrder): void {
    this.open.restore(this.instruments.market(order.market), order);
  }

  restoreUntriggeredOrder(order: UntriggeredOrder): void {
    this.conditionals.restore(order);
  }

  restoreClientOrderId(one: ClientOrderId): void {
    this.clientIds.add(one);
  }

  restoreExitPlan(plan: ExitPlan): void {
    this.plans.put(plan);
  }

  restorePerpetual(market: number, state: PerpetualState): void {
    const { perpetual } = this.instruments.market(market);
    invariant(perpetual !== undefined, 'only a perpetual has an index', { market });
    perpetual.state = state;
  }

  restoreHoldings(holdings: HoldingColumns): void {
    this.margins.holdings.reserve(holdings.size);
    for (let at = 0; at < holdings.size; at += 1) {
      const market = holdings.market[at]!;
      const { perpetual } = this.instruments.market(market);
      // What an invariant says is not made for each of a hundred thousand.
      if (perpetual === undefined) throw new InvariantError('a position is in a perpetual', { market });
      perpetual.restore(this.accounts.owner(holdings.owner[at]!), holdings, at);
    }
  }

  restoreTwap(order: TwapOrder): void {
    this.twapProcessor.restore(order);
  }

  restorePendingTransfer(pending: PendingTransfer): void {
    this.transfers.restorePending(pending);
  }

  restoreSequence(origin: Origin): void {
    this.transfers.restoreSequence(origin);
  }

  restoreCounters(counters: Counters): void {
    this.orders.lastOrderId = counters.lastOrderId;
    this.open.lastPriority = counters.lastPriority;
    this.orders.matcher.lastTradeId = counters.lastTradeId;
    this.transfers.lastTransferId = counters.lastTransferId;
    this.accounts.forgetChanged();
  }
}
