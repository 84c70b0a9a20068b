import { describe, expect, it } from 'vitest';
import { BTC, BTC_USDT, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { BUY, SELL } from '../terms/order-terms.ts';

describe.each(ENGINES)('an iceberg, $engine', ({ create }) => {
  const PRICE = 640_000;
  const shown = (floor: TradingFloor, side: typeof BUY | typeof SELL = SELL) =>
    floor.exchange.levelQuantity(BTC_USDT.id, side, PRICE);
  const depth = (floor: TradingFloor) => floor.exchange.depth(BTC_USDT.id, SELL, 5);

  it('shows a part and holds the whole', () => {
    const floor = new TradingFloor(create);
    expect(floor.sell({ price: PRICE, quantity: 100, visible: 30 })).toBe('OK');
    expect([shown(floor), depth(floor)]).toEqual([30, [PRICE, 30, 1]]);
    expect(floor.held(ALICE, BTC.id)).toBe(100_000n);
    expect(floor.exchange.openOrder(floor.lastOrderId())).toMatchObject({ remaining: 100, visible: 30, hidden: 70 });
    expect(floor.orders()[0]).toMatchObject({ resting: 30, before: { lots: 0 }, held: 100_000n });
  });

  it('puts its next part behind the orders of its price, and fills with its own fees', () => {
    const floor = new TradingFloor(create);
    floor.sell({ price: PRICE, quantity: 100, visible: 30 });
    const iceberg = floor.lastOrderId();
    floor.sell({ owner: CAROL, price: PRICE, quantity: 20 });
    floor.buy({ owner: BOB, price: PRICE, quantity: 30 });
    expect(floor.trades()).toEqual([`${PRICE}x30#${iceberg}`]);
    expect(floor.orders()[0]).toMatchObject({
      before: { lots: 30 },
      resting: 30,
      order: { remaining: 70, hidden: 40 },
    });
    floor.buy({ owner: BOB, price: PRICE, quantity: 95 });
    // Carol's order, which was behind, comes first now.
    const parts = [30, 30].map((lots) => `${PRICE}x${lots}#${iceberg}`);
    expect(floor.trades()).toEqual([`${PRICE}x20#${iceberg + 1}`, ...parts, `${PRICE}x10#${iceberg}`]);
    expect(floor.changes()).toContain(`#${iceberg} filled 0/100`);
    expect([shown(floor), floor.held(ALICE, BTC.id)]).toEqual([0, 0n]);
    expect(shown(floor, BUY)).toBe(5);
  });

  it('trades as a whole when it arrives, and hides only what rests', () => {
    const floor = new TradingFloor(create);
    floor.buy({ owner: BOB, price: PRICE, quantity: 60 });
    floor.sell({ price: PRICE, quantity: 100, visible: 30 });
    expect(floor.trades()).toEqual([`${PRICE}x60#1`]);
    expect(depth(floor)).toEqual([PRICE, 30, 1]);
    floor.cancel(floor.lastOrderId(), ALICE);
    expect(floor.changes()).toEqual([`#${floor.lastOrderId()} cancelled BY_OWNER 40/100`]);
    expect([depth(floor), floor.held(ALICE, BTC.id)]).toEqual([[], 0n]);
  });

  it('is known to a fill-or-kill and to a market order by total, hidden parts included', () => {
    const floor = new TradingFloor(create);
    floor.sell({ price: PRICE, quantity: 100, visible: 30 });
    expect(floor.buy({ owner: BOB, price: PRICE, quantity: 101, timeInForce: 'FOK' })).toBe('NOT_FILLABLE');
    expect(floor.buy({ owner: BOB, price: PRICE, quantity: 80, timeInForce: 'FOK' })).toBe('OK');
    expect(floor.market({ owner: BOB, side: BUY, quantity: 0, quoteTotal: 640_000n * 15n, timeInForce: 'IOC' })).toBe(
      'OK',
    );
    expect(floor.exchange.openOrder(1)).toMatchObject({ remaining: 5, hidden: 0 });
    expect(shown(floor)).toBe(5);
  });

  it('amended to less gives up hidden lots first and keeps its place', () => {
    const floor = new TradingFloor(create);
    floor.sell({ price: PRICE, quantity: 100, visible: 30 });
    floor.sell({ owner: CAROL, price: PRICE, quantity: 20 });
    expect(floor.amend(1, ALICE, { quantity: 40 })).toBe('OK');
    expect(floor.exchange.openOrder(1)).toMatchObject({ remaining: 40, hidden: 10 });
    expect(floor.held(ALICE, BTC.id)).toBe(40_000n);
    expect(floor.amend(1, ALICE, { quantity: 25 })).toBe('OK');
    expect(floor.exchange.openOrder(1)).toMatchObject({ remaining: 25, hidden: 0 });
    floor.buy({ owner: BOB, price: PRICE, quantity: 25 });
    expect(floor.trades()).toEqual([`${PRICE}x25#1`]);
  });

  it('amended to another price or to more comes back with its part, which must stay allowed', () => {
    const floor = new TradingFloor(create);
    floor.sell({ price: PRICE, quantity: 100, visible: 30 });
    expect(floor.amend(1, ALICE, { price: PRICE + 5 })).toBe('OK');
    expect(depth(floor)).toEqual([PRICE + 5, 30, 1]);
    expect(floor.amend(1, ALICE, { quantity: 200 })).toBe('OK');
    expect(floor.exchange.openOrder(1)).toMatchObject({ remaining: 200, hidden: 170 });
    expect(floor.amend(1, ALICE, { quantity: 3_001 })).toBe('INVALID_VISIBLE_QUANTITY');
    expect(floor.held(ALICE, BTC.id)).toBe(200_000n);
  });

  it('gives way to its own owner with all of it, or part by part', () => {
    const floor = new TradingFloor(create);
    floor.sell({ price: PRICE, quantity: 100, visible: 30 });
    floor.buy({ price: PRICE, quantity: 40, selfTrade: 'DECREMENT', timeInForce: 'IOC' });
    expect(floor.changes()[0]).toBe('#1 open SELF_TRADE 70/70');
    expect(floor.exchange.openOrder(1)).toMatchObject({ quantity: 60, remaining: 60, hidden: 40 });
    floor.buy({ price: PRICE, quantity: 20, selfTrade: 'CANCEL_OLDEST' });
    expect(floor.changes()[0]).toBe('#1 cancelled SELF_TRADE 60/60');
    expect([floor.held(ALICE, BTC.id), floor.held(ALICE, USDT.id)]).toEqual([0n, 20n * 640_000n]);
  });

  it.each([
    ['no lot', { visible: 0 }],
    ['a fraction', { visible: 15.5 }],
    ['less than the smallest order', { visible: 9 }],
    ['all of it', { visible: 100 }],
    ['less than a hundredth', { visible: 30, quantity: 3_001 }],
    ['a part of an order that never rests', { visible: 30, timeInForce: 'IOC' as const }],
  ])('is refused that shows %s', (_, terms) => {
    const floor = new TradingFloor(create);
    expect(floor.sell({ price: PRICE, quantity: 100, ...terms })).toBe('INVALID_VISIBLE_QUANTITY');
  });

  it('is refused as a market order', () => {
    const floor = new TradingFloor(create);
    floor.sell({ owner: BOB, price: PRICE, quantity: 100 });
    expect(floor.market({ side: BUY, quantity: 50, timeInForce: 'IOC', visible: 20 })).toBe('INVALID_VISIBLE_QUANTITY');
  });
});
