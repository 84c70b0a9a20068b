/** The parts of a state's hash. What two exchanges may order differently is put in order first. */
import type { StateHasher } from '../collections/state-hash.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import type { OrderPool } from '../matching/order-pool.ts';
import type { UntriggeredOrder } from '../orders/conditional/conditional-order.ts';
import { hashUntriggeredOrder } from '../orders/conditional/hash.ts';
import { NONE_PASSED } from '../orders/conditional/passed-prices.ts';
import type { MarketBook } from '../orders/market-book.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import type { Exchange } from './exchange.ts';

type Instruments = Pick<Exchange, 'assets' | 'markets' | 'marketState' | 'defaults'>;

/** Assets, markets with their limits and states, default fees and limits. */
export function hashInstruments(hasher: StateHasher, exchange: Instruments): void {
  for (const { id, scale } of exchange.assets()) {
    hasher.number(id);
    hasher.number(scale);
  }
  for (const spec of exchange.markets()) {
    const { lastPrice, markPrice, halted, traded, delisted, ...state } = exchange.marketState(spec.id);
    const { id, base, quote, tickScale, lotScale, minimumLots, maximumLots, priceBandPpm } = spec;
    const flags = (halted ? 1 : 0) + (traded ? 2 : 0) + (delisted ? 4 : 0);
    const facts = [id, base.id, quote.id, tickScale, lotScale, minimumLots, maximumLots, priceBandPpm];
    for (const value of [...facts, lastPrice, markPrice, flags]) hasher.number(value);
    hasher.amount(spec.minimumNotional);
    if (state.reference > 0) for (const value of [state.reference, state.referenceAt]) hasher.number(value);
    if (state.pause !== undefined) {
      const { until, reference, isAbove } = state.pause;
      for (const value of [until, reference, isAbove ? 1 : 0]) hasher.number(value);
    }
    if (state.delisting !== undefined)
      for (const value of [state.delisting.closeOnlyAt, state.delisting.endsAt]) hasher.number(value);
    for (const [direction, prices] of (state.passed ?? NONE_PASSED).entries())
      for (const { price, since } of prices) for (const value of [direction, price, since]) hasher.number(value);
    if (spec.perpetual === undefined) continue;
    const { makerPpm, takerPpm, markClampPpm, funding } = spec.perpetual;
    const { intervalMs, interestPpb, dampPpb, capPpb, impactValue } = funding;
    const terms = [makerPpm, takerPpm, markClampPpm, intervalMs, interestPpb, dampPpb, capPpb];
    for (const value of terms) hasher.number(value);
    hasher.amount(impactValue);
    for (const { maximumNotional, maximumLeverage, maintenancePpm } of spec.perpetual.tiers) {
      hasher.amount(maximumNotional);
      for (const value of [maximumLeverage, maintenancePpm]) hasher.number(value);
    }
  }
  const { fees, limits } = exchange.defaults();
  for (const value of [fees.makerPpm, fees.takerPpm, ...Object.values(limits)]) hasher.number(value);
}

/** A book's orders in priority order. */
export function hashOrders(hasher: StateHasher, market: MarketBook, pool: OrderPool, accounts: AccountTable): void {
  const { book } = market;
  for (const side of [BUY, SELL] as const) {
    hasher.number(side);
    for (let price = book.best(side); price !== 0; price = book.worse(side, price)) {
      let slot = book.ladder.head(book.ladder.find(price));
      for (; slot !== 0; slot = pool.next(slot)) hashOrder(hasher, slot, pool, accounts);
    }
  }
}

function hashOrder(hasher: StateHasher, slot: number, pool: OrderPool, accounts: AccountTable): void {
  hasher.number(pool.orderId(slot));
  hasher.number(accounts.ownerNumber(pool.owner(slot)));
  hasher.number(pool.price(slot));
  hasher.number(pool.quantity(slot));
  hasher.number(pool.remaining(slot));
  hasher.number(pool.priority(slot));
  hasher.number(pool.terms(slot));
  pool.hashFigures(slot, hasher);
  if (pool.visible(slot) === 0) return;
  hasher.number(pool.visible(slot));
  hasher.number(pool.hidden(slot));
}

/** Pending transfers, and the last sequence of each source. */
export function hashTransfers(hasher: StateHasher, exchange: Pick<Exchange, 'pendingTransfers' | 'sequences'>): void {
  for (const { transferId, reference, legs } of exchange.pendingTransfers()) {
    for (const value of [transferId, reference, ...legs.flatMap(({ from, to }) => [from, to])]) hasher.number(value);
    for (const { amount } of legs) hasher.amount(amount);
  }
  for (const { source, sequence } of exchange.sequences()) {
    hasher.number(source);
    hasher.number(sequence);
  }
}

export function hashClientOrderIds(hasher: StateHasher, exchange: Pick<Exchange, 'clientOrderIds'>): void {
  for (const { orderId, owner, clientOrderId } of exchange.clientOrderIds()) {
    for (const value of [orderId, owner, clientOrderId.length]) hasher.number(value);
    for (let index = 0; index < clientOrderId.length; index += 1) hasher.number(clientOrderId.charCodeAt(index));
  }
}

/** An amount that may need more than an int64. */
function hashWide(hasher: StateHasher, amount: bigint): void {
  const low = BigInt.asIntN(64, amount);
  hasher.amount(low);
  if (low === amount) hasher.number(amount < 0n ? -1 : 0);
  else hasher.amount(BigInt.asIntN(64, amount >> 64n));
}

/** How marks and funding come about. */
export function hashPerpetuals(hasher: StateHasher, exchange: Pick<Exchange, 'markets' | 'perpetualState'>): void {
  for (const { id, perpetual } of exchange.markets()) {
    if (perpetual === undefined) continue;
    const { basis, premiumSum, fundingIndex, ...numbers } = exchange.perpetualState(id);
    const { index, indexAt, premiumCount, sampledAt, nextFundingAt } = numbers;
    for (const value of [index, indexAt, premiumCount, sampledAt, nextFundingAt]) hasher.number(value);
    for (const { time, ticks } of basis) {
      hasher.number(time);
      hasher.number(ticks);
    }
    hasher.amount(premiumSum);
    hashWide(hasher, fundingIndex);
  }
}

/** Untriggered orders, balances that are not zero, and rates that owners have of their own. */
export function hashAccounts(
  hasher: StateHasher,
  accounts: AccountTable,
  untriggered: readonly UntriggeredOrder[],
): void {
  for (const order of untriggered) hashUntriggeredOrder(hasher, order);
  for (const account of accounts.nonZero()) {
    hasher.number(accounts.key(account));
    hasher.amount(accounts.balances[account]!);
  }
  hasher.number(0);
  for (const owner of accounts.ownersWithFees()) {
    hasher.number(accounts.ownerNumber(owner));
    hasher.number(accounts.makerPpm(owner));
    hasher.number(accounts.takerPpm(owner));
  }
}
