import type { ExchangeEvent, OrderEvent, TradeEvent } from '../events/event.ts';
import type { Command } from '../exchange/command.ts';
import { createExchange } from '../exchange/create-exchange.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { OrderLimits } from '../instruments/commands.ts';
import { accountKey, Bucket, type Posting, Wallet } from '../ledger/account.ts';
import { issue } from '../ledger/issue.ts';
import { postingsOf } from '../ledger/postings.ts';
import type { HoldingRecord } from '../margin/holding-record.ts';
import type { AmendOrder, PlaceOrder } from '../orders/commands.ts';
import type { ConditionalTerms, PlaceConditionalOrder } from '../orders/conditional/conditional-order.ts';
import type { PlaceTwap } from '../orders/twap/twap.ts';
import { BUY, NET, type PositionLeg, SELL } from '../terms/order-terms.ts';
import type { Outcome } from '../terms/outcome.ts';
import { Auditor } from './auditor.ts';
import { BTC, BTC_PERPETUAL, BTC_USDT, ETH, ETH_PERPETUAL, listing, TEST_MARKETS, USDT } from './markets.ts';
import { createReferenceExchange } from './reference-exchange.ts';

/** Both engines, for `describe.each`: every behaviour is stated once and holds for both. */
export const ENGINES: readonly { readonly engine: string; readonly create: () => Exchange }[] = [
  { engine: 'fast', create: createExchange },
  { engine: 'reference', create: createReferenceExchange },
];

/** Owners with plenty of everything. */
export const ALICE = 201;
export const BOB = 202;
export const CAROL = 203;
const PLENTY = 1_000_000_000_000n;

const MARKETS = [...TEST_MARKETS, BTC_PERPETUAL, ETH_PERPETUAL];

type OrderTerms = Partial<PlaceOrder>;
type UntriggeredTerms = Partial<PlaceConditionalOrder>;

/** An exchange with funded traders and short words for what they do; every step is audited. */
export class TradingFloor {
  readonly exchange: Exchange;
  readonly #auditor: Auditor;
  #lastOrderId = 0;
  time = 1_000;
  /** Events of the last command. */
  events: ExchangeEvent[] = [];

  constructor(create: () => Exchange, limits: Partial<OrderLimits> = {}) {
    this.exchange = create();
    this.#auditor = new Auditor(this.exchange);
    for (const command of listing(MARKETS, { maximumOpenOrdersPerOwner: 1_000, ...limits })) this.apply(command);
    for (const owner of [ALICE, BOB, CAROL]) {
      for (const { id } of [BTC, ETH, USDT]) this.fund(owner, id, PLENTY);
    }
  }

  apply(command: Command): Outcome {
    this.time += 1;
    const before = this.exchange.stateHash();
    const outcome = this.exchange.apply(this.time, command);
    this.events = this.exchange.takeEvents();
    this.#auditor.observe(this.events);
    this.#auditor.audit();
    const changed = this.events.length > 0 || this.exchange.stateHash() !== before;
    if (!outcome.ok && changed) throw new Error('a refused command changed something');
    return outcome;
  }

  /** Sets a clock right that was ahead. */
  setBack(time: number): void {
    this.time = time;
    this.#auditor.setBack(time);
  }

  /** The reason of a refusal, or OK. */
  verdict(command: Command): string {
    const outcome = this.apply(command);
    return outcome.ok ? 'OK' : outcome.reason;
  }

  fund(owner: number, asset: number, amount: bigint): void {
    this.apply(issue('development-credit', owner, asset, amount));
  }

  /** A limit order in BTC-USDT, good till cancelled, unless the terms say otherwise. */
  order(terms: OrderTerms): PlaceOrder {
    this.#lastOrderId = this.#nextOrderId();
    const usual = { kind: 'place-order', orderId: this.#lastOrderId, owner: ALICE, market: BTC_USDT.id } as const;
    const limit = { side: BUY, type: 'limit', timeInForce: 'GTC', price: 640_000, quantity: 100 } as const;
    return { ...usual, ...limit, quoteTotal: 0n, selfTrade: 'CANCEL_NEWEST', ...terms };
  }

  buy(terms: OrderTerms): string {
    return this.verdict(this.order({ side: BUY, ...terms }));
  }

  sell(terms: OrderTerms): string {
    return this.verdict(this.order({ side: SELL, ...terms }));
  }

  market(terms: OrderTerms): string {
    return this.verdict(this.order({ type: 'market', price: 0, ...terms }));
  }

  /** A conditional order of Alice's in BTC-USDT on the last price, at market unless a leg has a price. */
  conditional(terms: UntriggeredTerms): PlaceConditionalOrder {
    this.#lastOrderId = this.#nextOrderId();
    const { side = SELL } = terms;
    const absent = { takeProfit: undefined, stop: undefined, trailing: undefined };
    const usual: ConditionalTerms = {
      ...{ owner: ALICE, market: BTC_USDT.id, side, source: 'last', timeInForce: 'GTC', selfTrade: 'CANCEL_NEWEST' },
      ...{ quantity: side === SELL ? 100 : 0, quoteTotal: side === SELL ? 0n : 64_000_000n },
      ...absent,
    };
    return { kind: 'place-conditional-order', orderId: this.#lastOrderId, ...usual, ...terms };
  }

  /** Places it. */
  place(terms: UntriggeredTerms): string {
    return this.verdict(this.conditional(terms));
  }

  /** A TWAP of Alice's in BTC-USDT, of five slices a second apart, unless the terms say otherwise. */
  twap(terms: Partial<PlaceTwap>): string {
    this.#lastOrderId = this.#nextOrderId();
    const usual = { kind: 'place-twap', orderId: this.#lastOrderId, owner: ALICE, market: BTC_USDT.id } as const;
    const limit = { side: BUY, price: 640_000, quantity: 100, selfTrade: 'CANCEL_NEWEST' } as const;
    return this.verdict({ ...usual, ...limit, durationMs: 5_000, intervalMs: 1_000, ...terms });
  }

  /** Places what is due at a time in ms, or now where that has passed. */
  runAt(time: number, maximum = 100): string {
    this.time = Math.max(this.time, time - 1);
    return this.verdict({ kind: 'run-twaps', maximum });
  }

  mark(price: number, market = BTC_USDT.id): string {
    return this.verdict({ kind: 'set-mark-price', market, price, waitsWhileHalted: true });
  }

  /** A new index of a perpetual; in the markets of examples it is the mark. */
  index(price: number, market: number): string {
    return this.verdict({ kind: 'set-index-price', market, price, waitsWhileHalted: true });
  }

  /** What was triggered in the last command, in order, such as `#3 stop at 639000`, and what ended, such as `#3 NO_LIQUIDITY`. */
  triggerings(): string[] {
    return this.events.flatMap((event) => {
      if (event.kind === 'order-triggered') return [`#${event.order.orderId} ${event.leg} at ${event.price}`];
      return event.kind === 'untriggered-ended' ? [`#${event.order.orderId} ${event.reason}`] : [];
    });
  }

  cancel(orderId: number, owner: number): string {
    return this.verdict({ kind: 'cancel-order', orderId, owner });
  }

  amend(orderId: number, owner: number, change: Pick<AmendOrder, 'price' | 'quantity'>): string {
    return this.verdict({ kind: 'amend-order', orderId, owner, ...change });
  }

  lastOrderId(): number {
    return this.#lastOrderId;
  }

  available(owner: number, asset: number): bigint {
    return this.exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset));
  }

  held(owner: number, asset: number): bigint {
    return this.exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.HELD, asset));
  }

  /** Of the futures wallet: available, held and margin of isolated positions, in USDT units. */
  future(owner: number): readonly [available: bigint, held: bigint, margin: bigint] {
    const of = (bucket: Bucket) => this.exchange.balance(accountKey(owner, Wallet.FUTURE, bucket, USDT.id));
    return [of(Bucket.AVAILABLE), of(Bucket.HELD), of(Bucket.MARGIN)];
  }

  /** Moves USDT units from the spot wallet to the futures wallet, or back where they are below zero. */
  moveToFutures(owner: number, amount: bigint): string {
    const [spot, future] = [Wallet.SPOT, Wallet.FUTURE].map((wallet) =>
      accountKey(owner, wallet, Bucket.AVAILABLE, USDT.id),
    );
    const leg = amount > 0n ? { from: spot!, to: future!, amount } : { from: future!, to: spot!, amount: -amount };
    const facts = { transferId: 0, reference: owner, isPending: false, detail: '' };
    return this.verdict({ kind: 'transfer', reason: 'wallet-transfer', legs: [leg], ...facts });
  }

  position(owner: number, market: number, leg: PositionLeg = NET): HoldingRecord | undefined {
    const isIt = (one: HoldingRecord) => one.owner === owner && one.market === market && one.leg === leg;
    return this.exchange.holdings().find(isIt);
  }

  credit(owner: number): bigint {
    return this.exchange.balance(accountKey(owner, Wallet.CREDIT, Bucket.AVAILABLE, USDT.id));
  }

  /** Trades of the last command as price × lots with the maker's order, such as `640000x50#1`. */
  trades(): string[] {
    return this.#trades().map(({ price, quantity, maker }) => `${price}x${quantity}#${maker.orderId}`);
  }

  lastTrade(): TradeEvent {
    return this.#trades().at(-1)!;
  }

  /**
   * Changes of the last command, such as `#3 open 40/100` (remaining of total) or `#3 cancelled SELF_TRADE 40/100`. An
   * order that leaves the book only to come back is told when it is back.
   */
  changes(): string[] {
    const changes = this.orders().filter(({ order, resting }) => order.status !== 'open' || resting > 0);
    return changes.map(({ order: { orderId, status, reason, remaining, quantity } }) =>
      [`#${orderId}`, status, ...(reason === 'NONE' ? [] : [reason]), `${remaining}/${quantity}`].join(' '),
    );
  }

  orders(): OrderEvent[] {
    return this.events.filter((event): event is OrderEvent => event.kind === 'order');
  }

  /** Postings of each event of the last command that moved money. */
  postings(): Posting[][] {
    const marketOf = (id: number) => MARKETS.find((market) => market.id === id)!;
    return this.events.map((event) => postingsOf(event, marketOf)).filter((postings) => postings.length > 0);
  }

  /** Exit orders take ids of their own. */
  #nextOrderId(): number {
    return Math.max(this.#lastOrderId, this.exchange.counters().lastOrderId) + 1;
  }

  #trades(): TradeEvent[] {
    return this.events.filter((event): event is TradeEvent => event.kind === 'trade');
  }
}
