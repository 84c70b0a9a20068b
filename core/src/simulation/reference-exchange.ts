import type { ExchangeEvent } from '../events/event.ts';
import type { Command } from '../exchange/command.ts';
import type { Counters, Defaults, Exchange, FeeRates } from '../exchange/exchange.ts';
import type { DelistMarket } from '../instruments/commands.ts';
import type { MarketState } from '../instruments/market-state.ts';
import { accountParts } from '../ledger/account.ts';
import type { Origin } from '../ledger/transfer.ts';
import type { PendingTransfer } from '../ledger/transfers.ts';
import type { SetIndexPrice } from '../margin/commands.ts';
import { DEFAULT_LEVERAGE } from '../margin/holding.ts';
import { type HoldingColumns, recordsOf } from '../margin/holding-columns.ts';
import type { HoldingRecord } from '../margin/holding-record.ts';
import type { PerpetualState } from '../margin/pricing.ts';
import type { Asset, MarketSpec } from '../money/market.ts';
import type { ClientOrderId } from '../orders/client-order-ids.ts';
import type { CancelAllOrders, PlaceOrder } from '../orders/commands.ts';
import type { UntriggeredOrder } from '../orders/conditional/conditional-order.ts';
import type { ExitPlan } from '../orders/exits/exit-plan.ts';
import type { OpenOrder } from '../orders/order-state.ts';
import type { RunTwaps, TwapOrder } from '../orders/twap/twap.ts';
import { BUY, SELL, type Side } from '../terms/order-terms.ts';
import type { Outcome } from '../terms/outcome.ts';
import { ReferenceConditionals } from './reference-conditionals.ts';
import { ReferenceExits } from './reference-exits.ts';
import { hashOf } from './reference-hash.ts';
import { ReferenceInstruments } from './reference-instruments.ts';
import { ReferenceLiquidations } from './reference-liquidations.ts';
import { shownOf } from './reference-matching.ts';
import { ReferenceOrders } from './reference-orders.ts';
import { ReferenceParts } from './reference-parts.ts';
import { ReferencePerpetuals } from './reference-perpetuals.ts';
import { ReferencePositionSettings } from './reference-position-settings.ts';
import { ReferencePricing } from './reference-pricing.ts';
import { isWithin, type Refusal } from './reference-rules.ts';
import { ReferenceSettling } from './reference-settling.ts';
import { ReferenceState } from './reference-state.ts';
import { ReferenceTransfers } from './reference-transfers.ts';
import { ReferenceTwaps } from './reference-twaps.ts';

type Wanted = Pick<OpenOrder, 'market' | 'side'> & Pick<PlaceOrder, 'reduceOnly'>;

/** The slow twin: the same rules in the plainest words, to hold the fast exchange against. For tests only. */
export function createReferenceExchange(): Exchange {
  return new ReferenceExchange();
}

class ReferenceExchange implements Exchange {
  readonly #state = new ReferenceState();
  readonly #exits = new ReferenceExits(this.#state);
  readonly #orders = new ReferenceOrders(this.#state, this.#exits);
  readonly #parts = new ReferenceParts(this.#state, this.#orders);
  readonly #twaps = new ReferenceTwaps(this.#state, this.#orders);
  readonly #instruments = new ReferenceInstruments(this.#state);
  readonly #transfers = new ReferenceTransfers(this.#state);
  readonly #conditionals: ReferenceConditionals;
  readonly #perpetuals = new ReferencePerpetuals(this.#state);
  readonly #settling = new ReferenceSettling(this.#state, this.#perpetuals);
  readonly #settings = new ReferencePositionSettings(this.#state, this.#perpetuals);
  readonly #pricing = new ReferencePricing(this.#state, this.#perpetuals);
  readonly #liquidations = new ReferenceLiquidations(
    this.#state,
    this.#perpetuals,
    this.#orders,
    this.#pricing,
    this.#twaps,
  );

  constructor() {
    this.#conditionals = new ReferenceConditionals(this.#state, this.#orders, this.#parts);
    this.#exits.conditionals = this.#conditionals;
  }

  get rules(): number {
    return this.#state.rules;
  }

  set rules(version: number) {
    this.#state.rules = version;
  }

  apply(time: number, command: Command): Outcome {
    this.#state.time = time;
    this.#state.ended = [];
    const from = this.#state.events.length;
    const reason = this.#apply(time, command);
    const follow = (start: number) => {
      this.#conditionals.followPositions(time, start);
      this.#twaps.followPositions(time, start);
      this.#exits.follow(time, start);
    };
    follow(from);
    this.#conditionals.processTriggered(time, follow);
    const covering = this.#state.events.length;
    this.#coverLosses(time);
    follow(covering);
    return reason === undefined ? { ok: true } : { ok: false, reason };
  }

  #apply(time: number, command: Command): Refusal {
    switch (command.kind) {
      case 'place-order':
        return this.#orders.place(time, command);
      case 'close-position':
        return this.#parts.close(time, command);
      case 'cancel-order':
        return (
          this.#orders.cancel(time, command) &&
          this.#conditionals.cancel(time, command) &&
          this.#twaps.cancel(time, command)
        );
      case 'cancel-all-orders':
        return this.#cancelAll(time, command);
      case 'stop-orders':
        return this.#cancelOf(time, command.owner, 'BY_OPERATOR', ({ reduceOnly }) => !reduceOnly);
      case 'place-conditional-order':
        return this.#conditionals.place(time, command);
      case 'amend-conditional-order':
        return this.#conditionals.amend(time, command);
      case 'set-mark-price':
        return this.#conditionals.setMarkPrice(time, command);
      case 'set-index-price':
        return this.#setIndex(time, command);
      case 'run-liquidations':
        return this.#liquidations.run(time, command);
      case 'amend-order':
        return this.twaps(command.owner).some(({ orderId }) => orderId === command.orderId)
          ? 'NOT_AMENDABLE'
          : this.#orders.amend(time, command);
      case 'place-twap':
        return this.#twaps.place(time, command);
      case 'run-twaps':
        return this.#runDue(time, command);
      case 'set-leverage':
        return this.#settings.setLeverage(time, command);
      case 'adjust-margin':
        return this.#settings.adjustMargin(time, command);
      case 'set-position-mode':
        return this.#settings.setPositionMode(time, command);
      case 'settle-positions':
        return this.#settling.settle(time, command);
      case 'delist-market':
        return this.#delist(time, command);
      case 'transfer':
      case 'post-pending':
      case 'void-pending':
        return this.#transfers.apply(time, command);
      case 'clear-market':
        return this.#clear(time, command.market, command.maximum);
      default:
        return this.#instruments.apply(time, command);
    }
  }

  /** Pauses that are over end, then slices are placed. */
  #runDue(time: number, command: RunTwaps): Refusal {
    if (!isWithin(command.maximum, 1, 1_000)) return 'INVALID_QUANTITY';
    for (const market of this.#state.markets) {
      const { spec, state } = market;
      if (state.pause === undefined || this.#state.isPaused(market)) continue;
      delete state.pause;
      this.#state.events.push({ kind: 'market-resumed', market: spec.id, state: this.#state.stateOf(market), time });
      this.#conditionals.resume(time, spec.id);
    }
    this.#conditionals.runHeld(time);
    return this.#twaps.run(time, command);
  }

  #setIndex(time: number, command: SetIndexPrice): Refusal {
    const refusal = this.#pricing.setIndex(time, command);
    if (refusal === undefined && command.price > 0) this.#conditionals.observeIndex(time, command);
    if (refusal === undefined) this.#liquidations.afterIndex(time, command.market);
    return refusal;
  }

  /** Orders of a futures wallet that owes are cancelled, the newest first, then all its TWAPs; what is missing still is found elsewhere. */
  #coverLosses(time: number): void {
    const { short } = this.#state;
    this.#state.short = [];
    for (const account of short) {
      const { owner, asset } = accountParts(account);
      const isBacked = ({ market }: OpenOrder) => {
        const { perpetual, quote } = this.#state.market(market)!.spec;
        return perpetual !== undefined && quote.id === asset;
      };
      for (const order of this.openOrdersOf(owner).filter(isBacked).reverse()) {
        if (this.#state.balance(account) >= 0n) break;
        this.#orders.cancel(time, { kind: 'cancel-order', orderId: order.orderId, owner }, 'LIQUIDATED');
      }
      const owes = this.#state.balance(account) < 0n;
      for (const { orderId } of owes ? this.twaps(owner).filter(isBacked) : []) {
        this.#twaps.cancel(time, { kind: 'cancel-order', orderId, owner }, 'LIQUIDATED');
      }
      if (this.#state.balance(account) < 0n) this.#perpetuals.cover(time, owner, asset);
    }
  }

  #delist(time: number, command: DelistMarket): Refusal {
    const refusal = this.#state.market(command.market)?.state.delisted ? 'MARKET_DELISTED' : undefined;
    if (refusal === undefined && this.twapsIn(command.market) > 0) return 'MARKET_NOT_EMPTY';
    return refusal ?? this.#instruments.apply(time, command);
  }

  #cancelAll(time: number, { owner, market, side }: CancelAllOrders): Refusal {
    if (market !== undefined && this.#state.market(market) === undefined) return 'UNKNOWN_MARKET';
    const isWanted = (order: Wanted) =>
      (market === undefined || order.market === market) && (side === undefined || order.side === side);
    return this.#cancelOf(time, owner, 'BY_OWNER', isWanted);
  }

  #cancelOf(time: number, owner: number, reason: 'BY_OWNER' | 'BY_OPERATOR', isWanted: (order: Wanted) => boolean) {
    const open = [this.#orders, this.openOrdersOf(owner).filter(isWanted)] as const;
    const untriggered = [this.#conditionals, this.untriggeredOrdersOf(owner).filter(isWanted)] as const;
    const twaps = [this.#twaps, this.twaps(owner).filter(isWanted)] as const;
    for (const [room, orders] of [open, untriggered, twaps])
      for (const { orderId } of orders) room.cancel(time, { kind: 'cancel-order', orderId, owner }, reason);
    return undefined;
  }

  /** Bids and then asks from the best price on, oldest first; then conditional orders by age, then TWAPs. */
  #clear(time: number, market: number, maximum: number): Refusal {
    const known = this.#state.market(market);
    if (known === undefined) return 'UNKNOWN_MARKET';
    if (!known.state.halted) return 'MARKET_NOT_EMPTY';
    if (!isWithin(maximum, 1, 10_000)) return 'INVALID_QUANTITY';
    const resting = [BUY, SELL].flatMap((side) => this.#state.queue(market, side as Side));
    const cleared = resting.slice(0, maximum);
    for (const { orderId, owner } of cleared)
      this.#orders.cancel(time, { kind: 'cancel-order', orderId, owner }, 'MARKET_CLEARED');
    const left = maximum - cleared.length;
    const untriggered = this.#conditionals.all().filter((order) => order.market === market);
    for (const { orderId, owner } of untriggered.slice(0, left)) {
      this.#conditionals.cancel(time, { kind: 'cancel-order', orderId, owner }, 'MARKET_CLEARED');
    }
    const twaps = this.twaps().filter((order) => order.market === market);
    for (const { orderId, owner } of twaps.slice(0, Math.max(0, left - untriggered.length))) {
      this.#twaps.cancel(time, { kind: 'cancel-order', orderId, owner }, 'MARKET_CLEARED');
    }
    return undefined;
  }

  assets(): readonly Asset[] {
    return [...this.#state.assets].sort((left, right) => left.id - right.id);
  }

  markets(): readonly MarketSpec[] {
    return this.#state.markets.map(({ spec }) => spec);
  }

  defaults(): Defaults {
    return { fees: this.#state.defaultFees, limits: this.#state.limits };
  }

  feesOf(owner: number): FeeRates {
    return this.#state.feesOf(owner);
  }

  pendingTransfers(): readonly PendingTransfer[] {
    return [...this.#state.pending].sort((left, right) => left.transferId - right.transferId);
  }

  sequences(): readonly Origin[] {
    const all = [...this.#state.sequences].map(([source, sequence]) => ({ source, sequence }));
    return all.sort((left, right) => left.source - right.source);
  }

  takeEvents(): ExchangeEvent[] {
    const { events } = this.#state;
    this.#state.events = [];
    return events;
  }

  balance(key: number): bigint {
    return this.#state.balance(key);
  }

  accountsOf(owner: number): number[] {
    const keys = [...this.#state.balances.keys()];
    return keys.filter((key) => accountParts(key).owner === owner).sort((a, b) => a - b);
  }

  openOrder(orderId: number): OpenOrder | undefined {
    const order = this.#state.orders.find((other) => other.orderId === orderId);
    return order === undefined ? undefined : { ...order };
  }

  openOrdersOf(owner: number): OpenOrder[] {
    const own = this.#state.orders.filter((order) => order.owner === owner);
    return own.map((order) => ({ ...order })).sort((a, b) => a.orderId - b.orderId);
  }

  openPositionCount(): number {
    return this.#state.holdings.filter(({ position }) => position !== undefined).length;
  }

  positionOwners(): readonly number[] {
    const open = this.#state.holdings.filter(({ position }) => position !== undefined);
    return [...new Set(open.map(({ owner }) => owner))];
  }

  openOrderCount(): number {
    return this.#state.orders.length;
  }

  untriggeredOrder(orderId: number): UntriggeredOrder | undefined {
    return this.#conditionals.find(orderId);
  }

  untriggeredOrdersOf(owner: number): UntriggeredOrder[] {
    return this.#conditionals.all().filter((order) => order.owner === owner);
  }

  untriggeredOrderCount(): number {
    return this.#state.untriggered.length;
  }

  untriggeredOrdersIn(market: number): number {
    return this.#state.untriggered.filter((order) => order.market === market).length;
  }

  twap(orderId: number): TwapOrder | undefined {
    return this.#twaps.all().find((order) => order.orderId === orderId);
  }

  twaps(owner?: number): readonly TwapOrder[] {
    return this.#twaps.all().filter((order) => owner === undefined || order.owner === owner);
  }

  twapsIn(market: number): number {
    return this.twaps().filter((order) => order.market === market).length;
  }

  nextTwapAt(): number | undefined {
    const times = this.twaps().map(({ nextAt }) => nextAt);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  nextDueAt(): number | undefined {
    const pauses = this.#state.markets.flatMap((market) => {
      const { pause } = market.state;
      return pause === undefined ? [] : [this.#state.isPaused(market) ? pause.until : 0];
    });
    const held = this.#conditionals.nextHeldAt();
    const times = [...pauses, ...(held === undefined ? [] : [held]), ...this.twaps().map(({ nextAt }) => nextAt)];
    return times.length === 0 ? undefined : Math.min(...times);
  }

  clientOrderIds(): readonly ClientOrderId[] {
    return this.#state.liveClientOrderIds().sort((left, right) => left.orderId - right.orderId);
  }

  orderIdOf(owner: number, clientOrderId: string): number {
    const isIt = (one: ClientOrderId) => one.owner === owner && one.clientOrderId === clientOrderId;
    return this.#state.liveClientOrderIds().find(isIt)?.orderId ?? 0;
  }

  exitPlans(): readonly ExitPlan[] {
    return [...this.#state.exitPlans].sort((left, right) => left.orderId - right.orderId);
  }

  holdings(): readonly HoldingRecord[] {
    const isOwn = ({ position, leverage, isIsolated, isHedged }: HoldingRecord) =>
      position !== undefined || isIsolated || isHedged || leverage !== DEFAULT_LEVERAGE;
    const order = (a: HoldingRecord, b: HoldingRecord) => a.market - b.market || b.leg - a.leg;
    return this.#state.holdings.filter(isOwn).sort((a, b) => a.owner - b.owner || order(a, b));
  }

  perpetualState(market: number): PerpetualState {
    return this.#pricing.stateOf(market);
  }

  hasLiquidations(): boolean {
    return this.#liquidations.isPending;
  }

  freeOf(owner: number, asset: number): bigint {
    return this.#perpetuals.free(owner, asset);
  }

  isMarkWatched(market: number): boolean {
    const all = [...this.#state.untriggered, ...this.#state.exitPlans];
    return all.some((order) => order.market === market && order.source === 'mark');
  }

  levelQuantity(market: number, side: Side, price: number): number {
    const level = this.#state.queue(market, side).filter((order) => order.price === price);
    return level.reduce((lots, order) => lots + shownOf(order), 0);
  }

  levelOrders(market: number, side: Side, price: number): number {
    return this.#state.queue(market, side).filter((order) => order.price === price).length;
  }

  depth(market: number, side: Side, levels: number): number[] {
    const prices = [...new Set(this.#state.queue(market, side).map((order) => order.price))].slice(0, levels);
    return prices.flatMap((price) => [
      price,
      this.levelQuantity(market, side, price),
      this.levelOrders(market, side, price),
    ]);
  }

  bestPrice(market: number, side: Side): number {
    return this.#state.queue(market, side)[0]?.price ?? 0;
  }

  marketState(market: number): MarketState {
    return this.#state.stateOf(this.#state.market(market)!);
  }

  counters(): Counters {
    const { lastOrderId, lastTradeId, lastPriority, lastTransferId } = this.#state;
    return { lastOrderId, lastTradeId, lastPriority, lastTransferId };
  }

  stateHash(): string {
    return hashOf(this, this.#state, this.#conditionals.all());
  }

  restoreDefaults({ fees, limits }: Defaults): void {
    this.#state.defaultFees = fees;
    this.#state.limits = limits;
  }

  restoreAsset(asset: Asset): void {
    this.#state.assets.push(asset);
  }

  restoreMarket(spec: MarketSpec, state: MarketState): void {
    this.#state.markets.push({ spec, state: { ...state } });
  }

  restoreBalance(key: number, amount: bigint): void {
    this.#state.balances.set(key, amount);
  }

  restoreFees(owner: number, rates: FeeRates): void {
    this.#state.fees.set(owner, rates);
  }

  restoreOrder(order: OpenOrder): void {
    this.#state.orders.push({ ...order });
  }

  restoreUntriggeredOrder(order: UntriggeredOrder): void {
    this.#state.untriggered.push({ ...order });
  }

  restoreClientOrderId(one: ClientOrderId): void {
    this.#state.clientOrderIds.push(one);
  }

  restoreExitPlan(plan: ExitPlan): void {
    this.#state.exitPlans.push(plan);
  }

  restoreTwap(order: TwapOrder): void {
    this.#state.twaps.push({ ...order });
  }

  restorePerpetual(market: number, state: PerpetualState): void {
    this.#pricing.restore(market, state);
  }

  restoreHoldings(columns: HoldingColumns): void {
    const holdings = recordsOf(columns);
    for (const holding of holdings) {
      const { market, position, fundingIndex } = holding;
      if (position === undefined) continue;
      const lot = this.#state.fundingIndex(market) - fundingIndex;
      this.#state.accrue(holding, BigInt(position.direction) * BigInt(position.lots) * lot);
    }
    this.#state.holdings = [...this.#state.holdings, ...holdings];
  }

  restorePendingTransfer(pending: PendingTransfer): void {
    this.#state.pending.push(pending);
  }

  restoreSequence({ source, sequence }: Origin): void {
    this.#state.sequences.set(source, sequence);
  }

  restoreCounters(counters: Counters): void {
    Object.assign(this.#state, counters);
  }
}
