/** The band of a spot market and the reference that it is measured from, by example, in both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import { movedReference, REFERENCE_SCALE, referenceTicks } from '../money/reference-price.ts';
import { BTC_USDT } from '../simulation/markets.ts';
import { ALICE, BOB, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { SELL } from '../terms/order-terms.ts';
import { BAND_FROM_REFERENCE } from '../terms/rules.ts';

const PRICE = 600_000;
const tell = (price: number, isReferenceOnly = true) =>
  ({ kind: 'set-reference-price', market: BTC_USDT.id, price, isReferenceOnly }) as const;

describe.each(ENGINES)('the band of a spot market, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
  });

  /** One trade of Alice's with Bob. */
  function trade(price: number): string {
    const bid = floor.buy({ price, quantity: 10 });
    const taken = floor.sell({ owner: BOB, price, quantity: 10, timeInForce: 'IOC' });
    if (bid === 'OK' && taken !== 'OK') floor.cancel(floor.lastOrderId(), ALICE);
    return bid === 'OK' ? taken : bid;
  }

  /** The lowest price at which an order is taken. */
  function lowest(): number {
    let [low, high] = [1, PRICE * 2];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const verdict = floor.buy({ price: middle, quantity: 1_000 });
      if (verdict === 'OK') floor.cancel(floor.lastOrderId(), ALICE);
      if (verdict === 'PRICE_OUTSIDE_BAND') low = middle + 1;
      else high = middle;
      floor.time -= 1;
    }
    return low;
  }

  /** Trades at each tenth below the last that is taken, one after another within a second. @returns the last price */
  function ladder(): number {
    let price = PRICE;
    for (let step = 0; step < 22; step += 1) {
      const next = Math.ceil(price * 0.91);
      if (trade(next) !== 'OK') break;
      price = next;
    }
    return floor.exchange.marketState(BTC_USDT.id).lastPrice;
  }

  it('is not moved by a ladder of tiny trades, each within a band of the one before', () => {
    expect(trade(PRICE)).toBe('OK');
    expect(ladder()).toBe(546_000);
    expect(floor.buy({ price: 539_000 })).toBe('PRICE_OUTSIDE_BAND');
  });

  it('was moved anywhere under older rules, which journals of that time are replayed by', () => {
    floor.exchange.rules = BAND_FROM_REFERENCE - 1;
    expect(trade(PRICE)).toBe('OK');
    expect(ladder()).toBeLessThan(PRICE * 0.2);
    expect(floor.exchange.marketState(BTC_USDT.id)).toMatchObject({ reference: 0, referenceAt: 0 });
  });

  it('follows a price as long as that has been the last one', () => {
    trade(PRICE);
    floor.time += 1_000_000;
    trade(550_000);
    const since = floor.time;
    expect(lowest()).toBe(539_999);
    floor.time = since + 300_000;
    // Halfway, and the command takes a millisecond.
    expect(lowest()).toBeLessThanOrEqual(Math.ceil(575_000 * 0.9));
    expect(lowest()).toBeGreaterThan(Math.ceil(574_900 * 0.9));
    trade(560_000);
    expect(floor.lastTrade()).toMatchObject({ reference: expect.any(Number) });
    floor.time += 2 ** 26;
    expect(lowest()).toBe(504_000);
  });

  it('is measured from a price told from outside while that is fresh, whatever is traded', () => {
    expect(floor.verdict(tell(PRICE))).toBe('NO_PRICE');
    trade(PRICE);
    trade(560_000);
    expect(floor.verdict(tell(610_000))).toBe('OK');
    const toldAt = floor.time;
    expect(floor.events).toEqual([
      expect.objectContaining({ kind: 'reference-told', price: 610_000, referenceAt: toldAt + 30_000 }),
    ]);
    expect(floor.exchange.marketState(BTC_USDT.id).lastPrice).toBe(560_000);
    trade(555_000);
    expect(floor.lastTrade().reference).toBeUndefined();
    expect(lowest()).toBe(549_000);
    floor.time = toldAt + 29_990;
    expect(lowest()).toBe(549_000);
    // Then trades move it again, from where it was.
    floor.time = toldAt + 30_000 + 300_000;
    expect(lowest()).toBeLessThanOrEqual(Math.ceil(582_500 * 0.9));
  });

  it('of a market that traded under older rules begins at its last price', () => {
    floor.exchange.rules = BAND_FROM_REFERENCE - 1;
    trade(PRICE);
    floor.exchange.rules = BAND_FROM_REFERENCE;
    expect(lowest()).toBe(540_000);
    trade(541_000);
    expect(lowest()).toBe(539_999);
    expect(trade(500_000)).toBe('PRICE_OUTSIDE_BAND');
  });

  it('bounds market orders and slices of TWAPs as well', () => {
    trade(PRICE);
    floor.buy({ price: 545_000, quantity: 10 });
    floor.buy({ price: 541_000, quantity: 10 });
    expect(floor.verdict(tell(PRICE + 4_000))).toBe('OK');
    floor.market({ owner: BOB, side: SELL, quantity: 30 });
    expect(floor.trades()).toEqual([expect.stringMatching(/^545000x10/)]);
    floor.buy({ price: 544_000, quantity: 1_000 });
    expect(floor.twap({ owner: BOB, side: SELL, price: 543_900, quantity: 100 })).toBe('OK');
    expect(floor.verdict(tell(PRICE + 10_000))).toBe('OK');
    floor.runAt(floor.time + 1);
    expect(floor.trades()).toEqual([]);
  });
});

describe('a reference', () => {
  it('moves by the time of a price, exactly, towards it and never past it', () => {
    const from = PRICE * REFERENCE_SCALE;
    expect(movedReference(from, 540_000, 300_000)).toBe(570_000 * REFERENCE_SCALE);
    expect(movedReference(from, 660_000, 150_000)).toBe(620_000 * REFERENCE_SCALE);
    // A millisecond of a tick more is far less than a tick.
    expect(movedReference(from, PRICE + 1, 1) - from).toBe(Math.floor(REFERENCE_SCALE / 300_001));
    for (const [last, ms] of [[2_147_483_647, 2 ** 26 - 1] as const, [1, 2 ** 26 - 1] as const, [7, 3] as const]) {
      const exact =
        (BigInt(from) * 300_000n + BigInt(last) * BigInt(REFERENCE_SCALE) * BigInt(ms)) / BigInt(300_000 + ms);
      const rounded = last > PRICE ? exact : exact + 1n;
      expect(BigInt(movedReference(from, last, ms))).toBe(rounded);
    }
    expect(movedReference(from, 1, 2 ** 26)).toBe(REFERENCE_SCALE);
  });

  it('goes no further in a time than the exponential, however often the price changes', () => {
    let reference = PRICE * REFERENCE_SCALE;
    for (let ms = 0; ms < 60_000; ms += 1) reference = movedReference(reference, 540_000, 1);
    const left = reference / REFERENCE_SCALE - 540_000;
    expect(left / 60_000).toBeGreaterThanOrEqual(Math.exp(-0.2));
    expect(left / 60_000).toBeCloseTo(Math.exp(-0.2), 4);
    expect(referenceTicks({ reference, referenceAt: 5 }, 540_000, 5)).toBe(Math.floor(reference / REFERENCE_SCALE));
  });
});
