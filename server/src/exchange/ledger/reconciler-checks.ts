/** What must agree: pure comparisons of what the tables hold of some owners with memory, orders and history. */
import { accountKey, accountParts, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import { feeOf } from '@cambist/core/ledger/fee.ts';
import { DEFAULT_LEVERAGE } from '@cambist/core/margin/holding.ts';
import type { HoldingRecord } from '@cambist/core/margin/holding-record.ts';
import { initialMargin, notionalOf, perpetualTerms } from '@cambist/core/margin/perpetual.ts';
import type { MarketSpec, PerpetualSpec } from '@cambist/core/money/market.ts';
import { baseUnitsPerLot, quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import { type UntriggeredOrder, untriggeredHold } from '@cambist/core/orders/conditional/conditional-order.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import type { StoredPosition } from '../futures/position-store.ts';
import { termColumnsOf } from '../futures/term-columns.ts';
import type { Before, Resting } from './change-record.ts';
import type { OrderSums, RangeRows, TradeSums } from './reconciler-store.ts';

export interface Discrepancy {
  readonly kind: string;
  readonly detail: string;
}

export type MarketOf = (id: number) => MarketSpec | undefined;
export type Amounts = Map<number, bigint>;

/** What memory held of some owners at one moment. */
export interface MemoryRange {
  readonly balances: ReadonlyMap<number, bigint>;
  readonly orders: ReadonlyMap<number, Resting>;
  readonly untriggered: readonly UntriggeredOrder[];
  readonly positions: readonly HoldingRecord[];
}

export function add(to: Amounts, account: number, amount: bigint): void {
  to.set(account, (to.get(account) ?? 0n) + amount);
}

function* unequal(left: ReadonlyMap<number, bigint>, right: ReadonlyMap<number, bigint>) {
  for (const account of new Set([...left.keys(), ...right.keys()])) {
    const [one, other] = [left.get(account) ?? 0n, right.get(account) ?? 0n];
    if (one !== other) yield { account, one, other };
  }
}

/** Balances of the tables are those of memory at the same batch. */
export function compareBalances(rows: RangeRows, memory: MemoryRange, before: Before): Discrepancy[] {
  const expected = new Map([...memory.balances, ...before.balances]);
  const found = new Map(rows.balances.map(({ account, amount }) => [account, amount]));
  return [...unequal(expected, found)].map(({ account, one, other }) => ({
    kind: 'balance-differs-from-memory',
    detail: `account ${account}, batch ${rows.batch}: memory has ${one}, the tables ${other}`,
  }));
}

/** What an order of a perpetual holds of each lot: its initial margin and a taker's fee, each rounded up. */
function heldOfLot(market: MarketSpec, perpetual: PerpetualSpec, ticks: number, leverage: number): bigint {
  const value = notionalOf(perpetualTerms(market, perpetual), ticks, 1);
  return initialMargin(value, leverage) + feeOf(value, perpetual.takerPpm);
}

type Place = Pick<StoredPosition, 'owner' | 'market' | 'leg'>;

/** By owner, of a leg's orders and terms. */
const keyOf = ({ owner, market, leg }: Place) => `${owner} ${market} ${leg}`;

/** What orders of perpetuals hold, and the margins of isolated positions, by account. */
function perpetualAmounts({ prices, positions }: RangeRows, marketOf: MarketOf): Amounts {
  const expected: Amounts = new Map();
  const leverages = new Map(positions.map((one) => [keyOf(one), one.leverage]));
  const account = (owner: number, bucket: Bucket, market: MarketSpec) =>
    accountKey(owner, Wallet.FUTURE, bucket, market.quote.id);
  for (const sums of prices) {
    const market = marketOf(sums.market);
    if (market?.perpetual === undefined || sums.isReducing) continue;
    const leverage = leverages.get(keyOf(sums)) ?? DEFAULT_LEVERAGE;
    const held = sums.lots * heldOfLot(market, market.perpetual, sums.price, leverage);
    add(expected, account(sums.owner, Bucket.HELD, market), held);
  }
  for (const { owner, market: id, margin } of positions) {
    const market = marketOf(id);
    if (market !== undefined) add(expected, account(owner, Bucket.MARGIN, market), margin);
  }
  return expected;
}

/**
 * What is held is what open and untriggered orders can cost: notional for buys, base units for sells, margin and fee in
 * perpetuals; and margins are those of the isolated positions.
 */
export function compareHeld(rows: RangeRows, marketOf: MarketOf): Discrepancy[] {
  const { balances, orders, untriggered } = rows;
  const expected = perpetualAmounts(rows, marketOf);
  const hold = (owner: number, side: number, market: MarketSpec, amount: bigint) => {
    const asset = side === BUY ? market.quote.id : market.base.id;
    add(expected, accountKey(owner, Wallet.SPOT, Bucket.HELD, asset), amount);
  };
  for (const order of untriggered) {
    const market = marketOf(order.market);
    if (market !== undefined) hold(order.owner, order.side, market, untriggeredHold(market, order));
  }
  for (const { owner, market: id, side, ticks_lots, lots } of orders) {
    const market = marketOf(id);
    if (market === undefined || market.perpetual !== undefined) continue;
    hold(
      owner,
      side,
      market,
      side === BUY ? ticks_lots * quoteUnitsPerTickLot(market) : lots * baseUnitsPerLot(market),
    );
  }
  const found: Amounts = new Map();
  for (const { account, amount } of balances) {
    const { bucket } = accountParts(account);
    if (bucket === Bucket.HELD || bucket === Bucket.MARGIN) found.set(account, amount);
  }
  return [...unequal(expected, found)].map(({ account, one, other }) => ({
    kind: 'held-differs-from-orders',
    detail: `account ${account}: orders or positions hold ${one}, the balance is ${other}`,
  }));
}

interface Totals {
  count: number;
  lots: bigint;
  ticksLots: bigint;
}

/** Open orders of the tables are those of memory at the same batch: how many, how many lots, at what prices. */
export function compareOrders({ batch, orders }: RangeRows, memory: MemoryRange, before: Before): Discrepancy[] {
  const totals = new Map<string, Totals>();
  const count = ({ owner, market, side }: Pick<OrderSums, 'owner' | 'market' | 'side'>, by: Totals) => {
    const name = `owner ${owner}, market ${market}, side ${side}`;
    const total = totals.get(name) ?? { count: 0, lots: 0n, ticksLots: 0n };
    total.count += by.count;
    total.lots += by.lots;
    total.ticksLots += by.ticksLots;
    totals.set(name, total);
  };
  for (const order of new Map([...memory.orders, ...before.orders]).values()) {
    const lots = BigInt(order.lots);
    if (order.lots > 0) count(order, { count: 1, lots, ticksLots: BigInt(order.price) * lots });
  }
  for (const sums of orders) count(sums, { count: -sums.count, lots: -sums.lots, ticksLots: -sums.ticks_lots });
  return [...totals]
    .filter(([, total]) => total.count !== 0 || total.lots !== 0n || total.ticksLots !== 0n)
    .map(([name, total]) => ({
      kind: 'orders-differ-from-memory',
      detail: `${name}, batch ${batch}: memory has ${total.count} orders, ${total.lots} lots and ${total.ticksLots} ticks × lots more`,
    }));
}

/** The same for untriggered orders. An owner whose orders changed since the batch is compared in the next pass. */
export function compareUntriggered(rows: RangeRows, memory: MemoryRange, before: Before): Discrepancy[] {
  const totals = new Map<number, { count: number; lots: number; quote: bigint }>();
  const count = ({ owner, quantity, quoteTotal }: UntriggeredOrder, sign: 1 | -1) => {
    const total = totals.get(owner) ?? { count: 0, lots: 0, quote: 0n };
    total.count += sign;
    total.lots += sign * quantity;
    total.quote += BigInt(sign) * quoteTotal;
    totals.set(owner, total);
  };
  for (const order of memory.untriggered) count(order, 1);
  for (const order of rows.untriggered) count(order, -1);
  return [...totals]
    .filter(([owner, total]) => !before.untriggered.has(owner) && (total.count || total.lots || total.quote))
    .map(([owner, total]) => ({
      kind: 'orders-differ-from-memory',
      detail: `owner ${owner}, batch ${rows.batch}: memory has ${total.count} untriggered orders and ${total.lots} lots more`,
    }));
}

type PositionFacts = Omit<StoredPosition, keyof Place>;

/** Empty for an owner who has nothing open and has chosen nothing. */
function textOf({ direction, lots, cost, margin, leverage, isIsolated, isHedged, ...rest }: PositionFacts): string {
  const { fundingIndex, term } = rest;
  if (direction !== 0) return [direction, lots, cost, margin, leverage, isIsolated, fundingIndex, term].join(' ');
  const isUntouched = leverage === DEFAULT_LEVERAGE && !isIsolated && !isHedged;
  return isUntouched ? '' : [leverage, isIsolated, isHedged].join(' ');
}

function factsOf({ position, term, ...terms }: HoldingRecord): PositionFacts {
  const { direction = 0, lots = 0, cost = 0n } = position ?? {};
  return { ...terms, direction, lots, cost, term: termColumnsOf(term).join(' ') };
}

/** Positions of the tables are those of memory. An owner whose positions changed since the batch is compared in the next pass. */
export function comparePositions({ batch, positions }: RangeRows, memory: MemoryRange, before: Before): Discrepancy[] {
  const stored = new Map(positions.map((one) => [keyOf(one), textOf(one)]));
  const held = new Map(memory.positions.map((one) => [keyOf(one), textOf(factsOf(one))]));
  const compared = [...positions, ...memory.positions].filter(({ owner }) => !before.positions.has(owner));
  return [...new Set(compared.map(keyOf))]
    .filter((key) => (stored.get(key) ?? '') !== (held.get(key) ?? ''))
    .map((key) => ({
      kind: 'positions-differ-from-memory',
      detail: `owner, market and leg ${key}, batch ${batch}: memory has ${held.get(key)}, the tables ${stored.get(key)}`,
    }));
}

/** Adds what trades moved, whatever the bucket; what positions of perpetuals did is among the transfers. */
export function addTrades(to: Amounts, trades: readonly TradeSums[], marketOf: MarketOf): void {
  const spot = (owner: number, asset: number) => accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset);
  for (const { owner, market: id, side, lots, ticks_lots, fee, credit } of trades) {
    const market = marketOf(id);
    if (market === undefined || market.perpetual !== undefined) continue;
    const { base, quote } = market;
    const units = lots * baseUnitsPerLot(market);
    const value = ticks_lots * quoteUnitsPerTickLot(market);
    const isBuy = side === BUY;
    add(to, spot(owner, base.id), isBuy ? units - fee : -units);
    add(to, spot(owner, quote.id), isBuy ? -value : value - fee);
    add(to, spot(SystemOwner.FEES, isBuy ? base.id : quote.id), fee);
    add(to, spot(SystemOwner.FEES, quote.id), credit);
    add(to, accountKey(owner, Wallet.CREDIT, Bucket.AVAILABLE, quote.id), -credit);
  }
}

/** Balances are what was proven with what moved since. */
export function compareLedger(expected: Amounts, balances: Amounts): Discrepancy[] {
  return [...unequal(expected, balances)].map(({ account, one, other }) => ({
    kind: 'balance-differs-from-ledger',
    detail: `account ${account}: the ledger has ${one}, the balance is ${other}`,
  }));
}

/** By owner, wallet and asset: the account of bucket 0. */
export function withoutBuckets(balances: ReadonlyMap<number, bigint>): Amounts {
  const all: Amounts = new Map();
  for (const [account, amount] of balances) {
    const { owner, wallet, asset } = accountParts(account);
    add(all, accountKey(owner, wallet, Bucket.AVAILABLE, asset), amount);
  }
  return all;
}
