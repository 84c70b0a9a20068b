import type { SectionReader, SectionWriter } from '../collections/sections.ts';
import { StateHasher } from '../collections/state-hash.ts';
import type { ExchangeEvent } from '../events/event.ts';
import type { EventBatch, EventReader } from '../events/event-batch.ts';
import { EventLog } from '../events/event-log.ts';
import type { ClearMarket, DelistMarket } from '../instruments/commands.ts';
import { Instruments } from '../instruments/instruments.ts';
import { MarketIds } from '../instruments/market-ids.ts';
import type { MarketState } from '../instruments/market-state.ts';
import { invariant } from '../invariant.ts';
import { accountParts, Bucket, FIRST_CLIENT, Wallet } from '../ledger/account.ts';
import { AccountTable } from '../ledger/account-table.ts';
import { Ledger } from '../ledger/ledger.ts';
import type { Origin } from '../ledger/transfer.ts';
import { type PendingTransfer, Transfers } from '../ledger/transfers.ts';
import type { HoldingRecord } from '../margin/holdings.ts';
import { MarginProcessor } from '../margin/margin-processor.ts';
import { Margins } from '../margin/margins.ts';
import { OrderPool } from '../matching/order-pool.ts';
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import type { Asset, MarketSpec } from '../money/market.ts';
import { type ClientOrderId, ClientOrderIds } from '../orders/client-order-ids.ts';
import type { AmendOrder, CancelAllOrders, CancelOrder } from '../orders/commands.ts';
import type { UntriggeredOrder } from '../orders/conditional/conditional-order.ts';
import { ConditionalProcessor } from '../orders/conditional/conditional-processor.ts';
import { describeUntriggered } from '../orders/conditional/untriggered.ts';
import type { ExitPlan } from '../orders/exits/exit-plan.ts';
import { ExitPlans, hashExitPlans } from '../orders/exits/exit-plans.ts';
import { ExitProcessor } from '../orders/exits/exit-processor.ts';
import { OpenOrders } from '../orders/open-orders.ts';
import { OrderProcessor } from '../orders/order-processor.ts';
import type { OpenOrder } from '../orders/order-state.ts';
import type { TwapOrder } from '../orders/twap/twap.ts';
import { TwapProcessor } from '../orders/twap/twap-processor.ts';
import { hashTwaps, Twaps } from '../orders/twap/twaps.ts';
import type { Side } from '../terms/order-terms.ts';
import { OK, type Outcome, refused } from '../terms/outcome.ts';
import type { Command } from './command.ts';
import type { Counters, Defaults, Exchange, FeeRates } from './exchange.ts';
import { hashAccounts, hashClientOrderIds, hashHoldings, hashInstruments, hashOrders, hashTransfers } from './hash.ts';
import {
  loadClientOrderIds,
  loadCounters,
  loadExitPlans,
  loadHoldings,
  loadInstruments,
  loadTransfers,
  loadTwaps,
  loadUntriggered,
  saveClientOrderIds,
  saveCounters,
  saveExitPlans,
  saveHoldings,
  saveInstruments,
  saveTransfers,
  saveTwaps,
  saveUntriggered,
} from './snapshot-records.ts';

/** Orders that one `clear-market` may cancel. */
const MAXIMUM_CLEARED = 10_000;

/**
 * The exchange as it runs in production, without instruments, money or orders. Every bad input is an `Outcome`; an
 * exception means that the state can't be trusted any more.
 */
export function createExchange(): FastExchange {
  return new FastExchange();
}

export class FastExchange implements Exchange {
  readonly #accounts = new AccountTable();
  readonly #ledger = new Ledger(this.#accounts);
  readonly #pool = new OrderPool();
  readonly #open = new OpenOrders(this.#pool, this.#accounts);
  readonly #ids = new MarketIds();
  readonly #log = new EventLog(this.#ids, this.#pool, this.#accounts);
  readonly #margins = new Margins(this.#accounts, this.#log);
  readonly #instruments = new Instruments(
    this.#ids,
    this.#pool,
    this.#accounts,
    this.#ledger,
    this.#margins,
    this.#log,
  );
  readonly #transfers = new Transfers(this.#accounts, this.#ledger, this.#margins, this.#log);
  readonly #clientOrderIds = new ClientOrderIds();
  readonly #exitPlans = new ExitPlans();
  readonly #twaps = new Twaps();
  readonly #ended: EventReader = {
    order: (batch, at) => {
      if (batch.status(at) !== 'open') this.#clientOrderIds.forget(batch.orderId(at));
    },
    object: (event) => {
      if (event.kind === 'untriggered-ended') this.#clientOrderIds.forget(event.order.orderId);
    },
  };
  readonly #orders: OrderProcessor;
  readonly #conditionals: ConditionalProcessor;
  readonly #exits: ExitProcessor;
  readonly #twapProcessor: TwapProcessor;
  readonly #marginProcessor: MarginProcessor;
  readonly #followExits = (from: number): void => {
    if (this.#exitPlans.size > 0) this.#exits.follow(from);
  };

  constructor() {
    const instruments = this.#instruments;
    const limits = () => instruments.limits;
    const ids = this.#clientOrderIds;
    const plans = this.#exitPlans;
    this.#orders = new OrderProcessor(this.#pool, this.#accounts, this.#log, this.#open, ids, plans, limits);
    const bookOf = (id: number) => instruments.find(id);
    const [accounts, log, twaps] = [this.#accounts, this.#log, this.#twaps];
    const conditionals = new ConditionalProcessor(bookOf, accounts, log, this.#orders, limits, twaps);
    this.#conditionals = conditionals;
    this.#exits = new ExitProcessor(bookOf, accounts, log, plans, conditionals, limits, twaps);
    this.#orders.exits = this.#exits;
    this.#twapProcessor = new TwapProcessor(bookOf, accounts, log, twaps, this.#orders, conditionals, limits);
    this.#marginProcessor = new MarginProcessor({
      ...{ pool: this.#pool, accounts, ledger: this.#ledger, log, margins: this.#margins },
      ...{ matcher: this.#orders.matcher, find: bookOf, books: instruments.books },
    });
  }

  apply(time: number, command: Command): Outcome {
    this.#log.time = time;
    const start = this.position;
    const outcome = this.#perform(command);
    if (this.#exitPlans.size > 0) this.#exits.follow(start);
    if (this.#conditionals.isPending) this.#conditionals.processTriggered(this.#followExits);
    if (this.#margins.short.size > 0) this.#marginProcessor.coverLosses();
    if (this.#clientOrderIds.size > 0) this.#forgetEnded(start);
    return outcome;
  }

  #perform(command: Command): Outcome {
    switch (command.kind) {
      case 'place-order':
        return this.#orders.place(this.#instruments.find(command.market), command);
      case 'cancel-order':
        return this.#cancel(command);
      case 'amend-order':
        return this.#amend(command);
      case 'cancel-all-orders':
        return this.#cancelAll(command);
      case 'place-conditional-order':
        return this.#conditionals.place(command);
      case 'amend-conditional-order':
        return this.#conditionals.amend(command);
      case 'place-twap':
        return this.#twapProcessor.place(command);
      case 'run-twaps':
        return this.#twapProcessor.run(command);
      case 'set-mark-price':
        return this.#conditionals.setMarkPrice(command);
      case 'transfer':
        return this.#transfers.transfer(command);
      case 'post-pending':
        return this.#transfers.post(command);
      case 'void-pending':
        return this.#transfers.void(command);
      case 'set-leverage':
        return this.#marginProcessor.setLeverage(command);
      case 'adjust-margin':
        return this.#marginProcessor.adjustMargin(command);
      case 'list-asset':
        return this.#instruments.listAsset(command);
      case 'list-market':
        return this.#instruments.listMarket(command);
      case 'change-market':
        return this.#instruments.changeMarket(command);
      case 'halt-market':
        return this.#instruments.halt(command);
      case 'clear-market':
        return this.#clear(command);
      case 'delist-market':
        return this.#delist(command);
      case 'set-fees':
        return this.#instruments.setFees(command);
      case 'set-default-fees':
        return this.#instruments.setDefaultFees(command);
      case 'set-limits':
        return this.#instruments.setLimits(command);
      case 'set-reference-price':
        return this.#instruments.setReferencePrice(command);
    }
  }

  takeEvents(): ExchangeEvent[] {
    const batch = this.takeBatch();
    const events = batch.events();
    this.recycle(batch);
    return events;
  }

  /** Where the next event will be in the batch that is being written. */
  get position(): number {
    return this.#log.batch.end;
  }

  /** Hands over the events since the last time as records, and the balances that they left. Give it back when read. */
  takeBatch(): EventBatch {
    return this.#log.take();
  }

  /** Takes a batch back that has been read. */
  recycle(batch: EventBatch): void {
    this.#log.recycle(batch);
  }

  assets(): readonly Asset[] {
    return this.#instruments.assets;
  }

  markets(): readonly MarketSpec[] {
    return this.#instruments.books.map(({ spec }) => spec);
  }

  defaults(): Defaults {
    return { fees: this.#accounts.defaultFees, limits: this.#instruments.limits };
  }

  feesOf(owner: number): FeeRates {
    const index = this.#accounts.findOwner(owner);
    if (index === 0) return this.#accounts.defaultFees;
    return { makerPpm: this.#accounts.makerPpm(index), takerPpm: this.#accounts.takerPpm(index) };
  }

  balance(accountKey: number): bigint {
    const account = this.#accounts.findAccount(accountKey);
    return account < 0 ? 0n : this.#accounts.balances[account]!;
  }

  /** Account keys with what is in them, in no order; empty accounts are left out. */
  balances = () => this.#accounts.nonZeroBalances();

  accountsOf(owner: number): number[] {
    const index = this.#accounts.findOwner(owner);
    return index === 0 ? [] : this.#accounts.keysOf(index);
  }

  /** Numbers of the owners from one number up to another, both included, ascending. */
  ownersBetween(first: number, last: number): number[] {
    return this.#accounts.ownersBetween(first, last);
  }

  openOrder(orderId: number): OpenOrder | undefined {
    const slot = this.#open.find(orderId);
    return slot === 0 ? undefined : this.#open.describe(this.#instruments.books, slot);
  }

  openOrdersOf(owner: number): OpenOrder[] {
    const index = this.#accounts.findOwner(owner);
    const open: OpenOrder[] = [];
    if (index === 0) return open;
    for (let slot = this.#accounts.firstOrder(index); slot !== 0; slot = this.#pool.ownerNext(slot)) {
      open.push(this.#open.describe(this.#instruments.books, slot));
    }
    return open.sort((a, b) => a.orderId - b.orderId);
  }

  openOrderCount(): number {
    return this.#pool.count;
  }

  untriggeredOrder(orderId: number): UntriggeredOrder | undefined {
    const order = this.#conditionals.orders.find(orderId);
    return order && describeUntriggered(order);
  }

  untriggeredOrdersOf(owner: number): UntriggeredOrder[] {
    return this.#conditionals.orders.of(owner).map(describeUntriggered);
  }

  untriggeredOrderCount(): number {
    return this.#conditionals.orders.size;
  }

  untriggeredOrdersIn(market: number): number {
    return this.#conditionals.orders.countIn(market);
  }

  twap(orderId: number): TwapOrder | undefined {
    return this.#twaps.find(orderId);
  }

  twaps(owner?: number): readonly TwapOrder[] {
    return owner === undefined ? this.#twaps.all() : this.#twaps.of(owner);
  }

  twapsIn(market: number): number {
    return this.#twaps.countIn(market);
  }

  nextTwapAt(): number | undefined {
    return this.#twaps.nextAt;
  }

  clientOrderIds(): readonly ClientOrderId[] {
    return this.#clientOrderIds.all();
  }

  orderIdOf(owner: number, clientOrderId: string): number {
    return this.#clientOrderIds.find(owner, clientOrderId);
  }

  exitPlans(): readonly ExitPlan[] {
    return this.#exitPlans.all();
  }

  holdings(): readonly HoldingRecord[] {
    return this.#margins.records((index) => this.#instruments.books[index]!.spec.id);
  }

  freeOf(owner: number, asset: number): bigint {
    const index = this.#accounts.findOwner(owner);
    return index === 0 ? 0n : this.#margins.free(index, asset);
  }

  isMarkWatched(market: number): boolean {
    return this.#instruments.market(market).markWatch !== undefined || this.#exitPlans.isMarkWatched(market);
  }

  /** The newest id that an order has. */
  get lastOrderId(): number {
    return this.#orders.lastOrderId;
  }

  pendingTransfers(): readonly PendingTransfer[] {
    return this.#transfers.pending();
  }

  sequences(): readonly Origin[] {
    return this.#transfers.sequences();
  }

  levelQuantity(market: number, side: Side, price: number): number {
    const { book } = this.#instruments.market(market);
    const level = book.levelOf(side, price);
    return level === 0 ? 0 : book.ladder.lots(level);
  }

  levelOrders(market: number, side: Side, price: number): number {
    const { book } = this.#instruments.market(market);
    const level = book.levelOf(side, price);
    return level === 0 ? 0 : book.ladder.orders(level);
  }

  depth(market: number, side: Side, levels: number): number[] {
    const { book } = this.#instruments.market(market);
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
    return this.#instruments.market(market).book.best(side);
  }

  marketState(market: number): MarketState {
    return this.#instruments.market(market).state;
  }

  counters(): Counters {
    const { lastOrderId, matcher } = this.#orders;
    const { lastPriority } = this.#open;
    const { lastTransferId } = this.#transfers;
    return { lastOrderId, lastTradeId: matcher.lastTradeId, lastPriority, lastTransferId };
  }

  stateHash(): string {
    const hasher = new StateHasher();
    const { lastOrderId, lastTradeId, lastPriority, lastTransferId } = this.counters();
    for (const counter of [lastOrderId, lastTradeId, lastPriority, lastTransferId]) hasher.number(counter);
    hashInstruments(hasher, this);
    for (const market of this.#instruments.books) hashOrders(hasher, market, this.#pool, this.#accounts);
    hashTransfers(hasher, this);
    hashClientOrderIds(hasher, this);
    hashExitPlans(hasher, this.exitPlans());
    hashTwaps(hasher, this.twaps());
    hashHoldings(hasher, this.holdings());
    hashAccounts(hasher, this.#accounts, this.#conditionals.orders.all());
    return hasher.digest();
  }

  /** Writes all of the state. Nothing may have happened since the events were taken. */
  save(to: SectionWriter): void {
    saveInstruments(to, this);
    this.#accounts.save(to);
    this.#open.save(to, this.#instruments.books);
    saveUntriggered(to, this.#conditionals.orders.all());
    saveClientOrderIds(to, this.clientOrderIds());
    saveTransfers(to, this);
    saveCounters(to, this);
    saveExitPlans(to, this.exitPlans());
    this.#open.saveIcebergs(to, this.#instruments.books);
    saveTwaps(to, this.twaps());
    saveHoldings(to, this.holdings());
  }

  /** Reads into an empty exchange what `save` wrote. */
  load(from: SectionReader): void {
    loadInstruments(from, this);
    this.#accounts.load(from);
    this.#open.load(from, this.#instruments.books);
    loadUntriggered(from, this);
    loadClientOrderIds(from, this);
    loadTransfers(from, this);
    loadCounters(from, this);
    loadExitPlans(from, this);
    this.#open.loadIcebergs(from, this.#instruments.books);
    loadTwaps(from, this);
    loadHoldings(from, this);
  }

  restoreDefaults({ fees, limits }: Defaults): void {
    this.#accounts.setDefaultFees(fees.makerPpm, fees.takerPpm);
    this.#instruments.limits = limits;
  }

  restoreAsset(asset: Asset): void {
    this.#instruments.restoreAsset(asset);
  }

  restoreMarket(spec: MarketSpec, state: MarketState): void {
    this.#instruments.restoreMarket(spec, state);
  }

  restoreBalance(accountKey: number, amount: bigint): void {
    const { owner, wallet, bucket } = accountParts(accountKey);
    invariant(amount >= 0n || owner < FIRST_CLIENT, 'a client never falls below zero', { accountKey, amount });
    invariant(amount <= MAXIMUM_AMOUNT && amount >= -MAXIMUM_AMOUNT, 'a balance is an int64', { accountKey, amount });
    invariant(bucket <= Bucket.MARGIN, 'a bucket is available, held, pending or margin', { accountKey });
    const account = this.#accounts.account(accountKey);
    this.#accounts.use(account);
    this.#accounts.balances[account] = amount;
    if (wallet === Wallet.CREDIT) this.#accounts.giveCredit(this.#accounts.owner(owner));
  }

  restoreFees(owner: number, { makerPpm, takerPpm }: FeeRates): void {
    this.#accounts.setFees(this.#accounts.owner(owner), makerPpm, takerPpm);
  }

  restoreOrder(order: OpenOrder): void {
    this.#open.restore(this.#instruments.market(order.market), order);
  }

  restoreUntriggeredOrder(order: UntriggeredOrder): void {
    this.#conditionals.restore(order);
  }

  restoreClientOrderId(one: ClientOrderId): void {
    this.#clientOrderIds.add(one);
  }

  restoreExitPlan(plan: ExitPlan): void {
    this.#exitPlans.put(plan);
  }

  restoreHolding({ owner, market, leverage, isIsolated, position, margin }: HoldingRecord): void {
    const { perpetual } = this.#instruments.market(market);
    invariant(perpetual !== undefined, 'a position is in a perpetual', { market });
    const holding = perpetual.holding(this.#accounts.owner(owner));
    Object.assign(holding, { leverage, isIsolated, position, margin });
  }

  restoreTwap(order: TwapOrder): void {
    this.#twapProcessor.restore(order);
  }

  restorePendingTransfer(pending: PendingTransfer): void {
    this.#transfers.restorePending(pending);
  }

  restoreSequence(origin: Origin): void {
    this.#transfers.restoreSequence(origin);
  }

  restoreCounters(counters: Counters): void {
    this.#orders.lastOrderId = counters.lastOrderId;
    this.#open.lastPriority = counters.lastPriority;
    this.#orders.matcher.lastTradeId = counters.lastTradeId;
    this.#transfers.lastTransferId = counters.lastTransferId;
    this.#accounts.forgetChanged();
  }

  /** Frees the client order ids of the orders that the command at hand has ended. */
  #forgetEnded(start: number): void {
    const { batch } = this.#log;
    batch.readBetween(start, batch.end, [this.#ended]);
  }

  #cancel(command: CancelOrder): Outcome {
    const outcome = this.#orders.cancel(this.#instruments.books, command);
    if (outcome.ok) return outcome;
    return this.#twaps.find(command.orderId) === undefined
      ? this.#conditionals.cancel(command)
      : this.#twapProcessor.cancel(command);
  }

  /** A TWAP is cancelled and placed anew. */
  #amend(command: AmendOrder): Outcome {
    const outcome = this.#orders.amend(this.#instruments.books, command);
    if (outcome.ok || this.#twaps.find(command.orderId)?.owner !== command.owner) return outcome;
    return refused('NOT_AMENDABLE');
  }

  #delist(command: DelistMarket): Outcome {
    const { market } = command;
    return this.#instruments.delist(command, this.#conditionals.orders.countIn(market) + this.#twaps.countIn(market));
  }

  #cancelAll({ owner, market: id }: CancelAllOrders): Outcome {
    const market = id === undefined ? undefined : this.#instruments.find(id);
    if (id !== undefined && market === undefined) return refused('UNKNOWN_MARKET');
    this.#orders.cancelAll(this.#instruments.books, owner, market?.index);
    this.#conditionals.cancelAll(owner, id);
    this.#twapProcessor.cancelAll(owner, id);
    return OK;
  }

  #clear({ market: id, maximum }: ClearMarket): Outcome {
    const market = this.#instruments.find(id);
    if (market === undefined) return refused('UNKNOWN_MARKET');
    if (!market.halted) return refused('MARKET_NOT_EMPTY');
    if (!Number.isInteger(maximum) || maximum < 1 || maximum > MAXIMUM_CLEARED) return refused('INVALID_QUANTITY');
    let left = maximum - this.#orders.clear(market, maximum);
    const untriggered = Math.min(left, this.#conditionals.orders.countIn(id));
    if (untriggered > 0) this.#conditionals.clear(id, untriggered);
    left -= untriggered;
    if (left > 0) this.#twapProcessor.clear(id, left);
    return OK;
  }
}
