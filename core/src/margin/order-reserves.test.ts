/** Leverage that changes while orders are open, by example, in both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { PlaceOrder } from '../orders/commands.ts';
import { BTC_PERPETUAL, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import type { PositionSide } from '../terms/order-terms.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
/** 50 lots at 10,000 ticks are worth 50 USDT. */
const PRICE = 10_000;
const LOTS = 50;
/** Of 50 USDT. */
const FEE = 25_000n;

describe.each(ENGINES)('leverage with open orders, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 100n * USD);
    floor.index(PRICE, MARKET);
  });

  const buy = (terms: Partial<PlaceOrder> = {}) => {
    expect(floor.buy({ market: MARKET, price: PRICE, quantity: LOTS, ...terms })).toBe('OK');
    return floor.lastOrderId();
  };
  const sell = (terms: Partial<PlaceOrder> = {}) => {
    expect(floor.sell({ market: MARKET, price: PRICE, quantity: LOTS, ...terms })).toBe('OK');
    return floor.lastOrderId();
  };
  const leverage = (times: number, isIsolated = false, positionSide?: PositionSide) =>
    floor.verdict({
      ...{ kind: 'set-leverage', owner: ALICE, market: MARKET, leverage: times, isIsolated, movesReserves: true },
      ...(positionSide && { positionSide }),
    });
  const free = () => floor.exchange.freeOf(ALICE, USDT.id);
  /** What the last command moved into held, by order. */
  const moved = () =>
    floor.events.flatMap((event) => (event.kind === 'order' ? [[event.order.orderId, event.held] as const] : []));

  it('moves the reserve of each order, and says so of each', () => {
    const fees = FEE + 30_000n;
    const first = buy();
    const second = sell({ price: 12_000, visible: 10 });
    expect(leverage(20)).toBe('OK');
    // From a tenth of 50 and of 60 USDT to a twentieth.
    expect(moved()).toEqual([
      [first, -2_500_000n],
      [second, -3n * USD],
    ]);
    expect(floor.future(ALICE)[1]).toBe(5_500_000n + fees);
    expect(leverage(20)).toBe('OK');
    expect(moved()).toEqual([]);
    expect(leverage(5)).toBe('OK');
    expect(floor.future(ALICE)[1]).toBe(22n * USD + fees);
    floor.cancel(first, ALICE);
    floor.cancel(second, ALICE);
    expect(floor.future(ALICE)).toEqual([100n * USD, 0n, 0n]);
  });

  it('leaves an order where it rests, and a fill at the new leverage releases what is held for it', () => {
    const order = buy();
    buy({ owner: CAROL });
    const priority = floor.exchange.openOrder(order)!.priority;
    leverage(2);
    expect(floor.exchange.openOrder(order)!.priority).toBe(priority);
    sell({ owner: BOB, quantity: 20 });
    expect(floor.position(ALICE, MARKET)?.position?.lots).toBe(20);
    expect(floor.future(ALICE)[1]).toBe(15n * USD + 15_000n);
  });

  it('changes nothing where the sum does not fit, of a position and all orders', () => {
    floor.moveToFutures(ALICE, -60n * USD);
    buy();
    const order = buy({ price: 9_000 });
    // 95 USDT at a third, or at a half.
    expect(leverage(3)).toBe('OK');
    expect(leverage(2)).toBe('INSUFFICIENT_FUNDS');
    floor.cancel(order, ALICE);
    expect(leverage(2)).toBe('OK');
    expect(free()).toBe(15n * USD - FEE);
  });

  it('asks for the margin of the position beside the reserves', () => {
    floor.moveToFutures(ALICE, -70n * USD);
    sell({ owner: BOB });
    buy({ quantity: 2 * LOTS });
    // 50 USDT are open and 50 more ordered: a third of both is there, a half is not.
    expect(leverage(2)).toBe('INSUFFICIENT_FUNDS');
    expect(leverage(4)).toBe('OK');
    expect(free()).toBe(5n * USD - 2n * FEE);
  });

  it('takes the margin of an isolated position out of what its orders give back', () => {
    leverage(10, true);
    sell({ owner: BOB });
    buy({ quantity: 2 * LOTS });
    expect(leverage(20, true)).toBe('OK');
    expect(floor.future(ALICE)).toEqual([92_500_000n - 2n * FEE, 2_500_000n + FEE, 5n * USD]);
    expect(leverage(5, true)).toBe('OK');
    expect(floor.future(ALICE)).toEqual([80n * USD - 2n * FEE, 10n * USD + FEE, 10n * USD]);
  });

  it('does not change the margin mode', () => {
    buy();
    expect(leverage(10, true)).toBe('ORDERS_OPEN');
    expect(leverage(20, true)).toBe('ORDERS_OPEN');
  });

  it('refuses more than the tier of the position and the orders of a side allows', () => {
    floor.moveToFutures(ALICE, 1_000n * USD);
    // Up to 300 USDT at x100, and more of them at less.
    buy({ quantity: 300, price: 9_900 });
    expect(leverage(100)).toBe('OK');
    leverage(50);
    buy({ quantity: 10, price: 9_900 });
    expect(leverage(100)).toBe('ABOVE_RISK_LIMIT');
    expect(leverage(50)).toBe('OK');
  });

  it('moves the reserve of a TWAP, whose slices go on', () => {
    expect(floor.twap({ market: MARKET, price: PRICE, quantity: LOTS })).toBe('OK');
    const twap = floor.lastOrderId();
    const begun = floor.time;
    expect(leverage(5)).toBe('OK');
    expect(moved()).toEqual([[twap, 5n * USD]]);
    sell({ owner: BOB });
    floor.runAt(begun);
    expect(floor.future(ALICE)[1]).toBe(8n * USD + (FEE * 4n) / 5n);
    floor.cancel(twap, ALICE);
    expect(floor.future(ALICE)[1]).toBe(0n);
  });

  it('leaves the orders of the other leg and those that only reduce as they are', () => {
    floor.apply({ kind: 'set-position-mode', owner: ALICE, market: MARKET, isHedged: true });
    sell({ owner: BOB });
    buy({ positionSide: 'long' });
    const long = buy({ positionSide: 'long', price: 9_000 });
    sell({ positionSide: 'long', price: 11_000 });
    sell({ positionSide: 'short', price: 11_000 });
    expect(leverage(20, false, 'long')).toBe('OK');
    expect(moved()).toEqual([[long, -2_250_000n]]);
  });

  it('refuses with orders open where the command is one of before reserves could move', () => {
    buy();
    const old = { kind: 'set-leverage', owner: ALICE, market: MARKET, leverage: 20, isIsolated: false } as const;
    expect(floor.verdict(old)).toBe('ORDERS_OPEN');
  });
});
