import { describe, expect, it } from 'vitest';
import { InvariantError } from '../invariant.ts';
import { accountKey, accountParts, Bucket, Wallet } from '../ledger/account.ts';
import type { LedgerEvent } from '../ledger/event.ts';
import { BTC_USDT, TEST_MARKETS } from '../simulation/markets.ts';
import { Random } from '../simulation/random.ts';
import { ENGINES } from '../simulation/trading-floor.ts';
import { Workload } from '../simulation/workload.ts';
import { BUY, SELL } from './command.ts';
import { createExchange } from './create-exchange.ts';
import type { ExchangeEvent, FeesSet } from './event.ts';
import type { Exchange } from './exchange.ts';

const OWNERS = 6;

/** What tables that follow the events hold: enough to bring an exchange back. */
function restored(from: Exchange, events: readonly ExchangeEvent[], create: typeof createExchange): Exchange {
  const to = create(TEST_MARKETS);
  const ledger = events.filter((event): event is LedgerEvent => event.kind === 'ledger');
  for (const key of new Set(ledger.flatMap(({ accounts }) => accounts))) to.restoreBalance(key, from.balance(key));
  const owners = [...new Set(ledger.flatMap(({ accounts }) => accounts.map((key) => accountParts(key).owner)))];
  const open = owners.flatMap((owner) => from.openOrdersOf(owner)).sort((a, b) => a.priority - b.priority);
  for (const { orderId, owner, market, side, price, quantity, remaining, priority } of open) {
    to.restoreOrder(orderId, owner, market, side, price, quantity, remaining, priority);
  }
  for (const { id } of TEST_MARKETS) to.restoreMarket(id, from.marketState(id));
  for (const order of owners.flatMap((owner) => from.waitingOrdersOf(owner))) to.restoreWaitingOrder(order);
  const fees = events.filter((event): event is FeesSet => event.kind === 'fees-set');
  for (const { owner, makerPpm, takerPpm } of fees) to.restoreFees(owner, makerPpm, takerPpm);
  to.restoreCounters(from.counters());
  return to;
}

describe.each(ENGINES)('recovery, $engine', ({ create }) => {
  it.each([11, 12, 13])('gives the same state and the same future, seed %i', (seed) => {
    const workload = new Workload(new Random(seed), TEST_MARKETS, OWNERS);
    const original = create(TEST_MARKETS);
    const events: ExchangeEvent[] = [];
    for (let count = 0; count < 600; count += 1) {
      const { time, command } = workload.next();
      original.apply(time, command);
      events.push(...original.takeEvents());
    }
    const copy = restored(original, events, create);
    expect(copy.takeEvents()).toEqual([]);
    expect(copy.stateHash()).toBe(original.stateHash());
    expect(original.openOrderCount()).toBeGreaterThan(5);
    expect(original.waitingOrderCount()).toBeGreaterThan(3);
    for (let count = 0; count < 300; count += 1) {
      const { time, command } = workload.next();
      expect(copy.apply(time, command)).toEqual(original.apply(time, command));
      expect(copy.takeEvents()).toEqual(original.takeEvents());
    }
    expect(copy.stateHash()).toBe(original.stateHash());
    for (let owner = 100; owner < 100 + OWNERS; owner += 1) {
      expect(copy.accountsOf(owner)).toEqual(original.accountsOf(owner));
    }
  });
});

describe('recovery', () => {
  it('stops on what can not have been written', () => {
    const exchange = createExchange(TEST_MARKETS);
    const restore = (orderId: number, side: typeof BUY | typeof SELL, price: number, priority: number) =>
      exchange.restoreOrder(orderId, 200, BTC_USDT.id, side, price, 100, 100, priority);
    restore(1, BUY, 640_000, 5);
    expect(() => restore(2, SELL, 640_000, 6)).toThrow(InvariantError);
    expect(() => restore(2, BUY, 640_000, 5)).toThrow(InvariantError);
    expect(() => restore(1, BUY, 630_000, 6)).toThrow(InvariantError);
    expect(() => restore(3, BUY, 0, 7)).toThrow(InvariantError);
    const key = accountKey(200, Wallet.SPOT, Bucket.AVAILABLE, 0);
    expect(() => exchange.restoreBalance(key, -1n)).toThrow(InvariantError);
    expect(() => exchange.restoreBalance(key, 2n ** 63n)).toThrow(InvariantError);
    expect(() => exchange.bestPrice(99, BUY)).toThrow(InvariantError);
  });

  it('refuses markets that are not valid', () => {
    expect(() => createExchange([{ ...BTC_USDT, minimumLots: 0 }])).toThrow(InvariantError);
    expect(() => createExchange([BTC_USDT, BTC_USDT])).toThrow(InvariantError);
  });

  it('brings 200,000 orders back in well under a second', () => {
    const exchange = createExchange(TEST_MARKETS);
    const random = new Random(1);
    const started = performance.now();
    for (let orderId = 1; orderId <= 200_000; orderId += 1) {
      const buys = orderId % 2 === 0;
      const price = buys ? random.between(500_000, 640_000) : random.between(640_001, 780_000);
      const owner = random.between(100, 20_000);
      exchange.restoreOrder(orderId, owner, BTC_USDT.id, buys ? BUY : SELL, price, 100, 100, orderId);
    }
    expect(exchange.openOrderCount()).toBe(200_000);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
