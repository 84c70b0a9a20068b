/** What an untriggered order of a perpetual needs when it is taken, in both engines. It holds nothing of it. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { LegChange, PlaceConditionalOrder } from '../orders/conditional/conditional-order.ts';
import { BTC_PERPETUAL } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import { UNTRIGGERED_NEED_FUNDS } from '../terms/rules.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
const PRICE = 10_000;
/** Of 50 lots at 10,100 ticks, at the leverage of who has chosen none: 50.5 USDT, a tenth of it, and a fee of 0.05 %. */
const [LOTS, NEEDED] = [50, 5_050_000n + 25_250n];

describe.each(ENGINES)('an untriggered order of a perpetual, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create, { maximumUntriggeredOrdersPerOwner: 3, maximumUntriggeredOrdersPerMarket: 4 });
    floor.moveToFutures(BOB, 100n * USD);
    expect(floor.index(PRICE, MARKET)).toBe('OK');
  });

  const place = (terms: Partial<PlaceConditionalOrder>) =>
    floor.place({ market: MARKET, source: 'mark', side: BUY, quantity: LOTS, quoteTotal: 0n, ...terms });
  /** An entry of Alice's on a breakout. */
  const enter = (terms: Partial<PlaceConditionalOrder> = {}) =>
    place({ stop: { trigger: 10_100, price: 0 }, ...terms });
  const exit = (terms: Partial<PlaceConditionalOrder> = {}) =>
    place({ side: SELL, reduceOnly: true, stop: { trigger: 9_000, price: 0 }, ...terms });
  const amend = (orderId: number, stop: LegChange) =>
    floor.verdict({ kind: 'amend-conditional-order', orderId, owner: ALICE, takeProfit: undefined, stop });

  it('is refused without the margin and the fee of what it opens, and holds nothing of them', () => {
    expect(enter()).toBe('INSUFFICIENT_FUNDS');
    floor.moveToFutures(ALICE, NEEDED - 1n);
    expect(enter()).toBe('INSUFFICIENT_FUNDS');
    floor.moveToFutures(ALICE, 1n);
    expect(enter()).toBe('OK');
    expect(floor.future(ALICE)).toEqual([NEEDED, 0n, 0n]);
  });

  it('is measured where it would trade: at its dearest leg, at a limit beyond the trigger, by what is watched where it trails', () => {
    floor.moveToFutures(ALICE, NEEDED);
    expect(enter({ stop: { trigger: 10_100, price: 10_101 } })).toBe('INSUFFICIENT_FUNDS');
    expect(enter({ side: SELL, stop: { trigger: 9_000, price: 1_000 } })).toBe('OK');
    const takeProfit = { trigger: 9_000, price: 0 };
    expect(enter({ takeProfit, stop: { trigger: 10_101, price: 0 } })).toBe('INSUFFICIENT_FUNDS');
    const trailing = { callbackPpm: 0, callbackTicks: 20_000, activation: 0 };
    for (const side of [BUY, SELL] as const) {
      expect(enter({ side, quantity: 51, stop: undefined, trailing })).toBe('INSUFFICIENT_FUNDS');
      expect(enter({ side, quantity: 50, stop: undefined, trailing })).toBe('OK');
    }
  });

  it('is measured by the leverage of now and by what is free beside open orders', () => {
    floor.moveToFutures(ALICE, NEEDED);
    floor.buy({ market: MARKET, price: 9_000, quantity: 2 });
    expect(enter()).toBe('INSUFFICIENT_FUNDS');
    const leverage = { kind: 'set-leverage', owner: ALICE, market: MARKET, leverage: 20, movesReserves: true } as const;
    expect(floor.verdict(leverage)).toBe('OK');
    expect(enter()).toBe('OK');
  });

  it('is asked by itself: which of several is triggered is not known', () => {
    floor.moveToFutures(ALICE, NEEDED);
    expect([enter(), enter(), enter({ side: SELL, stop: { trigger: 9_900, price: 0 } })]).toEqual(['OK', 'OK', 'OK']);
    expect(enter()).toBe('UNTRIGGERED_LIMIT');
  });

  it('cannot be made dearer than its owner can pay for, and may be made cheaper by an owner who has nothing left', () => {
    floor.moveToFutures(ALICE, NEEDED);
    expect(enter()).toBe('OK');
    const id = floor.lastOrderId();
    expect([amend(id, { trigger: 10_101 }), amend(id, { trigger: 10_090 })]).toEqual(['INSUFFICIENT_FUNDS', 'OK']);
    floor.moveToFutures(ALICE, -NEEDED);
    expect([amend(id, { trigger: 10_091 }), amend(id, { trigger: 10_080 })]).toEqual(['INSUFFICIENT_FUNDS', 'OK']);
  });

  it('is asked again when it is triggered', () => {
    floor.moveToFutures(ALICE, NEEDED);
    enter();
    const id = floor.lastOrderId();
    floor.moveToFutures(ALICE, -NEEDED);
    floor.sell({ market: MARKET, owner: BOB, price: 10_100, quantity: LOTS });
    floor.index(10_100, MARKET);
    expect(floor.triggerings()).toEqual([`#${id} stop at 10100`, `#${id} INSUFFICIENT_FUNDS`]);
  });

  it('that only reduces needs a position, or an entry of its side at rest or untriggered', () => {
    floor.moveToFutures(ALICE, 10n * USD);
    expect(exit()).toBe('NOTHING_TO_CLOSE');
    expect(enter({ side: SELL, stop: { trigger: 9_900, price: 0 } })).toBe('OK');
    expect(exit()).toBe('NOTHING_TO_CLOSE');
    enter();
    const entry = floor.lastOrderId();
    expect(exit()).toBe('OK');
    for (const { orderId } of floor.exchange.untriggeredOrdersOf(ALICE)) floor.cancel(orderId, ALICE);
    expect([floor.lastOrderId() > entry, exit()]).toEqual([true, 'NOTHING_TO_CLOSE']);
    floor.buy({ market: MARKET, price: 9_500, quantity: 2 });
    expect([exit(), exit({ quantity: 0 })]).toEqual(['OK', 'NOTHING_TO_CLOSE']);
    floor.sell({ market: MARKET, owner: BOB, price: 9_500, quantity: 2 });
    expect([exit(), exit({ quantity: 0 })]).toEqual(['OK', 'OK']);
  });

  it('that only reduces needs that of its own leg in hedge mode', () => {
    floor.moveToFutures(ALICE, 20n * USD);
    floor.verdict({ kind: 'set-position-mode', owner: ALICE, market: MARKET, isHedged: true });
    const entered = (positionSide: 'long' | 'short', side: typeof BUY | typeof SELL) =>
      enter({ side, positionSide, quantity: 2, stop: { trigger: side === BUY ? 10_100 : 9_900, price: 0 } });
    const ended = (positionSide: 'long' | 'short') => {
      const [side, trigger] = positionSide === 'long' ? [SELL, 9_000] : [BUY, 11_000];
      return exit({ side: side as typeof BUY, positionSide, reduceOnly: undefined, stop: { trigger, price: 0 } });
    };
    expect(entered('short', SELL)).toBe('OK');
    expect([ended('long'), ended('short')]).toEqual(['NOTHING_TO_CLOSE', 'OK']);
    expect(floor.sell({ market: MARKET, price: 11_000, quantity: 2, positionSide: 'short' })).toBe('OK');
    expect(ended('long')).toBe('NOTHING_TO_CLOSE');
    expect(floor.buy({ market: MARKET, price: 9_000, quantity: 2, positionSide: 'long' })).toBe('OK');
    expect(ended('long')).toBe('OK');
  });

  it('takes no place of a market that others need', () => {
    floor.moveToFutures(CAROL, NEEDED);
    for (let times = 0; times < 4; times += 1) expect([enter(), exit()]).not.toContain('OK');
    expect(enter({ owner: CAROL })).toBe('OK');
  });

  it('is asked for nothing in a journal of older rules', () => {
    floor.exchange.rules = UNTRIGGERED_NEED_FUNDS - 1;
    expect([enter(), exit()]).toEqual(['OK', 'OK']);
    expect(amend(floor.lastOrderId() - 1, { trigger: 10_200 })).toBe('OK');
  });
});
