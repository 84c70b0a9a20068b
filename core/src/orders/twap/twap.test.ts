import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createExchange } from '../../exchange/create-exchange.ts';
import { readSnapshot, writeSnapshot } from '../../exchange/snapshot.ts';
import { issue } from '../../ledger/issue.ts';
import { BTC, BTC_USDT, ETH_USDT, USDT } from '../../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../../simulation/trading-floor.ts';
import { BUY, SELL } from '../../terms/order-terms.ts';
import { TRIGGERS_ARE_CONFIRMED, TWAPS_ARE_SPREAD } from '../../terms/rules.ts';
import { dueSlice, scheduleOf, sliceLots } from './twap.ts';

const LOT = 1_000n;
/** Quote units that a lot holds at the usual price. */
const HELD = 640_000n;

describe.each(ENGINES)('a TWAP, $engine', ({ create }) => {
  /** A floor on which Bob offers plenty at one price, and the time at which Alice's TWAP was placed. */
  const opened = (terms: Parameters<TradingFloor['twap']>[0] = {}) => {
    const floor = new TradingFloor(create);
    floor.sell({ owner: BOB, price: 639_900, quantity: 10_000 });
    expect(floor.twap(terms)).toBe('OK');
    return { floor, id: floor.lastOrderId(), start: floor.time };
  };
  const open = (floor: TradingFloor) =>
    floor.exchange.twaps().map(({ remaining, done, nextAt }) => ({ remaining, done, nextAt }));

  it('holds all that it can cost from the beginning, rests in no book, and is due at once', () => {
    const { floor, id, start } = opened();
    expect(floor.held(ALICE, USDT.id)).toBe(100n * HELD);
    expect([floor.exchange.bestPrice(BTC_USDT.id, BUY), floor.exchange.openOrderCount()]).toEqual([0, 1]);
    const schedule = { intervalMs: 1_000, slices: 5, done: 0, nextAt: start, endsAt: start + 5_000 };
    expect(floor.exchange.twap(id)).toMatchObject({ remaining: 100, hidden: 100, filledValue: 0n, ...schedule });
    expect([floor.exchange.nextTwapAt(), floor.exchange.twapsIn(BTC_USDT.id)]).toEqual([start, 1]);
  });

  it('trades an equal slice at each interval under its one id, and pays only what its trades cost', () => {
    const { floor, id, start } = opened();
    for (let slice = 0; slice < 5; slice += 1) {
      expect(floor.runAt(start + slice * 1_000)).toBe('OK');
      expect(floor.trades()).toEqual(['639900x20#1']);
      expect(floor.lastTrade().taker.orderId).toBe(id);
      const left = 100 - (slice + 1) * 20;
      expect(floor.held(ALICE, USDT.id)).toBe(BigInt(left) * HELD);
      expect(floor.changes().at(-1) ?? '').toBe(
        left > 0 ? `#1 open ${10_000 - 100 + left}/10000` : `#${id} filled 0/100`,
      );
    }
    expect([floor.exchange.twaps(), floor.exchange.nextTwapAt()]).toEqual([[], undefined]);
    const ended = floor.orders().at(-1)!.order;
    expect(ended).toMatchObject({ filledValue: 100n * 639_900n, status: 'filled', hidden: 0 });
    // The taker's fee of a tenth of a percent, of each slice rounded up.
    expect(floor.available(ALICE, BTC.id)).toBe(1_000_000_000_000n + 100n * LOT - 5n * 20n);
  });

  it('places nothing before its time, and one slice in a command however many were missed', () => {
    const { floor, start } = opened();
    floor.runAt(start);
    floor.runAt(start + 999);
    expect([floor.trades(), floor.events.length]).toEqual([[], 0]);
    // Two slices were missed: the rest of the schedule is two intervals later.
    floor.runAt(start + 3_400);
    expect(floor.trades()).toEqual(['639900x20#1']);
    expect(open(floor)).toEqual([{ remaining: 60, done: 2, nextAt: start + 4_000 }]);
    floor.runAt(start + 3_400);
    expect(floor.trades()).toEqual([]);
    floor.runAt(start + 4_000);
    expect(floor.trades()).toEqual(['639900x20#1']);
  });

  it('trades one equal slice at a time after a clock that ran ahead or an outage, and ends later by as much', () => {
    const { floor, id, start } = opened();
    floor.runAt(start);
    const year = 365 * 86_400_000;
    for (const [place, left] of [60, 40, 20].entries()) {
      floor.runAt(start + year + place * 1_000);
      expect(floor.trades()).toEqual(['639900x20#1']);
      const next = start + year + (place + 1) * 1_000;
      expect(floor.exchange.twap(id)).toMatchObject({ remaining: left, nextAt: next, endsAt: start + year + 4_000 });
    }
    floor.runAt(start + year + 3_000);
    expect(floor.changes().at(-1)).toBe(`#${id} filled 0/100`);
  });

  it('goes on an interval later when a clock that was ahead is set right', () => {
    const { floor, id, start } = opened();
    floor.runAt(start);
    floor.runAt(start + 1_000_000_000);
    expect(open(floor)).toEqual([{ remaining: 60, done: 2, nextAt: start + 1_000_001_000 }]);
    floor.setBack(start);
    floor.runAt(start + 5_000);
    expect(floor.trades()).toEqual([]);
    expect(floor.exchange.twap(id)).toMatchObject({ remaining: 60, nextAt: start + 6_000, endsAt: start + 9_000 });
    floor.runAt(start + 6_000);
    expect(floor.trades()).toEqual(['639900x20#1']);
  });

  it('traded all that remained in one moment before version 10 of the rules, and a journal of then still does', () => {
    const { floor, id, start } = opened();
    floor.exchange.rules = TWAPS_ARE_SPREAD - 1;
    floor.runAt(start);
    floor.runAt(start + 3_400);
    expect(floor.trades()).toEqual(['639900x40#1']);
    expect(open(floor)).toEqual([{ remaining: 40, done: 4, nextAt: start + 4_000 }]);
    floor.runAt(start + 9_000);
    expect(floor.trades()).toEqual(['639900x40#1']);
    expect(floor.changes().at(-1)).toBe(`#${id} filled 0/100`);
  });

  it('is spread from where it was when the rules change under it', () => {
    const { floor, id, start } = opened();
    floor.exchange.rules = TWAPS_ARE_SPREAD - 1;
    floor.runAt(start);
    floor.runAt(start + 1_400);
    floor.exchange.rules = TWAPS_ARE_SPREAD;
    floor.runAt(start + 8_300);
    expect(floor.trades()).toEqual(['639900x20#1']);
    expect(floor.exchange.twap(id)).toMatchObject({ done: 3, nextAt: start + 9_000, endsAt: start + 11_000 });
  });

  it('carries over what a slice did not get, tries once more at the end, and then releases the rest', () => {
    const floor = new TradingFloor(create);
    floor.sell({ owner: BOB, price: 639_900, quantity: 15 });
    floor.twap({});
    const start = floor.time;
    for (let slice = 0; slice < 4; slice += 1) floor.runAt(start + slice * 1_000);
    expect(open(floor)).toEqual([{ remaining: 85, done: 4, nextAt: start + 4_000 }]);
    floor.runAt(start + 4_000);
    expect(open(floor)).toEqual([{ remaining: 85, done: 5, nextAt: start + 5_000 }]);
    floor.sell({ owner: BOB, price: 640_000, quantity: 30 });
    floor.runAt(start + 5_000);
    expect(floor.trades()).toEqual(['640000x30#3']);
    expect(floor.changes().at(-1)).toBe('#2 cancelled TIME_UP 55/100');
    expect([floor.held(ALICE, USDT.id), floor.exchange.twaps().length]).toEqual([0n, 0]);
  });

  it('never trades beyond its limit price, on either side', () => {
    const { floor, start } = opened({ price: 639_899 });
    floor.runAt(start);
    expect([floor.trades(), open(floor)[0]?.remaining]).toEqual([[], 100]);
    floor.buy({ owner: BOB, price: 639_000, quantity: 100 });
    expect(floor.twap({ side: SELL, price: 639_001 })).toBe('OK');
    expect(floor.held(ALICE, BTC.id)).toBe(100n * LOT);
    floor.runAt(floor.time + 1);
    expect(floor.trades()).toEqual([]);
    expect(floor.twap({ owner: CAROL, side: SELL, price: 639_000 })).toBe('OK');
    floor.runAt(floor.time + 1);
    expect(floor.trades()).toEqual(['639000x20#3']);
  });

  it('is refused with an impossible schedule, slices that are too small, or funds that are not there', () => {
    const floor = new TradingFloor(create);
    for (const schedule of [
      { durationMs: 4_999 },
      { durationMs: 86_400_001, intervalMs: 90_000 },
      { intervalMs: 999 },
      { intervalMs: 5_000 },
      { durationMs: 1_001_000, quantity: 100_000 },
    ]) {
      expect(floor.twap(schedule)).toBe('INVALID_SCHEDULE');
    }
    expect(floor.twap({ durationMs: 1_000_000, quantity: 100_000 })).toBe('OK');
    expect(floor.twap({ quantity: 49 })).toBe('SLICE_BELOW_MINIMUM');
    expect(floor.twap({ quantity: 50, price: 10 })).toBe('BELOW_MINIMUM_NOTIONAL');
    expect(floor.twap({ owner: 300 })).toBe('INSUFFICIENT_FUNDS');
    expect(floor.twap({ owner: 99 })).toBe('ACCOUNT_LIMIT');
    expect(floor.twap({ orderId: 1 })).toBe('DUPLICATE_ID');
    expect(floor.runAt(2_000, 0)).toBe('INVALID_QUANTITY');
  });

  it('can not be amended, and ends as other orders do: by cancel, cancel all, or with its market', () => {
    const { floor, id } = opened({ clientOrderId: 'mine' });
    expect(floor.amend(id, ALICE, { quantity: 50 })).toBe('NOT_AMENDABLE');
    expect(floor.amend(id, BOB, { quantity: 50 })).toBe('ORDER_NOT_FOUND');
    expect(floor.cancel(id, BOB)).toBe('ORDER_NOT_FOUND');
    expect(floor.exchange.orderIdOf(ALICE, 'mine')).toBe(id);
    expect(floor.cancel(id, ALICE)).toBe('OK');
    expect(floor.changes()).toEqual([`#${id} cancelled BY_OWNER 100/100`]);
    expect([floor.exchange.orderIdOf(ALICE, 'mine'), floor.held(ALICE, USDT.id)]).toEqual([0, 0n]);
    floor.twap({});
    floor.verdict({ kind: 'cancel-all-orders', owner: ALICE, market: ETH_USDT.id });
    expect(floor.exchange.twaps().length).toBe(1);
    floor.verdict({ kind: 'cancel-all-orders', owner: ALICE, market: undefined, side: SELL });
    expect(floor.exchange.twaps().length).toBe(1);
    floor.verdict({ kind: 'cancel-all-orders', owner: ALICE, market: undefined, side: BUY });
    expect([floor.exchange.twaps().length, floor.held(ALICE, USDT.id)]).toEqual([0, 0n]);
    floor.twap({});
    const market = BTC_USDT.id;
    floor.verdict({ kind: 'halt-market', market, halted: true });
    floor.verdict({ kind: 'clear-market', market, maximum: 1 });
    expect(floor.verdict({ kind: 'delist-market', market })).toBe('MARKET_NOT_EMPTY');
    floor.verdict({ kind: 'clear-market', market, maximum: 5 });
    expect(floor.changes()).toEqual([`#${floor.lastOrderId()} cancelled MARKET_CLEARED 100/100`]);
    expect(floor.verdict({ kind: 'delist-market', market })).toBe('OK');
  });

  it('keeps its lots while its market is halted, and ends in time all the same', () => {
    const { floor, id, start } = opened();
    floor.verdict({ kind: 'halt-market', market: BTC_USDT.id, halted: true });
    expect(floor.twap({})).toBe('MARKET_HALTED');
    floor.runAt(start);
    floor.runAt(start + 1_000);
    expect(open(floor)).toEqual([{ remaining: 100, done: 2, nextAt: start + 2_000 }]);
    floor.verdict({ kind: 'halt-market', market: BTC_USDT.id, halted: false });
    floor.runAt(start + 2_000);
    expect(floor.trades()).toEqual(['639900x34#1']);
    floor.verdict({ kind: 'halt-market', market: BTC_USDT.id, halted: true });
    for (let slice = 3; slice < 5; slice += 1) floor.runAt(start + slice * 1_000);
    floor.runAt(start + 6_000);
    expect(floor.changes()).toEqual([`#${id} cancelled TIME_UP 66/100`]);
    expect(floor.held(ALICE, USDT.id)).toBe(0n);
  });

  it('gives way to an order of its owner with one slice, and goes on with the next', () => {
    const floor = new TradingFloor(create);
    floor.sell({ owner: ALICE, price: 639_900, quantity: 30 });
    const own = floor.lastOrderId();
    floor.twap({});
    const start = floor.time;
    floor.runAt(start);
    expect([floor.trades(), open(floor)[0]?.remaining]).toEqual([[], 100]);
    floor.cancel(own, ALICE);
    floor.sell({ owner: BOB, price: 639_900, quantity: 30 });
    floor.runAt(start + 1_000);
    expect(open(floor)[0]?.remaining).toBe(75);
    floor.cancel(floor.exchange.twaps()[0]!.orderId, ALICE);
    // Both become smaller, without a trade; what is lost so is no longer held.
    floor.cancel(3, BOB);
    floor.sell({ owner: ALICE, price: 639_900, quantity: 30 });
    floor.twap({ selfTrade: 'DECREMENT', quantity: 50 });
    floor.runAt(floor.time + 1);
    expect(floor.exchange.twaps()).toMatchObject([{ remaining: 40, quantity: 40 }]);
    expect(floor.held(ALICE, USDT.id)).toBe(40n * HELD);
  });

  it('triggers conditional orders by its trades, and counts among them', () => {
    const { floor, start } = opened();
    floor.exchange.rules = TRIGGERS_ARE_CONFIRMED - 1;
    floor.buy({ owner: CAROL, price: 640_000, quantity: 10 });
    floor.place({ owner: CAROL, side: BUY, quoteTotal: 64_000_000n, stop: { trigger: 639_950, price: 0 } });
    floor.cancel(1, BOB);
    floor.sell({ owner: BOB, price: 640_000, quantity: 200 });
    floor.runAt(start);
    expect(floor.triggerings()).toEqual(['#4 stop at 640000']);
    const few = new TradingFloor(create, { maximumUntriggeredOrdersPerOwner: 2, maximumUntriggeredOrdersPerMarket: 3 });
    few.sell({ owner: BOB, price: 640_000, quantity: 20 });
    few.buy({ owner: CAROL, price: 640_000, quantity: 10 });
    const stop = { stop: { trigger: 639_000, price: 0 } };
    expect([few.twap({}), few.place(stop), few.twap({}), few.place(stop)]).toEqual([
      ...['OK', 'OK', 'UNTRIGGERED_LIMIT', 'UNTRIGGERED_LIMIT'],
    ]);
    expect([few.twap({ owner: BOB }), few.twap({ owner: CAROL })]).toEqual(['OK', 'UNTRIGGERED_LIMIT']);
  });

  it('pays the fees of a taker, from fee credit first', () => {
    const { floor, start } = opened();
    floor.apply({ kind: 'set-fees', owner: ALICE, makerPpm: 0, takerPpm: 2_000 });
    floor.runAt(start);
    expect(floor.lastTrade().taker).toMatchObject({ owner: ALICE, fee: 40n, credit: 0n });
    // A slice of 20 lots is worth 12,798,000 units; two thousandths of that are paid by credit.
    floor.apply(issue('fee-credit-grant', ALICE, USDT.id, 30_000n));
    floor.runAt(start + 1_000);
    expect(floor.lastTrade().taker).toMatchObject({ fee: 0n, credit: 25_596n });
    expect(floor.exchange.twaps()[0]).toMatchObject({ fee: 40n, credit: 25_596n });
  });

  it('leaves those that a command has no room for to the next', () => {
    const { floor, id, start } = opened();
    floor.twap({ owner: CAROL });
    floor.runAt(start + 500, 1);
    expect(floor.lastTrade().taker.orderId).toBe(id);
    expect(floor.exchange.nextTwapAt()).toBe(start + 1);
    floor.runAt(start + 500, 1);
    expect(floor.lastTrade().taker.orderId).toBe(id + 1);
    expect(floor.exchange.nextTwapAt()).toBe(start + 1_000);
  });
});

describe('the schedule of a TWAP', () => {
  it('has as many slices as intervals begin before its end', () => {
    const slices = (durationMs: number, intervalMs: number) => scheduleOf(0, { durationMs, intervalMs })?.slices;
    expect([slices(600_000, 30_000), slices(15_000, 5_000), slices(5_000, 4_999)]).toEqual([20, 3, 2]);
    expect([slices(86_400_000, 86_400), slices(86_400_000, 86_399)]).toEqual([1_000, undefined]);
  });

  it('gets through the whole quantity in its slices, at any times, each no larger than planned or than the smallest order', () => {
    const late = fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 400, maxLength: 400 });
    const terms = fc.record({
      durationMs: fc.integer({ min: 5_000, max: 300_000 }),
      intervalMs: fc.integer({ min: 1_000, max: 4_999 }),
    });
    fc.assert(
      fc.property(terms, fc.integer({ min: 3_000, max: 100_000 }), late, (ask, quantity, delays) => {
        let order = { createdAt: 7, ...scheduleOf(7, ask)! };
        const planned = Math.max(10, Math.ceil(quantity / order.slices));
        let [remaining, run] = [quantity, 0];
        for (; remaining > 0; run += 1) {
          expect(run).toBeLessThan(order.slices);
          const time = order.nextAt + delays[run]!;
          const { left, schedule } = dueSlice(order, time, TWAPS_ARE_SPREAD);
          const lots = sliceLots(BTC_USDT, 640_000, remaining, left);
          expect(lots).toBeLessThanOrEqual(planned);
          remaining -= lots;
          expect(schedule.done).toBe(order.done + 1);
          expect(schedule.endsAt - order.endsAt).toBeLessThanOrEqual(delays[run]!);
          if (schedule.done < order.slices) expect(schedule.nextAt).toBeGreaterThan(time);
          order = { ...order, ...schedule };
        }
      }),
    );
  });

  it('makes a slice at least the smallest order of the pair, or takes all of a rest that is smaller', () => {
    expect(sliceLots(BTC_USDT, 640_000, 100, 5)).toBe(20);
    expect(sliceLots(BTC_USDT, 640_000, 101, 5)).toBe(21);
    expect(sliceLots(BTC_USDT, 640_000, 40, 5)).toBe(10);
    expect(sliceLots(BTC_USDT, 640_000, 7, 5)).toBe(7);
    // Worth at least a million units: 50 lots at 20,000 ticks.
    expect(sliceLots(BTC_USDT, 20_000, 1_000, 100)).toBe(50);
  });

  it('is kept by a snapshot', () => {
    const floor = new TradingFloor(createExchange);
    floor.sell({ owner: BOB, price: 639_900, quantity: 50 });
    floor.twap({ clientOrderId: 'mine' });
    floor.runAt(floor.time + 1);
    const exchange = floor.exchange as ReturnType<typeof createExchange>;
    const { bytes, stateHash } = writeSnapshot(exchange, { rules: 2, batch: 1 });
    const copy = readSnapshot(bytes, 2).exchange;
    expect([copy.twaps(), copy.stateHash(), copy.nextTwapAt()]).toEqual([
      ...[exchange.twaps(), stateHash, exchange.nextTwapAt()],
    ]);
    expect(copy.twaps()).toMatchObject([{ remaining: 80, done: 1 }]);
  });
});
