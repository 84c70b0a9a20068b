/**
 * The contract of the exchange state machine. `createExchange` (fast) and `createReferenceExchange` (naive, in
 * simulation/) both satisfy it and must agree on every outcome, event and state hash.
 */
import type { ExchangeEvent } from '../events/event.ts';
import type { OrderLimits } from '../instruments/commands.ts';
import type { MarketState } from '../instruments/market-state.ts';
import type { Origin } from '../ledger/transfer.ts';
import type { PendingTransfer } from '../ledger/transfers.ts';
import type { HoldingColumns } from '../margin/holding-columns.ts';
import type { HoldingRecord } from '../margin/holding-record.ts';
import type { PerpetualState } from '../margin/pricing.ts';
import type { Asset, MarketSpec } from '../money/market.ts';
import type { ClientOrderId } from '../orders/client-order-ids.ts';
import type { UntriggeredOrder } from '../orders/conditional/conditional-order.ts';
import type { ExitPlan } from '../orders/exits/exit-plan.ts';
import type { OpenOrder } from '../orders/order-state.ts';
import type { TwapOrder } from '../orders/twap/twap.ts';
import type { Side } from '../terms/order-terms.ts';
import type { Outcome } from '../terms/outcome.ts';
import type { Command } from './command.ts';

/** The numbers from which ids go on after a restart. */
export interface Counters {
  readonly lastOrderId: number;
  readonly lastTradeId: number;
  readonly lastPriority: number;
  readonly lastTransferId: number;
}

export interface FeeRates {
  /** Parts per million of what is received. */
  readonly makerPpm: number;
  readonly takerPpm: number;
}

/** What holds for every owner. */
export interface Defaults {
  readonly fees: FeeRates;
  readonly limits: OrderLimits;
}

export interface Exchange {
  /** The version under which commands are applied (`terms/rules.ts`), the newest at first; no part of the state. */
  rules: number;
  /** Applies one command. `time` is in ms since 1970 and never decreases. */
  apply(time: number, command: Command): Outcome;
  /** Hands over the events since the last call as objects, in order, and forgets them. */
  takeEvents(): ExchangeEvent[];

  /** Ascending by id. */
  assets(): readonly Asset[];
  /** In the order of listing, delisted ones included. */
  markets(): readonly MarketSpec[];
  defaults(): Defaults;
  feesOf(owner: number): FeeRates;
  /** Smallest units in an account; 0n for one never used. */
  balance(accountKey: number): bigint;
  /** The account keys of one owner that have ever been used, ascending. */
  accountsOf(owner: number): number[];
  /** Of an order in the book, as the others of this name. */
  openOrder(orderId: number): OpenOrder | undefined;
  /** Ascending by order id. */
  openOrdersOf(owner: number): OpenOrder[];
  openOrderCount(): number;
  openPositionCount(): number;
  /** Who has a position, in no order. */
  positionOwners(): readonly number[];
  untriggeredOrder(orderId: number): UntriggeredOrder | undefined;
  /** Ascending by order id. */
  untriggeredOrdersOf(owner: number): UntriggeredOrder[];
  untriggeredOrderCount(): number;
  untriggeredOrdersIn(market: number): number;
  twap(orderId: number): TwapOrder | undefined;
  /** Open, ascending by order id; of one owner or of all. */
  twaps(owner?: number): readonly TwapOrder[];
  twapsIn(market: number): number;
  /** When the next slice of a TWAP is due, ms; undefined while none is open. */
  nextTwapAt(): number | undefined;
  /** When `run-twaps` has something to do next, ms: a slice is due, a pause is over, or the last price was held beyond a trigger. Undefined while nothing is. */
  nextDueAt(): number | undefined;
  /** Of open and untriggered orders, ascending by order id. */
  clientOrderIds(): readonly ClientOrderId[];
  /** The open or untriggered order of an owner; 0 when there is none. */
  orderIdOf(owner: number, clientOrderId: string): number;
  /** Of open entries, ascending by entry. */
  exitPlans(): readonly ExitPlan[];
  /** Positions, and leverage that was chosen; ascending by owner, then by market, long before short. */
  holdings(): readonly HoldingRecord[];
  /** Of a perpetual, how its mark and its funding come about. */
  perpetualState(market: number): PerpetualState;
  /** Whether positions are to be liquidated that no command has reached yet. */
  hasLiquidations(): boolean;
  /** What an owner may use for orders or take out of the futures wallet. */
  freeOf(owner: number, asset: number): bigint;
  /** Whether any order of a market is triggered by the mark price, or its exits will be. */
  isMarkWatched(market: number): boolean;
  /** Ascending by id. */
  pendingTransfers(): readonly PendingTransfer[];
  /** The last sequence of each source, ascending by source. */
  sequences(): readonly Origin[];
  /** Lots resting at a price. */
  levelQuantity(market: number, side: Side, price: number): number;
  /** Orders resting at a price. */
  levelOrders(market: number, side: Side, price: number): number;
  /** Best first; flat triples of price, lots, orders. */
  depth(market: number, side: Side, levels: number): number[];
  /** Best price in ticks, 0 when the side is empty. */
  bestPrice(market: number, side: Side): number;
  marketState(market: number): MarketState;
  counters(): Counters;
  /** 16 hexadecimal digits over all of the state. */
  stateHash(): string;

  /** Recovery, in this order; nothing is checked but the invariants; no events. */
  restoreDefaults(defaults: Defaults): void;
  restoreAsset(asset: Asset): void;
  restoreMarket(spec: MarketSpec, state: MarketState): void;
  restoreBalance(accountKey: number, amount: bigint): void;
  restoreFees(owner: number, rates: FeeRates): void;
  /** Ascending by priority. */
  restoreOrder(order: OpenOrder): void;
  /** A trailing order that was active has its best price. */
  restoreUntriggeredOrder(order: UntriggeredOrder): void;
  restoreClientOrderId(one: ClientOrderId): void;
  restoreExitPlan(plan: ExitPlan): void;
  restoreTwap(order: TwapOrder): void;
  restorePerpetual(market: number, state: PerpetualState): void;
  restoreHoldings(holdings: HoldingColumns): void;
  restorePendingTransfer(pending: PendingTransfer): void;
  restoreSequence(origin: Origin): void;
  restoreCounters(counters: Counters): void;
}
