/** What the reference exchange knows, in the plainest containers, and the few questions that its rules ask of it. */
import type { ExchangeEvent } from '../events/event.ts';
import type { FeeRates } from '../exchange/exchange.ts';
import type { OrderLimits } from '../instruments/commands.ts';
import type { MarketState } from '../instruments/market-state.ts';
import { invariant } from '../invariant.ts';
import { accountParts, FIRST_CLIENT, isHouse } from '../ledger/account.ts';
import type { PendingTransfer } from '../ledger/transfers.ts';
import type { HoldingRecord } from '../margin/holding-record.ts';
import type { BasisSample } from '../margin/pricing.ts';
import type { Asset, MarketSpec } from '../money/market.ts';
import { divCeil, divFloor } from '../money/rounding.ts';
import type { ClientOrderId } from '../orders/client-order-ids.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import type { UntriggeredOrder } from '../orders/conditional/conditional-order.ts';
import type { ExitPlan } from '../orders/exits/exit-plan.ts';
import { INITIAL_LIMITS } from '../orders/limits.ts';
import type { OpenOrder } from '../orders/order-state.ts';
import type { TwapOrder } from '../orders/twap/twap.ts';
import { BUY, type Side } from '../terms/order-terms.ts';
import type { RejectReason } from '../terms/outcome.ts';
import { NEWEST_RULES } from '../terms/rules.ts';

type Mutable<Record> = { -readonly [Field in keyof Record]: Record[Field] };
export type Resting = Mutable<OpenOrder>;
export type UntriggeredRecord = Mutable<UntriggeredOrder>;
export type TwapRecord = Mutable<TwapOrder>;

export interface ReferenceMarket {
  spec: MarketSpec;
  readonly state: Mutable<MarketState>;
}

/** All that was ever said of a market's index. */
export interface PricingHistory {
  index: number;
  indexAt: number;
  /** When the index was said last that was not lost. */
  pricedAt: number;
  basis: BasisSample[];
  /** Of the present interval. */
  premiums: bigint[];
  sampledAt: number;
  nextFundingAt: number;
  /** Rate × mark of every interval, in billionths of units a lot. */
  paid: bigint[];
}

type PlacedOrder = Pick<PlaceOrder, 'orderId' | 'owner' | 'clientOrderId'>;

type EntryTerms = Pick<PlaceOrder, 'owner' | 'market' | 'side' | 'reduceOnly' | 'positionSide'>;

export type HoldingKey = Pick<HoldingRecord, 'owner' | 'market' | 'leg'>;

const keyOf = ({ owner, market, leg }: HoldingKey) => `${owner}/${market}/${leg}`;

export type Posting = readonly [accountKey: number, amount: bigint];

export class ReferenceState {
  balances = new Map<number, bigint>();
  orders: Resting[] = [];
  untriggered: UntriggeredRecord[] = [];
  /** Of orders that may have ended since. */
  clientOrderIds: ClientOrderId[] = [];
  exitPlans: ExitPlan[] = [];
  twaps: TwapRecord[] = [];
  /** Replaced, never changed. */
  holdings: readonly HoldingRecord[] = [];
  pricing = new Map<number, PricingHistory>();
  /** Funding that positions owe and have not settled, in billionths of a unit, by owner, market and leg. */
  readonly #accrued = new Map<string, bigint>();
  /** Whose position an order of the exchange's own closes at the moment; 0 for none. */
  liquidated = 0;
  /** Positions that have ended in the command at hand, with the number of events before. Replaced, never changed. */
  ended: readonly (HoldingKey & { readonly direction: number; readonly at: number })[] = [];
  /** Of the command at hand. */
  time = 0;
  /** The version under which commands are applied. */
  rules: number = NEWEST_RULES;
  /** Accounts of the futures wallet that fell below zero in the command at hand. */
  short: number[] = [];
  /** Called with every trade's price; a trial run calls nothing. */
  onPrice: (time: number, market: number, price: number) => void = () => undefined;
  /** A last price that triggers nothing, and one that begins anew after a halt. */
  noteLast: (time: number, market: number) => void = () => undefined;
  restartLast: (time: number, market: number) => void = () => undefined;
  defaultFees: FeeRates = { makerPpm: 0, takerPpm: 0 };
  limits: OrderLimits = INITIAL_LIMITS;
  fees = new Map<number, FeeRates>();
  assets: Asset[] = [];
  /** In the order of listing. */
  markets: ReferenceMarket[] = [];
  pending: PendingTransfer[] = [];
  sequences = new Map<number, number>();
  lastOrderId = 0;
  lastTradeId = 0;
  lastPriority = 0;
  lastTransferId = 0;
  events: ExchangeEvent[] = [];

  /**
   * The average of what was last, in 2^20 parts of a tick: what was last for five minutes counts half. A price that was told holds until
   * `referenceAt`.
   */
  reference(time: number, { state }: ReferenceMarket): bigint {
    const [known, last] = [BigInt(state.reference), BigInt(state.lastPrice) * 1_048_576n];
    // What is more than a pause ahead, a clock wrote that was ahead: it counts from now.
    const elapsed = BigInt(Math.max(0, time - state.referenceAt));
    if (known === 0n || elapsed >= 67_108_864n) return last;
    const [above, below] = [known * 300_000n + last * elapsed, 300_000n + elapsed];
    return last > known ? divFloor(above, below) : divCeil(above, below);
  }

  /** What a market is, as events and answers have it. */
  stateOf({ state: { pause, passed, delisting, ...state } }: ReferenceMarket): MarketState {
    return { ...state, ...(pause && { pause }), ...(passed && { passed }), ...(delisting && { delisting }) };
  }

  /** Whether an order is one that a market takes no more, as it is about to end. */
  isTooLate({ owner, market, side, ...order }: EntryTerms): boolean {
    const { spec, state } = this.market(market)!;
    if (state.delisting === undefined || this.time < state.delisting.closeOnlyAt || isHouse(owner)) return false;
    if (spec.perpetual === undefined) return side === BUY;
    if (order.positionSide === undefined) return !order.reduceOnly;
    return (order.positionSide === 'long') === (side === BUY);
  }

  isPaused({ state }: ReferenceMarket): boolean {
    return state.pause !== undefined && this.time < state.pause.until && this.time >= state.pause.until - 300_000;
  }

  /** A copy on which a rule can try out what would happen. */
  copy(): ReferenceState {
    const copy = new ReferenceState();
    copy.balances = new Map(this.balances);
    copy.orders = this.orders.map((order) => ({ ...order }));
    copy.fees = this.fees;
    copy.holdings = this.holdings;
    copy.twaps = this.twaps;
    copy.pricing = this.pricing;
    for (const [key, billionths] of this.#accrued) copy.#accrued.set(key, billionths);
    copy.defaultFees = this.defaultFees;
    copy.lastPriority = this.lastPriority;
    copy.markets = this.markets.map(({ spec, state }) => ({ spec, state: { ...state } }));
    return copy;
  }

  market(id: number): ReferenceMarket | undefined {
    return this.markets.find(({ spec }) => spec.id === id);
  }

  /** Billionths of a unit that a long lot has paid since the market began. */
  fundingIndex(market: number): bigint {
    return (this.pricing.get(market)?.paid ?? []).reduce((sum, one) => sum + one, 0n);
  }

  accrued(of: HoldingKey): bigint {
    return this.#accrued.get(keyOf(of)) ?? 0n;
  }

  accrue(of: HoldingKey, billionths: bigint): void {
    this.#accrued.set(keyOf(of), this.accrued(of) + billionths);
  }

  settled(of: HoldingKey): void {
    this.#accrued.delete(keyOf(of));
  }

  balance(key: number): bigint {
    return this.balances.get(key) ?? 0n;
  }

  feesOf(owner: number): FeeRates {
    return this.fees.get(owner) ?? this.defaultFees;
  }

  /** Of orders that are open or untriggered. */
  liveClientOrderIds(): ClientOrderId[] {
    const live = new Set([...this.orders, ...this.untriggered, ...this.twaps].map(({ orderId }) => orderId));
    return this.clientOrderIds.filter(({ orderId }) => live.has(orderId));
  }

  clientOrderIdRefusal({ owner, clientOrderId }: PlacedOrder): RejectReason | undefined {
    if (clientOrderId === undefined || clientOrderId === '') return undefined;
    if (clientOrderId.length > 36) return 'INVALID_CLIENT_ORDER_ID';
    const taken = this.liveClientOrderIds().some((one) => one.owner === owner && one.clientOrderId === clientOrderId);
    return taken ? 'DUPLICATE_CLIENT_ORDER_ID' : undefined;
  }

  giveClientOrderId(time: number, { orderId, owner, clientOrderId }: PlacedOrder): void {
    if (clientOrderId === undefined || clientOrderId === '') return;
    this.clientOrderIds.push({ orderId, owner, clientOrderId });
    this.events.push({ kind: 'client-order-id-given', orderId, owner, clientOrderId, time });
  }

  /** One side of a book: best price first, then oldest first. */
  queue(market: number, side: Side): Resting[] {
    const better = (a: Resting, b: Resting) => (side === BUY ? b.price - a.price : a.price - b.price);
    return this.orders
      .filter((order) => order.market === market && order.side === side)
      .sort((a, b) => better(a, b) || a.priority - b.priority);
  }

  /**
   * Postings of one business event, which sum to zero for each asset. A trial run may overdraw, which is what it is
   * asked about.
   */
  post(postings: readonly Posting[], trial: boolean): void {
    const sums = new Map<number, bigint>();
    for (const [key, amount] of postings) {
      if (amount === 0n) continue;
      const { asset, owner } = accountParts(key);
      const balance = this.balance(key) + amount;
      const isFallen = balance < 0n && amount < 0n && owner >= FIRST_CLIENT;
      invariant(trial || !isFallen, 'a client never falls below zero', { key, balance });
      this.balances.set(key, balance);
      sums.set(asset, (sums.get(asset) ?? 0n) + amount);
    }
    for (const [asset, sum] of sums) invariant(sum === 0n, 'postings sum to zero', { asset, sum });
  }
}
