import { describe, expect, it } from 'vitest';
import type { ExchangeEvent } from '../events/event.ts';
import { InvariantError } from '../invariant.ts';
import { accountKey, accountParts, Bucket, Wallet } from '../ledger/account.ts';
import { issue } from '../ledger/issue.ts';
import { postingsOf } from '../ledger/postings.ts';
import { columnsOf } from '../margin/holding-columns.ts';
import { BTC_USDT, listing, TEST_MARKETS, TEST_PERPETUALS } from '../simulation/markets.ts';
import { PerpetualWorkload } from '../simulation/perpetual-workload.ts';
import { Random } from '../simulation/random.ts';
import { ENGINES } from '../simulation/trading-floor.ts';
import { type Step, Workload } from '../simulation/workload.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import { createExchange } from './create-exchange.ts';
import type { Exchange } from './exchange.ts';

const OWNERS = 6;

function opened<E extends Exchange>(exchange: E): E {
  for (const command of listing(TEST_MARKETS)) exchange.apply(0, command);
  exchange.takeEvents();
  return exchange;
}

/** What tables that follow the events hold: enough to bring an exchange back. */
function restored(from: Exchange, events: readonly ExchangeEvent[], create: () => Exchange): Exchange {
  const to = create();
  to.restoreDefaults(from.defaults());
  for (const asset of from.assets()) to.restoreAsset(asset);
  for (const spec of from.markets()) to.restoreMarket(spec, from.marketState(spec.id));
  const specOf = (id: number) => from.markets().find((spec) => spec.id === id)!;
  const keys = new Set(events.flatMap((event) => postingsOf(event, specOf)).map(({ account }) => account));
  for (const key of keys) to.restoreBalance(key, from.balance(key));
  for (const event of events) if (event.kind === 'fees-set') to.restoreFees(event.owner, event);
  const owners = [...new Set([...keys].map((key) => accountParts(key).owner))];
  const open = owners.flatMap((owner) => from.openOrdersOf(owner)).sort((a, b) => a.priority - b.priority);
  for (const order of open) to.restoreOrder(order);
  for (const order of owners.flatMap((owner) => from.untriggeredOrdersOf(owner))) to.restoreUntriggeredOrder(order);
  for (const pending of from.pendingTransfers()) to.restorePendingTransfer(pending);
  for (const one of from.clientOrderIds()) to.restoreClientOrderId(one);
  for (const plan of from.exitPlans()) to.restoreExitPlan(plan);
  for (const order of from.twaps()) to.restoreTwap(order);
  for (const { id, perpetual } of from.markets()) {
    if (perpetual !== undefined) to.restorePerpetual(id, from.perpetualState(id));
  }
  to.restoreHoldings(columnsOf(from.holdings()));
  for (const origin of from.sequences()) to.restoreSequence(origin);
  to.restoreCounters(from.counters());
  return to;
}

const OPEN = {
  owner: 200,
  market: BTC_USDT.id,
  type: 'limit',
  timeInForce: 'GTC',
  selfTrade: 'CANCEL_NEWEST',
  quantity: 100,
  remaining: 100,
  filledValue: 0n,
  fee: 0n,
  credit: 0n,
  createdAt: 0,
  visible: 0,
  hidden: 0,
} as const;

describe.each(ENGINES)('recovery, $engine', ({ create }) => {
  it.each([11, 12, 13])('gives the same state and the same future, seed %i', (seed) => {
    const workload = new Workload(new Random(seed), TEST_MARKETS, OWNERS);
    const original = opened(create());
    const events: ExchangeEvent[] = [];
    for (let count = 0; count < 600; count += 1) {
      const { time, command } = workload.next();
      original.apply(time, command);
      events.push(...original.takeEvents());
    }
    // Whatever the workload left, a transfer is pending and a source has a sequence.
    const spot = accountKey(100, Wallet.SPOT, Bucket.AVAILABLE, 0);
    const funding = accountKey(100, Wallet.FUNDING, Bucket.AVAILABLE, 0);
    const legs = [{ from: spot, to: funding, amount: 5n }];
    const time = workload.next().time;
    original.apply(time, { ...issue('development-credit', 100, 0, 9n), origin: { source: 7, sequence: 1 } });
    const facts = { transferId: 0, reference: 100, detail: 'kept', isPending: true, legs };
    expect(original.apply(time, { kind: 'transfer', reason: 'wallet-transfer', ...facts })).toEqual({ ok: true });
    events.push(...original.takeEvents());
    const copy = restored(original, events, create);
    expect(copy.takeEvents()).toEqual([]);
    expect(copy.stateHash()).toBe(original.stateHash());
    expect(original.openOrderCount()).toBeGreaterThan(5);
    expect(original.untriggeredOrderCount()).toBeGreaterThan(1);
    expect(original.pendingTransfers().length).toBeGreaterThan(0);
    expect(original.sequences().length).toBeGreaterThan(0);
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

describe.each(ENGINES)('recovery of perpetuals, $engine', ({ create }) => {
  it.each([27, 29])('gives the same positions and the same future, seed %i', (seed) => {
    const workload = new PerpetualWorkload(new Random(seed), TEST_PERPETUALS, OWNERS);
    const original = create();
    for (const command of listing(TEST_PERPETUALS)) original.apply(0, command);
    const events: ExchangeEvent[] = original.takeEvents();
    const step = (exchange: Exchange, { time, command }: Step) => [
      exchange.apply(time, command),
      exchange.takeEvents(),
    ];
    for (let count = 0; count < 800; count += 1)
      events.push(...(step(original, workload.next())[1] as ExchangeEvent[]));
    const copy = restored(original, events, create);
    expect(copy.stateHash()).toBe(original.stateHash());
    expect(original.openOrderCount()).toBeGreaterThan(2);
    expect(original.holdings().filter(({ position }) => position).length).toBeGreaterThan(2);
    for (let count = 0; count < 400; count += 1) {
      const next = workload.next();
      expect(step(copy, next)).toEqual(step(original, next));
    }
    expect(copy.stateHash()).toBe(original.stateHash());
  });
});

describe('recovery', () => {
  it('stops on what can not have been written', () => {
    const exchange = opened(createExchange());
    const restore = (orderId: number, side: typeof BUY | typeof SELL, price: number, priority: number) =>
      exchange.restoreOrder({ ...OPEN, orderId, side, price, priority });
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

  it('brings 200,000 orders back', () => {
    const exchange = opened(createExchange());
    const random = new Random(1);
    for (let orderId = 1; orderId <= 200_000; orderId += 1) {
      const buys = orderId % 2 === 0;
      const price = buys ? random.between(500_000, 640_000) : random.between(640_001, 780_000);
      const owner = random.between(100, 20_000);
      exchange.restoreOrder({ ...OPEN, orderId, owner, side: buys ? BUY : SELL, price, priority: orderId });
    }
    expect(exchange.openOrderCount()).toBe(200_000);
  });
});
