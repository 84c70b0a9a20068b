/** The end of an owner's orders by the exchange, by example, in both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import { BTC, BTC_PERPETUAL, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { BUY, SELL } from '../terms/order-terms.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
const [PRICE, LOTS] = [10_000, 50];
const OF_POSITION = { source: 'mark', quantity: 0, quoteTotal: 0n, reduceOnly: true } as const;

describe.each(ENGINES)('orders that the exchange stops, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const owner of [ALICE, BOB]) floor.moveToFutures(owner, 300n * USD);
    expect(floor.index(PRICE, MARKET)).toBe('OK');
  });

  const stop = () => floor.verdict({ kind: 'stop-orders', owner: ALICE });
  const left = () => {
    const { exchange } = floor;
    const orders = [exchange.openOrdersOf(ALICE), exchange.untriggeredOrdersOf(ALICE), exchange.twaps(ALICE)];
    return orders.map((some) => some.map(({ orderId }) => orderId));
  };
  const idOf = (verdict: string) => {
    expect(verdict).toBe('OK');
    return floor.lastOrderId();
  };

  /** A position, and of each kind of order one that opens and one that reduces. @returns ids of those that reduce */
  function placeBoth(isHedged: boolean): number[] {
    if (isHedged) floor.verdict({ kind: 'set-position-mode', owner: ALICE, market: MARKET, isHedged });
    const opening = isHedged ? ({ positionSide: 'long' } as const) : {};
    const reducing = isHedged ? opening : ({ reduceOnly: true } as const);
    const triggered = (trigger: number) => ({ ...OF_POSITION, market: MARKET, stop: { trigger, price: 0 } });
    const order = { market: MARKET, owner: ALICE, quantity: 10 };
    const twap = { market: MARKET, quantity: 50 };
    floor.sell({ ...order, owner: BOB, price: PRICE, quantity: LOTS });
    floor.buy({ ...order, price: PRICE, quantity: LOTS, ...opening });
    idOf(floor.verdict(floor.order({ ...order, price: 9_900, ...opening })));
    idOf(floor.place({ ...triggered(10_300), side: BUY, quantity: 10, reduceOnly: undefined, ...opening }));
    idOf(floor.twap({ ...twap, price: 9_900, ...opening }));
    return [
      idOf(floor.verdict(floor.order({ ...order, side: SELL, price: 10_400, ...reducing }))),
      idOf(floor.place({ ...triggered(9_700), ...reducing })),
      idOf(floor.twap({ ...twap, side: SELL, price: 10_400, ...reducing })),
    ];
  }

  it.each([false, true])('are those that do more than reduce a position, in hedge mode: %s', (isHedged) => {
    const reducing = placeBoth(isHedged);
    expect(left().map((some) => some.length)).toEqual([2, 2, 2]);
    expect(stop()).toBe('OK');
    expect(left()).toEqual(reducing.map((id) => [id]));
    expect(floor.changes()).toEqual([
      expect.stringMatching(/cancelled BY_OPERATOR 10\/10$/),
      expect.stringMatching(/cancelled BY_OPERATOR 50\/50$/),
    ]);
    expect(floor.events).toContainEqual(expect.objectContaining({ kind: 'untriggered-ended', reason: 'BY_OPERATOR' }));
    // What is left holds nothing.
    const held = floor.future(ALICE)[1];
    floor.apply({ kind: 'cancel-all-orders', owner: ALICE, market: undefined });
    expect([left(), floor.future(ALICE)[1]]).toEqual([[[], [], []], held]);
  });

  it('are all in spot, where a stop sells what is owned; who has none is not refused', () => {
    floor.buy({ price: 600_000 });
    floor.sell({ owner: BOB, price: 640_000 });
    floor.buy({ price: 640_000 });
    expect(floor.place({ stop: { trigger: 630_000, price: 0 } })).toBe('OK');
    expect([stop(), left()]).toEqual(['OK', [[], [], []]]);
    expect([floor.held(ALICE, USDT.id), floor.held(ALICE, BTC.id)]).toEqual([0n, 0n]);
    expect([stop(), floor.events]).toEqual(['OK', []]);
  });
});
