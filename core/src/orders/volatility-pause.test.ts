/** Pauses of a spot market whose band was left, by example, in both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import { PAUSE_MS } from '../instruments/market-state.ts';
import { REFERENCE_SCALE } from '../money/reference-price.ts';
import { BTC_PERPETUAL, BTC_USDT } from '../simulation/markets.ts';
import { ALICE, BOB, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import { BAND_PAUSES } from '../terms/rules.ts';

const PRICE = 600_000;
/** A hundred smallest orders at the edge are 184 lots. */
const ENOUGH = 200;
const EDGE = 543_000;
const tell = (price: number, isReferenceOnly = true) =>
  ({ kind: 'set-reference-price', market: BTC_USDT.id, price, isReferenceOnly }) as const;

describe.each(ENGINES)('a spot market, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    open();
  });

  function open(): void {
    floor.buy({ price: PRICE, quantity: 10 });
    floor.sell({ owner: BOB, price: PRICE, quantity: 10 });
    floor.apply(tell(PRICE));
  }

  const state = () => floor.exchange.marketState(BTC_USDT.id);
  const bid = (price: number, quantity = ENOUGH) => floor.buy({ price, quantity });
  const sweep = (quantity = 10_000) => floor.market({ owner: BOB, side: SELL, quantity });
  const kinds = () => floor.events.map(({ kind }) => kind);

  it('pauses for five minutes behind an order that would go on beyond the band', () => {
    bid(590_000);
    bid(EDGE);
    expect(sweep()).toBe('OK');
    expect(floor.trades()).toEqual([expect.stringMatching(/^590000x200/), expect.stringMatching(/^543000x200/)]);
    const until = floor.time + PAUSE_MS;
    expect(floor.events.at(-1)).toMatchObject({ kind: 'market-paused', market: BTC_USDT.id, time: floor.time });
    expect(state()).toMatchObject({
      pause: { until, reference: PRICE, isAbove: false },
      ...{ reference: EDGE * REFERENCE_SCALE, referenceAt: until },
    });
    expect(floor.exchange.nextDueAt()).toBe(until);
    expect(bid(EDGE)).toBe('MARKET_PAUSED');
    expect(sweep()).toBe('MARKET_PAUSED');
    expect(floor.place({ stop: { trigger: 500_000, price: 0 } })).toBe('MARKET_PAUSED');
    expect(floor.twap({ price: EDGE })).toBe('MARKET_PAUSED');
    expect(floor.runAt(until - 5)).toBe('OK');
    expect(kinds()).toEqual([]);
    expect(floor.runAt(until)).toBe('OK');
    expect(kinds()).toEqual(['market-resumed']);
    expect([state().pause, floor.exchange.nextDueAt()]).toEqual([undefined, undefined]);
    // A real move goes on by a band.
    expect(bid(488_700)).toBe('OK');
    expect(bid(488_600)).toBe('PRICE_OUTSIDE_BAND');
  });

  it('takes orders when the time is over, before its end was told', () => {
    bid(EDGE);
    sweep();
    floor.time += PAUSE_MS;
    expect(bid(EDGE)).toBe('OK');
    floor.runAt(floor.time + 1);
    expect(kinds()).toEqual(['market-resumed']);
  });

  it('is over, and its reference moves again, where a clock that was ahead is set right', () => {
    floor.time += 3_600_000;
    floor.apply(tell(PRICE));
    bid(EDGE);
    sweep();
    floor.setBack(1_000);
    expect(bid(EDGE)).toBe('OK');
    expect(floor.exchange.nextDueAt()).toBe(0);
    floor.runAt(floor.time + 1);
    expect(kinds()).toEqual(['market-resumed']);
    floor.sell({ owner: BOB, price: EDGE, quantity: 10 });
    const before = state().referenceAt;
    floor.time += PAUSE_MS;
    floor.buy({ price: 550_000, quantity: 10 });
    floor.sell({ owner: BOB, price: 550_000, quantity: 10 });
    expect(state().referenceAt).toBeLessThanOrEqual(floor.time);
    expect(before).not.toBe(state().referenceAt);
  });

  it('lets orders be cancelled meanwhile, and nothing be amended', () => {
    bid(580_000, 10);
    const resting = floor.lastOrderId();
    floor.place({ stop: { trigger: 500_000, price: 0 }, quantity: 100 });
    const stop = floor.lastOrderId();
    floor.sell({ owner: BOB, price: 640_000, quantity: ENOUGH + 20 });
    const ask = floor.lastOrderId();
    floor.market({ owner: BOB, side: SELL, quantity: 10 });
    bid(EDGE);
    sweep();
    expect(floor.amend(ask, BOB, { price: 650_000 })).toBe('MARKET_PAUSED');
    const legs = { takeProfit: undefined, stop: { trigger: 499_000 } };
    const change = { kind: 'amend-conditional-order', orderId: stop, owner: ALICE, ...legs } as const;
    expect(floor.verdict(change)).toBe('MARKET_PAUSED');
    expect([floor.cancel(ask, BOB), floor.cancel(stop, ALICE)]).toEqual(['OK', 'OK']);
    expect(floor.cancel(resting, ALICE)).toBe('ORDER_NOT_FOUND');
  });

  it('is not paused by little, nor away from the edge, nor by an order that is filled or that its own price stops', () => {
    bid(EDGE, 180);
    sweep();
    bid(550_000);
    sweep();
    bid(EDGE);
    sweep(ENOUGH);
    bid(EDGE);
    floor.sell({ owner: BOB, price: EDGE, quantity: 1_000, timeInForce: 'IOC' });
    expect(floor.trades()).toHaveLength(1);
    expect(state().pause).toBeUndefined();
    bid(EDGE);
    // Its price is the end of the band.
    floor.sell({ owner: BOB, price: 540_000, quantity: 1_000 });
    expect(state().pause).toMatchObject({ isAbove: false });
  });

  it('is not paused by whom nobody meets, which would cost nothing', () => {
    expect(sweep()).toBe('NO_LIQUIDITY');
    expect(floor.sell({ owner: BOB, price: 540_000, quantity: 100_000, timeInForce: 'IOC' })).toBe('OK');
    floor.buy({ owner: BOB, price: EDGE, quantity: ENOUGH });
    expect(floor.market({ owner: BOB, side: SELL, quantity: 1_000, selfTrade: 'CANCEL_OLDEST' })).not.toBe('OK');
    expect(state().pause).toBeUndefined();
  });

  it('pauses above the band too, and goes on from a price that is told meanwhile', () => {
    floor.sell({ owner: BOB, price: 657_000, quantity: ENOUGH });
    floor.market({ side: BUY, quantity: 10_000 });
    expect(state().pause).toMatchObject({ isAbove: true });
    floor.time += PAUSE_MS - 2_000;
    expect(floor.verdict(tell(610_000))).toBe('OK');
    floor.time += 2_000;
    expect(bid(549_000)).toBe('OK');
    expect(bid(548_999)).toBe('PRICE_OUTSIDE_BAND');
  });

  it('keeps what is triggered waiting until the end', () => {
    floor.mark(PRICE);
    floor.place({ owner: 203, stop: { trigger: 595_000, price: 0 }, source: 'mark' });
    const stop = floor.lastOrderId();
    bid(EDGE);
    sweep();
    const { until } = state().pause!;
    expect(floor.mark(590_000)).toBe('OK');
    expect(floor.triggerings()).toEqual([]);
    expect(floor.exchange.untriggeredOrder(stop)).toBeDefined();
    floor.runAt(until);
    expect(floor.triggerings()).toEqual([`#${stop} stop at 590000`, `#${stop} NO_LIQUIDITY`]);
  });

  it('moves TWAPs behind the pause, slice by slice, and none of it is lost', () => {
    bid(EDGE);
    const start = floor.time + 1;
    expect(floor.twap({ owner: 203, side: BUY, price: 600_000, quantity: 100 })).toBe('OK');
    const twap = floor.lastOrderId();
    floor.sell({ owner: BOB, price: 640_000, quantity: 10 });
    floor.runAt(start + 1);
    sweep();
    const { until } = state().pause!;
    floor.runAt(start + 1_000);
    expect(kinds()).toEqual(['twap-changed', 'order']);
    const moved = floor.exchange.twap(twap)!;
    expect(moved).toMatchObject({ done: 1, nextAt: start + 301_000, endsAt: start + 305_000, remaining: 100 });
    expect(moved.nextAt).toBeGreaterThanOrEqual(until);
    for (let slice = 0; slice < 4; slice += 1) {
      floor.time = moved.nextAt + slice * 1_000 - 2;
      floor.sell({ owner: BOB, price: 560_000, quantity: 1_000 });
      floor.runAt(moved.nextAt + slice * 1_000);
      expect(floor.trades()).toEqual([expect.stringMatching(/^560000x25/)]);
    }
    expect(floor.exchange.twap(twap)).toBeUndefined();
  });

  it('gives a TWAP whose end falls into the pause its last chance behind it', () => {
    bid(EDGE);
    const start = floor.time + 1;
    expect(floor.twap({ owner: 203, side: BUY, price: 600_000, quantity: 100 })).toBe('OK');
    const twap = floor.lastOrderId();
    for (let slice = 0; slice < 5; slice += 1) floor.runAt(start + slice * 1_000);
    sweep();
    const { until } = state().pause!;
    floor.runAt(start + 5_000);
    const { endsAt, nextAt, remaining } = floor.exchange.twap(twap)!;
    expect([nextAt, remaining, endsAt >= until, endsAt < until + 1_000]).toEqual([endsAt, 100, true, true]);
    floor.runAt(endsAt);
    expect(floor.changes()).toEqual([expect.stringMatching(/cancelled TIME_UP 100\/100$/)]);
  });

  it('never pauses a perpetual, whose closings and liquidations go on', () => {
    const market = BTC_PERPETUAL.id;
    for (const owner of [ALICE, BOB]) floor.moveToFutures(owner, 100_000_000_000n);
    floor.index(10_000, market);
    floor.buy({ market, price: 10_001, quantity: 20_000 });
    floor.sell({ market, owner: BOB, price: 10_001, quantity: 20_000 });
    floor.buy({ market, price: 9_900, quantity: 2_000 });
    floor.market({ market, owner: BOB, side: SELL, quantity: 20_000 });
    expect(floor.exchange.marketState(market).pause).toBeUndefined();
    expect(floor.sell({ market, price: 9_950, quantity: 10, reduceOnly: true })).toBe('OK');
  });

  it('did not pause under older rules', () => {
    floor.exchange.rules = BAND_PAUSES - 1;
    bid(EDGE);
    sweep();
    expect([state().pause, bid(EDGE)]).toEqual([undefined, 'OK']);
  });
});
