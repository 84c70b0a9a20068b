/**
 * The contract of the exchange state machine. `createExchange` (fast) and `createReferenceExchange` (naive, in
 * simulation/) both satisfy it and must agree on every outcome, event and state hash.
 */

import type { WaitingOrder } from '../conditional/conditional-order.ts';
import type { MarketSpec } from '../money/market.ts';
import type { Command, Outcome, Side } from './command.ts';
import type { ExchangeEvent } from './event.ts';
import type { EventSink } from './event-sink.ts';

export interface OpenOrder {
  readonly orderId: number;
  readonly owner: number;
  readonly market: number;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  readonly remaining: number;
  readonly priority: number;
}

export interface MarketState {
  /** Ticks; 0 until the market has traded or been given a reference price. */
  readonly lastPrice: number;
  /** Ticks; 0 until one was set. */
  readonly markPrice: number;
  readonly halted: boolean;
  readonly traded: boolean;
}

/** The numbers from which ids go on after a restart. */
export interface Counters {
  readonly lastOrderId: number;
  readonly lastTradeId: number;
  readonly lastPriority: number;
}

export interface Exchange {
  readonly markets: readonly MarketSpec[];
  /** Applies one command. `time` is in ms since 1970 and never decreases. Its events wait in `takeEvents`. */
  apply(time: number, command: Command): Outcome;
  /** Hands over the events since the last call, in order, and forgets them. */
  takeEvents(): ExchangeEvent[];
  /** The same events without an object for each: the cheaper way to read large batches. Forgets them too. */
  drainEvents(sink: EventSink): void;

  /** Smallest units in an account; 0n for one never used. */
  balance(accountKey: number): bigint;
  /** The account keys of one owner that have ever been used, ascending. */
  accountsOf(owner: number): number[];
  openOrder(orderId: number): OpenOrder | undefined;
  /** Ascending by order id. */
  openOrdersOf(owner: number): OpenOrder[];
  openOrderCount(): number;
  waitingOrder(orderId: number): WaitingOrder | undefined;
  /** Ascending by order id. */
  waitingOrdersOf(owner: number): WaitingOrder[];
  waitingOrderCount(): number;
  /** Whether any order of a market waits for the mark price. */
  isMarkWatched(market: number): boolean;
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
  /** 16 hexadecimal digits over books in priority order, waiting orders, balances, fees, markets and counters. */
  stateHash(): string;

  /** Recovery. Orders come in ascending priority; nothing is checked but the invariants; no events. */
  restoreBalance(accountKey: number, amount: bigint): void;
  restoreOrder(
    orderId: number,
    owner: number,
    market: number,
    side: Side,
    price: number,
    quantity: number,
    remaining: number,
    priority: number,
  ): void;
  /** After the market was restored. A trailing order that was active has its best price. */
  restoreWaitingOrder(order: WaitingOrder): void;
  restoreMarket(market: number, state: MarketState): void;
  restoreFees(owner: number, makerPpm: number, takerPpm: number): void;
  restoreCounters(counters: Counters): void;
}
