import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitIndex } from '../collections/bit-index.ts';
import { IntegerMap } from '../collections/integer-map.ts';
import { SortedList } from '../collections/sorted-list.ts';
import type { Command } from '../exchange/command.ts';
import { issue } from '../ledger/issue.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import { buysAtMarket, type PlaceConditionalOrder, TRIGGER_SOURCES } from '../orders/conditional/conditional-order.ts';
import type { PlaceTwap } from '../orders/twap/twap.ts';
import type { Side } from '../terms/order-terms.ts';
import { BTC_USDT, TEST_MARKETS, USDT } from './markets.ts';
import { replay } from './twins.ts';

const OWNERS = [200, 201, 202];

/** Triggers where they can be reached, and where they are refused. */
const leg = fc.option(
  fc.record({
    trigger: fc.integer({ min: 639_998, max: 640_008 }),
    price: fc.oneof(fc.constant(0), fc.integer({ min: 639_999, max: 640_007 })),
  }),
  { nil: undefined },
);
/** Mostly the price that spot markets always have; they have no index. */
const source = fc.constantFrom('last' as const, ...TRIGGER_SOURCES);
const exits = fc.option(fc.record({ source, takeProfit: leg, stop: leg }), { nil: undefined, freq: 2 });

/** Orders whose ids are given later, so that leaving one out leaves a valid stream. */
const order = fc.record({
  kind: fc.constant('place-order' as const),
  orderId: fc.constant(0),
  owner: fc.constantFrom(...OWNERS),
  market: fc.constant(BTC_USDT.id),
  side: fc.constantFrom<Side>(0, 1),
  type: fc.constant('limit' as const),
  timeInForce: fc.constantFrom('GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'POST_ONLY'),
  price: fc.integer({ min: 640_000, max: 640_006 }),
  quantity: fc.integer({ min: 10, max: 60 }),
  quoteTotal: fc.constant(0n),
  selfTrade: fc.constantFrom('CANCEL_NEWEST', 'CANCEL_OLDEST', 'CANCEL_BOTH', 'DECREMENT'),
  exits,
  visible: fc.option(fc.integer({ min: 9, max: 30 }), { nil: undefined, freq: 2 }),
}) as fc.Arbitrary<PlaceOrder>;

const worstPrice = fc.option(fc.integer({ min: 640_000, max: 640_006 }), { nil: undefined });
const byQuantity = fc.tuple(order, worstPrice).map(
  ([placed, worst]): PlaceOrder => ({
    ...placed,
    ...{ type: 'market', price: 0, visible: undefined, worstPrice: worst },
  }),
);
const byTotal = fc
  .tuple(byQuantity, fc.bigInt(1_000_000n, 60_000_000n))
  .map(([placed, quoteTotal]): PlaceOrder => ({ ...placed, quantity: 0, quoteTotal }));

/** Refers to one of the orders so far by its place, so that it still means something when the stream is shortened. */
const orderId = fc.integer({ min: 1, max: 75 });
const cancel = fc.record({ kind: fc.constant('cancel-order' as const), orderId, owner: fc.constantFrom(...OWNERS) });
const amend = fc.record(
  {
    kind: fc.constant('amend-order' as const),
    orderId,
    owner: fc.constantFrom(...OWNERS),
    price: fc.integer({ min: 640_000, max: 640_006 }),
    quantity: fc.integer({ min: 10, max: 60 }),
    timeInForce: fc.constantFrom('GTC' as const, 'POST_ONLY' as const),
    selfTrade: fc.constantFrom('CANCEL_NEWEST' as const, 'CANCEL_OLDEST' as const, 'DECREMENT' as const),
  },
  { requiredKeys: ['kind', 'orderId', 'owner'] },
);
/** Any of its two prices, both or none. */
const legChange = fc.option(
  fc.record(
    {
      trigger: fc.integer({ min: 639_998, max: 640_008 }),
      price: fc.oneof(fc.constant(0), fc.integer({ min: 639_999, max: 640_007 })),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);
const trailing = fc.option(
  fc.record({
    callbackPpm: fc.constantFrom(0, 0, 100),
    callbackTicks: fc.constantFrom(0, 1, 2, 3),
    activation: fc.constantFrom(0, 0, 640_002, 640_004),
  }),
  { nil: undefined, freq: 2 },
);
const conditional = fc
  .record({
    kind: fc.constant('place-conditional-order' as const),
    orderId: fc.constant(0),
    owner: fc.constantFrom(...OWNERS),
    market: fc.constant(BTC_USDT.id),
    side: fc.constantFrom<Side>(0, 1),
    source,
    timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const, 'POST_ONLY' as const),
    quantity: fc.integer({ min: 10, max: 60 }),
    quoteTotal: fc.bigInt(1_000_000n, 30_000_000n),
    selfTrade: fc.constantFrom('CANCEL_NEWEST' as const, 'CANCEL_OLDEST' as const, 'DECREMENT' as const),
    takeProfit: leg,
    stop: leg,
    trailing,
  })
  .map((terms): PlaceConditionalOrder => {
    const legs = terms.trailing === undefined ? [terms.takeProfit, terms.stop] : [];
    const byTotal = buysAtMarket(terms);
    const byLots = terms.side === 1 || legs.some((one) => one !== undefined && one.price > 0);
    const [takeProfit, stop] = legs;
    const size = { quantity: byLots ? terms.quantity : 0, quoteTotal: byTotal ? terms.quoteTotal : 0n };
    return { ...terms, takeProfit, stop, ...size };
  });
const amendConditional = fc.record({
  kind: fc.constant('amend-conditional-order' as const),
  orderId,
  owner: fc.constantFrom(...OWNERS),
  takeProfit: legChange,
  stop: legChange,
});
const mark = fc.record({
  kind: fc.constant('set-mark-price' as const),
  market: fc.constant(BTC_USDT.id),
  price: fc.integer({ min: 639_998, max: 640_008 }),
});
const twap = fc.record({
  kind: fc.constant('place-twap' as const),
  orderId: fc.constant(0),
  owner: fc.constantFrom(...OWNERS),
  market: fc.constant(BTC_USDT.id),
  side: fc.constantFrom<Side>(0, 1),
  price: fc.integer({ min: 640_000, max: 640_006 }),
  quantity: fc.integer({ min: 20, max: 120 }),
  selfTrade: fc.constantFrom('CANCEL_NEWEST', 'CANCEL_OLDEST', 'CANCEL_BOTH', 'DECREMENT'),
  durationMs: fc.integer({ min: 5_000, max: 9_000 }),
  intervalMs: fc.integer({ min: 1_000, max: 5_000 }),
}) as fc.Arbitrary<PlaceTwap>;
const runTwaps = fc.record({ kind: fc.constant('run-twaps' as const), maximum: fc.integer({ min: 1, max: 3 }) });
const cancelAll = fc.record({
  kind: fc.constant('cancel-all-orders' as const),
  owner: fc.constantFrom(...OWNERS),
  market: fc.constantFrom(undefined, BTC_USDT.id),
  side: fc.constantFrom<Side | undefined>(undefined, 0, 1),
});
const credit = fc
  .record({ owner: fc.constantFrom(...OWNERS), amount: fc.bigInt(1n, 60_000n) })
  .map(({ owner, amount }) => issue('fee-credit-grant', owner, USDT.id, amount));

const command = fc.oneof(
  { weight: 8, arbitrary: order as fc.Arbitrary<Command> },
  { weight: 1, arbitrary: byQuantity as fc.Arbitrary<Command> },
  { weight: 1, arbitrary: byTotal as fc.Arbitrary<Command> },
  { weight: 2, arbitrary: cancel as fc.Arbitrary<Command> },
  { weight: 2, arbitrary: amend as fc.Arbitrary<Command> },
  { weight: 1, arbitrary: credit as fc.Arbitrary<Command> },
  { weight: 4, arbitrary: conditional as fc.Arbitrary<Command> },
  { weight: 1, arbitrary: amendConditional as fc.Arbitrary<Command> },
  { weight: 1, arbitrary: mark as fc.Arbitrary<Command> },
  { weight: 1, arbitrary: cancelAll as fc.Arbitrary<Command> },
  { weight: 2, arbitrary: twap as fc.Arbitrary<Command> },
  { weight: 3, arbitrary: runTwaps as fc.Arbitrary<Command> },
);

/** Enough to trade with, and little enough to run out of. */
const funding: Command[] = OWNERS.flatMap((owner) =>
  [0, 1].map((asset) => issue('development-credit', owner, asset, 100_000_000n)),
);

describe('any stream of commands', () => {
  it('has the same outcomes, events and state in both engines, and adds up', () => {
    fc.assert(
      fc.property(fc.array(command, { minLength: 5, maxLength: 60 }), (commands) => {
        let lastOrderId = 0;
        const numbered = commands.map((one) => {
          if (one.kind !== 'place-order' && one.kind !== 'place-conditional-order' && one.kind !== 'place-twap')
            return one;
          // Exit orders take some of the numbers between.
          lastOrderId += 3;
          return { ...one, orderId: lastOrderId };
        });
        let time = 0;
        const steps = [...funding, ...numbered].map((one) => {
          // Slices are due after seconds, and now and then one was missed.
          time += one.kind === 'run-twaps' ? 700 * one.maximum : 1;
          return { time, command: one };
        });
        expect(replay(steps, TEST_MARKETS).failure).toBeUndefined();
      }),
      { numRuns: 600 },
    );
  });
});

describe('SortedList', () => {
  it('is a sorted array', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 120 }), (values) => {
        const list = new SortedList<number>((left, right) => left - right);
        let model: number[] = [];
        for (const value of values) {
          if (list.remove(value)) model = model.filter((one) => one !== value);
          else {
            expect(model).not.toContain(value);
            list.add(value);
            model = [...model, value].sort((left, right) => left - right);
          }
          expect([...list.values()]).toEqual(model);
          expect([list.size, list.last]).toEqual([model.length, model.at(-1)]);
          expect(list.find(value)).toBe(model.includes(value) ? value : undefined);
        }
        expect(list.pop()).toBe(model.at(-1));
      }),
    );
  });
});

describe('IntegerMap', () => {
  it('is a Map', () => {
    const key = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 2 ** 40, max: 2 ** 40 + 40 }));
    fc.assert(
      fc.property(fc.array(key, { maxLength: 300 }), (keys) => {
        const map = new IntegerMap();
        const model = new Map<number, number>();
        keys.forEach((one, place) => {
          if (model.delete(one)) {
            map.remove(one);
          } else {
            map.add(one, place + 1);
            model.set(one, place + 1);
          }
          expect(map.size).toBe(model.size);
        });
        for (const one of keys) expect(map.get(one)).toBe(model.get(one) ?? 0);
      }),
    );
  });

  it('grows, and finds everything after removals that leave gaps', () => {
    const map = new IntegerMap();
    for (let key = 1; key <= 20_000; key += 1) map.add(key * 8192, key);
    for (let key = 1; key <= 20_000; key += 3) map.remove(key * 8192);
    for (let key = 1; key <= 20_000; key += 1) expect(map.get(key * 8192)).toBe(key % 3 === 1 ? 0 : key);
    expect(map.get(0)).toBe(0);
  });
});

describe('BitIndex', () => {
  it('finds the nearest member on both sides', () => {
    const member = fc.integer({ min: 0, max: 99_999 });
    fc.assert(
      fc.property(fc.uniqueArray(member, { maxLength: 40 }), fc.array(member), member, (members, removed, position) => {
        const index = new BitIndex();
        index.grow(256);
        index.grow(100_000);
        for (const one of members) index.add(one);
        for (const one of removed) index.remove(one);
        const left = members.filter((one) => !removed.includes(one)).sort((a, b) => a - b);
        expect(index.above(position)).toBe(left.find((one) => one > position) ?? -1);
        expect(index.below(position)).toBe(left.findLast((one) => one < position) ?? -1);
      }),
    );
  });
});
