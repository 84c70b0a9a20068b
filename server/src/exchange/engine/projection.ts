/**
 * What a run of committed batches changes in the tables, gathered until the next flush. An order that lived and died
 * inside one run costs one row; a balance that moved a hundred times costs one update.
 */

import type {
  ExchangeEvent,
  OrderAccepted,
  OrderChanged,
  TradeExecuted,
  TradeSide,
} from '@cambist/core/events/event.ts';
import type { Counters, Exchange, MarketState } from '@cambist/core/exchange/exchange.ts';
import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import type { LedgerEvent } from '@cambist/core/ledger/event.ts';
import {
  addMove,
  addUntriggered,
  type ConditionalChange,
  type ConditionalRun,
  primaryTerms,
  type UntriggeredEvent,
} from './conditional-projection.ts';
import type { CommittedBatch } from './feed.ts';

/** What happened to one order: the facts of its start (when it started in this run), the sums, and its last state. */
export interface OrderChange {
  readonly id: number;
  /** Of an order that waited in this run: its beginning. Ms. */
  startedAt: number | undefined;
  /** An order that only waits counts as accepted on its present terms. */
  accepted: OrderAccepted | undefined;
  last: OrderStanding | undefined;
  conditional: ConditionalChange | undefined;
  /** Lots, and money in smallest units, added in this run. */
  filled: number;
  readonly value: { filledTicksLots: bigint; fee: bigint; credit: bigint };
}

/** How an order stood last; an order may end without a place in the book, for any reason that refuses one. */
export type OrderStanding = Omit<OrderChanged, 'kind' | 'reason'> & { readonly reason: string };

export interface LedgerRow {
  readonly batch: number;
  readonly sequence: number;
  readonly reason: string;
  readonly reference: number;
  readonly accounts: readonly number[];
  readonly amounts: readonly bigint[];
  readonly time: number;
}

export interface FeeRate {
  readonly makerPpm: number;
  readonly takerPpm: number;
}

/** One idempotency key that a batch carried, with the outcome it stands for. */
export interface KeyRecord {
  readonly owner: number;
  readonly key: string;
  readonly fingerprint: string;
  readonly orderId: number;
  readonly batch: number;
  readonly reason: string;
  readonly time: number;
}

type AfterBatch = Pick<Exchange, 'counters' | 'marketState'>;

export interface ProjectionRun {
  readonly fromBatch: number;
  toBatch: number;
  events: number;
  readonly orders: Map<number, OrderChange>;
  readonly trades: TradeExecuted[];
  readonly ledger: LedgerRow[];
  readonly balances: Map<number, bigint>;
  /** As they stand after the run. */
  readonly markets: Map<number, MarketState>;
  counters: Counters;
  readonly fees: Map<number, FeeRate>;
  readonly keys: KeyRecord[];
  readonly conditional: ConditionalRun;
}

export function startRun(fromBatch: number): ProjectionRun {
  return {
    fromBatch,
    toBatch: fromBatch,
    events: 0,
    orders: new Map(),
    trades: [],
    ledger: [],
    balances: new Map(),
    markets: new Map(),
    counters: { lastOrderId: 0, lastTradeId: 0, lastPriority: 0 },
    fees: new Map(),
    keys: [],
    conditional: { changes: new Map(), moves: new Map() },
  };
}

/** The house re-quotes all day: its orders that ended without a fill are not history that anybody reads. */
export function isForgettable(order: OrderChange): boolean {
  const owner = order.last?.owner ?? order.accepted?.owner;
  return (owner === HOUSE_MAKER || owner === HOUSE_TAKER) && order.last?.status === 'cancelled';
}

function orderChange(run: ProjectionRun, id: number): OrderChange {
  const known = run.orders.get(id);
  if (known !== undefined) return known;
  const change: OrderChange = {
    id,
    startedAt: undefined,
    accepted: undefined,
    last: undefined,
    conditional: undefined,
    filled: 0,
    value: { filledTicksLots: 0n, fee: 0n, credit: 0n },
  };
  run.orders.set(id, change);
  return change;
}

function addFill(run: ProjectionRun, side: TradeSide, trade: TradeExecuted): void {
  const change = orderChange(run, side.orderId);
  change.filled += trade.quantity;
  change.value.filledTicksLots += BigInt(trade.price) * BigInt(trade.quantity);
  change.value.fee += side.fee;
  change.value.credit += side.credit;
}

function addNet(net: Map<number, bigint>, event: LedgerEvent): void {
  event.accounts.forEach((account, index) => {
    net.set(account, (net.get(account) ?? 0n) + (event.amounts[index] ?? 0n));
  });
}

function isHold(event: LedgerEvent): boolean {
  return event.reason === 'order-hold' || event.reason === 'order-release';
}

/** Moves between available and held cancel out within a batch; what remains is one ledger transaction. */
function netHolds(batch: CommittedBatch): LedgerRow | undefined {
  const net = new Map<number, bigint>();
  for (const event of batch.events) if (event.kind === 'ledger' && isHold(event)) addNet(net, event);
  const moved = [...net].filter(([, amount]) => amount !== 0n).sort(([left], [right]) => left - right);
  if (moved.length === 0) return undefined;
  return {
    batch: batch.batch,
    sequence: 0,
    reason: 'order-holds',
    reference: batch.batch,
    accounts: moved.map(([account]) => account),
    amounts: moved.map(([, amount]) => amount),
    time: batch.time,
  };
}

function addLedger(run: ProjectionRun, batch: CommittedBatch): void {
  const holds = netHolds(batch);
  if (holds !== undefined) run.ledger.push(holds);
  let sequence = 0;
  for (const event of batch.events) {
    if (event.kind !== 'ledger') continue;
    addNet(run.balances, event);
    if (isHold(event)) continue;
    sequence += 1;
    const { reason, reference, accounts, amounts, time } = event;
    run.ledger.push({ batch: batch.batch, sequence, reason, reference, accounts, amounts, time });
  }
}

/** Waiting, it stands in the list of orders on its present terms; ended, as if it had been cancelled there. */
function addUntriggeredOrder(run: ProjectionRun, event: UntriggeredEvent): void {
  const { order, time } = event;
  const { orderId, owner, market, side } = order;
  const change = orderChange(run, orderId);
  change.conditional = addUntriggered(run.conditional, event);
  change.startedAt ??= time;
  const terms = primaryTerms(order);
  if (event.kind !== 'untriggered-ended' || change.accepted === undefined) {
    change.accepted = { kind: 'order-accepted', time, orderId, owner, market, side, ...terms };
  }
  if (event.kind !== 'untriggered-ended') return;
  const { price, quantity } = terms;
  const standing = { time, orderId, owner, market, side, price, quantity, remaining: quantity, priority: 0 };
  change.last = { ...standing, status: 'cancelled', reason: event.reason };
}

function addEvent(run: ProjectionRun, event: ExchangeEvent, exchange: AfterBatch): void {
  switch (event.kind) {
    case 'order-accepted':
      orderChange(run, event.orderId).accepted = event;
      return;
    case 'order-changed':
      orderChange(run, event.orderId).last = event;
      return;
    case 'trade':
      run.trades.push(event);
      run.markets.set(event.market, exchange.marketState(event.market));
      addFill(run, event.maker, event);
      addFill(run, event.taker, event);
      return;
    case 'market-halted':
    case 'reference-price-set':
      run.markets.set(event.market, exchange.marketState(event.market));
      return;
    case 'fees-set':
      run.fees.set(event.owner, { makerPpm: event.makerPpm, takerPpm: event.takerPpm });
      return;
    case 'mark-price-set':
      run.markets.set(event.market, exchange.marketState(event.market));
      return;
    case 'trailing-moved':
      addMove(run.conditional, event);
      return;
    case 'ledger':
      return;
    default:
      addUntriggeredOrder(run, event);
  }
}

/** Adds a batch to the run; batches come in order, none is left out. */
export function addBatch(
  run: ProjectionRun,
  batch: CommittedBatch,
  keys: readonly KeyRecord[],
  exchange: AfterBatch,
): void {
  if (batch.batch !== run.toBatch + 1) throw new Error(`Batch ${batch.batch} follows ${run.toBatch}: one is missing`);
  run.toBatch = batch.batch;
  run.events += batch.events.length;
  for (const event of batch.events) addEvent(run, event, exchange);
  addLedger(run, batch);
  run.counters = exchange.counters();
  run.keys.push(...keys);
}
