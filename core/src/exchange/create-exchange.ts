import { ConditionalDesk } from '../conditional/conditional-desk.ts';
import type { WaitingOrder } from '../conditional/conditional-order.ts';
import { hashWaitingOrder } from '../conditional/hash.ts';
import { describeWaiting } from '../conditional/waiting.ts';
import { InvariantError, invariant } from '../invariant.ts';
import { accountParts, FIRST_CLIENT, SystemOwner, Wallet } from '../ledger/account.ts';
import { AccountTable } from '../ledger/account-table.ts';
import type { LedgerReason } from '../ledger/event.ts';
import { DEFAULT_MAKER_PPM, DEFAULT_TAKER_PPM, MAXIMUM_FEE_PPM } from '../ledger/fee.ts';
import type { FundsCommand } from '../ledger/funds.ts';
import { Ledger, MAXIMUM_ISSUED } from '../ledger/ledger.ts';
import { OrderPool } from '../matching/order-pool.ts';
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import type { MarketSpec } from '../money/market.ts';
import { validateMarket } from '../money/validate-market.ts';
import {
  BUY,
  type CancelAllOrders,
  type CancelOrder,
  type Command,
  type HaltMarket,
  type Outcome,
  SELL,
  type SetFees,
  type SetReferencePrice,
  type Side,
} from './command.ts';
import type { ExchangeEvent } from './event.ts';
import { EventCollector } from './event-collector.ts';
import { EventLog } from './event-log.ts';
import type { EventSink } from './event-sink.ts';
import type { Counters, Exchange, MarketState, OpenOrder } from './exchange.ts';
import { MarketBook } from './market-book.ts';
import { OpenOrders } from './open-orders.ts';
import { DEFAULT_OPTIONS, type ExchangeOptions } from './options.ts';
import { isClient, OrderDesk } from './order-desk.ts';
import { OK, refused } from './outcome.ts';
import { StateHasher } from './state-hash.ts';

/**
 * The exchange as it runs in production. Throws `InvariantError` when a market is not valid; after that every bad input
 * is an `Outcome`, and an exception means that the state can't be trusted any more.
 */
export function createExchange(markets: readonly MarketSpec[], options: Partial<ExchangeOptions> = {}): Exchange {
  for (const market of markets) {
    const [problem] = validateMarket(market);
    if (problem !== undefined) throw new InvariantError('a market is valid', { symbol: market.symbol, problem });
  }
  invariant(new Set(markets.map((market) => market.id)).size === markets.length, 'market ids are unique');
  return new FastExchange(markets, { ...DEFAULT_OPTIONS, ...options });
}

class FastExchange implements Exchange {
  readonly markets: readonly MarketSpec[];
  readonly #accounts = new AccountTable();
  readonly #ledger = new Ledger(this.#accounts);
  readonly #pool = new OrderPool();
  readonly #orders = new OpenOrders(this.#pool, this.#accounts);
  readonly #books: MarketBook[];
  /** By market id, which need not be a place in the list. */
  readonly #booksById: (MarketBook | undefined)[] = [];
  readonly #log: EventLog;
  readonly #desk: OrderDesk;
  readonly #conditionals: ConditionalDesk;

  constructor(markets: readonly MarketSpec[], options: ExchangeOptions) {
    this.markets = markets;
    this.#books = markets.map((spec, place) => new MarketBook(spec, place, this.#pool, this.#ledger));
    for (const book of this.#books) this.#booksById[book.spec.id] = book;
    this.#log = new EventLog(markets, this.#pool, this.#accounts);
    this.#desk = new OrderDesk(this.#pool, this.#accounts, this.#ledger, this.#log, this.#orders, options);
    const bookOf = (id: number) => this.#booksById[id];
    this.#conditionals = new ConditionalDesk(bookOf, this.#accounts, this.#ledger, this.#log, this.#desk, options);
  }

  apply(time: number, command: Command): Outcome {
    this.#log.setTime(time);
    const outcome = this.#perform(command);
    if (this.#conditionals.isPending) this.#conditionals.settle();
    return outcome;
  }

  #perform(command: Command): Outcome {
    switch (command.kind) {
      case 'place-order':
        return this.#desk.place(this.#booksById[command.market], command);
      case 'cancel-order':
        return this.#cancel(command);
      case 'amend-order':
        return this.#desk.amend(this.#books, command);
      case 'cancel-all-orders':
        return this.#cancelAll(command);
      case 'place-conditional-order':
        return this.#conditionals.place(command);
      case 'amend-conditional-order':
        return this.#conditionals.amend(command);
      case 'set-mark-price':
        return this.#conditionals.setMarkPrice(command);
      case 'halt-market':
        return this.#halt(command);
      case 'set-fees':
        return this.#setFees(command);
      case 'set-reference-price':
        return this.#setReferencePrice(command);
      default:
        return this.#issue(command);
    }
  }

  takeEvents(): ExchangeEvent[] {
    const collector = new EventCollector();
    this.#log.drain(collector);
    return collector.events;
  }

  drainEvents(sink: EventSink): void {
    this.#log.drain(sink);
  }

  balance(accountKey: number): bigint {
    const account = this.#accounts.findAccount(accountKey);
    return account < 0 ? 0n : this.#accounts.balances[account]!;
  }

  accountsOf(owner: number): number[] {
    const index = this.#accounts.findOwner(owner);
    return index === 0 ? [] : this.#accounts.keysOf(index);
  }

  openOrder(orderId: number): OpenOrder | undefined {
    const slot = this.#orders.find(orderId);
    return slot === 0 ? undefined : this.#orders.describe(this.#books, slot);
  }

  openOrdersOf(owner: number): OpenOrder[] {
    const index = this.#accounts.findOwner(owner);
    const open: OpenOrder[] = [];
    if (index === 0) return open;
    for (let slot = this.#accounts.firstOrder(index); slot !== 0; slot = this.#pool.ownerNext(slot)) {
      open.push(this.#orders.describe(this.#books, slot));
    }
    return open.sort((a, b) => a.orderId - b.orderId);
  }

  openOrderCount(): number {
    return this.#pool.count;
  }

  waitingOrder(orderId: number): WaitingOrder | undefined {
    const order = this.#conditionals.orders.find(orderId);
    return order && describeWaiting(order);
  }

  waitingOrdersOf(owner: number): WaitingOrder[] {
    return this.#conditionals.orders.of(owner).map(describeWaiting);
  }

  waitingOrderCount(): number {
    return this.#conditionals.orders.size;
  }

  isMarkWatched(market: number): boolean {
    return this.#market(market).markWatch !== undefined;
  }

  levelQuantity(market: number, side: Side, price: number): number {
    const { book } = this.#market(market);
    const level = book.levelOf(side, price);
    return level === 0 ? 0 : book.ladder.lots(level);
  }

  levelOrders(market: number, side: Side, price: number): number {
    const { book } = this.#market(market);
    const level = book.levelOf(side, price);
    return level === 0 ? 0 : book.ladder.orders(level);
  }

  depth(market: number, side: Side, levels: number): number[] {
    const { book } = this.#market(market);
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
    return this.#market(market).book.best(side);
  }

  marketState(market: number): MarketState {
    const { lastPrice, markPrice, halted, traded } = this.#market(market);
    return { lastPrice, markPrice, halted, traded };
  }

  counters(): Counters {
    const { lastOrderId, lastPriority, matcher } = this.#desk;
    return { lastOrderId, lastTradeId: matcher.lastTradeId, lastPriority };
  }

  stateHash(): string {
    const hasher = new StateHasher();
    const { lastOrderId, lastTradeId, lastPriority } = this.counters();
    for (const counter of [lastOrderId, lastTradeId, lastPriority]) hasher.number(counter);
    for (const market of this.#books) this.#hashMarket(hasher, market);
    for (const order of this.#conditionals.orders.all()) hashWaitingOrder(hasher, order);
    this.#hashAccounts(hasher);
    return hasher.digest();
  }

  restoreBalance(accountKey: number, amount: bigint): void {
    const { owner, wallet, bucket, asset } = accountParts(accountKey);
    invariant(amount >= 0n || owner < FIRST_CLIENT, 'a client never falls below zero', { accountKey, amount });
    invariant(amount <= MAXIMUM_AMOUNT && amount >= -MAXIMUM_AMOUNT, 'a balance is an int64', { accountKey, amount });
    invariant(bucket <= 1, 'a bucket is available or held', { accountKey });
    const index = this.#accounts.owner(owner);
    const account = this.#accounts.available(index, wallet, asset) | bucket;
    this.#accounts.balances[account] = amount;
    this.#accounts.use(account);
    if (wallet === Wallet.CREDIT) this.#accounts.giveCredit(index);
  }

  restoreOrder(
    orderId: number,
    owner: number,
    market: number,
    side: Side,
    price: number,
    quantity: number,
    remaining: number,
    priority: number,
  ): void {
    const target = this.#market(market);
    const sane = remaining > 0 && remaining <= quantity && price > 0 && price <= target.maximumTicks;
    if (!sane || target.book.crosses(side, price) || this.#orders.find(orderId) !== 0) {
      throw new InvariantError('a restored order rests', { orderId, market, side, price, quantity, remaining });
    }
    const { base, quote } = target.spec;
    const index = this.#accounts.owner(owner);
    const paying = this.#accounts.spot(index, side === BUY ? quote.id : base.id);
    this.#orders.add(target, side, orderId, index, paying, price, quantity, remaining, priority);
  }

  restoreWaitingOrder(order: WaitingOrder): void {
    this.#conditionals.restore(order);
  }

  restoreMarket(market: number, state: MarketState): void {
    const target = this.#market(market);
    target.lastPrice = state.lastPrice;
    target.markPrice = state.markPrice;
    target.halted = state.halted;
    target.traded = state.traded;
  }

  restoreFees(owner: number, makerPpm: number, takerPpm: number): void {
    this.#accounts.setFees(this.#accounts.owner(owner), makerPpm, takerPpm);
  }

  restoreCounters(counters: Counters): void {
    this.#desk.lastOrderId = counters.lastOrderId;
    this.#desk.lastPriority = counters.lastPriority;
    this.#desk.matcher.lastTradeId = counters.lastTradeId;
  }

  /** For queries and recovery, where an unknown market is the caller's mistake. */
  #market(id: number): MarketBook {
    const market = this.#booksById[id];
    if (market === undefined) throw new InvariantError('a market is known', { market: id });
    return market;
  }

  #cancel(command: CancelOrder): Outcome {
    const outcome = this.#desk.cancel(this.#books, command);
    return outcome.ok ? outcome : this.#conditionals.cancel(command);
  }

  #cancelAll({ owner, market: id }: CancelAllOrders): Outcome {
    const market = id === undefined ? undefined : this.#booksById[id];
    if (id !== undefined && market === undefined) return refused('UNKNOWN_MARKET');
    this.#desk.cancelAll(this.#books, owner, market?.place);
    this.#conditionals.cancelAll(owner, id);
    return OK;
  }

  #halt(command: HaltMarket): Outcome {
    const market = this.#booksById[command.market];
    if (market === undefined) return refused('UNKNOWN_MARKET');
    market.halted = command.halted;
    this.#log.halted(market.place, command.halted);
    return OK;
  }

  #setFees({ owner, makerPpm, takerPpm }: SetFees): Outcome {
    if (!isClient(owner)) return refused('ACCOUNT_LIMIT');
    if (!isFee(makerPpm) || !isFee(takerPpm)) return refused('INVALID_FEE');
    this.restoreFees(owner, makerPpm, takerPpm);
    this.#log.feesSet(owner, makerPpm, takerPpm);
    return OK;
  }

  #setReferencePrice(command: SetReferencePrice): Outcome {
    const market = this.#booksById[command.market];
    if (market === undefined) return refused('UNKNOWN_MARKET');
    if (market.traded) return refused('ALREADY_TRADED');
    const valid = Number.isInteger(command.price) && command.price >= 1 && command.price <= market.maximumTicks;
    if (!valid) return refused('INVALID_PRICE');
    market.lastPrice = command.price;
    this.#log.referencePriceSet(market.place, command.price);
    return OK;
  }

  /** Money that enters circulation: one business event for each kind of command. */
  #issue(command: FundsCommand): Outcome {
    switch (command.kind) {
      case 'credit-development-funds':
        return this.#issueFrom(SystemOwner.DEVELOPMENT, Wallet.SPOT, 'development-credit', command);
      case 'provide-house-capital':
        return this.#issueFrom(SystemOwner.HOUSE_CAPITAL, Wallet.SPOT, 'house-capital', command);
      case 'grant-fee-credit':
        return this.#issueFrom(SystemOwner.PROMOTIONS, Wallet.CREDIT, 'fee-credit-grant', command);
    }
  }

  #issueFrom(source: number, wallet: Wallet, reason: LedgerReason, command: FundsCommand): Outcome {
    const { owner, asset, amount } = command;
    if (!isClient(owner)) return refused('ACCOUNT_LIMIT');
    if (amount <= 0n || amount > MAXIMUM_ISSUED) return refused('INVALID_AMOUNT');
    if (!Number.isInteger(asset) || asset < 0 || asset > 255) return refused('INVALID_AMOUNT');
    const accounts = this.#accounts;
    const index = accounts.owner(owner);
    const from = accounts.spot(accounts.owner(source), asset);
    const to = accounts.available(index, wallet, asset);
    if (!this.#ledger.issue(from, to, amount)) return refused('INVALID_AMOUNT');
    if (wallet === Wallet.CREDIT) accounts.giveCredit(index);
    this.#log.issued(reason, owner, accounts.key(from), accounts.key(to), amount);
    return OK;
  }

  #hashMarket(hasher: StateHasher, market: MarketBook): void {
    hasher.number(market.spec.id);
    hasher.number(market.lastPrice);
    hasher.number(market.markPrice);
    hasher.number((market.halted ? 1 : 0) + (market.traded ? 2 : 0));
    for (const side of [BUY, SELL] as const) {
      hasher.number(side);
      for (let price = market.book.best(side); price !== 0; price = market.book.worse(side, price)) {
        let slot = market.book.ladder.head(market.book.ladder.find(price));
        for (; slot !== 0; slot = this.#pool.next(slot)) this.#hashOrder(hasher, slot);
      }
    }
  }

  #hashOrder(hasher: StateHasher, slot: number): void {
    const pool = this.#pool;
    hasher.number(pool.orderId(slot));
    hasher.number(this.#accounts.ownerNumber(pool.owner(slot)));
    hasher.number(pool.price(slot));
    hasher.number(pool.quantity(slot));
    hasher.number(pool.remaining(slot));
    hasher.number(pool.priority(slot));
  }

  #hashAccounts(hasher: StateHasher): void {
    const accounts = this.#accounts;
    for (const account of accounts.nonZero()) {
      hasher.number(accounts.key(account));
      hasher.amount(accounts.balances[account]!);
    }
    hasher.number(0);
    for (const owner of accounts.owners()) {
      const makerPpm = accounts.makerPpm(owner);
      const takerPpm = accounts.takerPpm(owner);
      if (makerPpm === DEFAULT_MAKER_PPM && takerPpm === DEFAULT_TAKER_PPM) continue;
      hasher.number(accounts.ownerNumber(owner));
      hasher.number(makerPpm);
      hasher.number(takerPpm);
    }
  }
}

function isFee(ppm: number): boolean {
  return Number.isInteger(ppm) && ppm >= 0 && ppm <= MAXIMUM_FEE_PPM;
}
