/** TWAPs of perpetuals by example, in both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { PlaceTwap } from '../orders/twap/twap.ts';
import { BTC_PERPETUAL } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { BUY, SELL, type Side } from '../terms/order-terms.ts';
import { LOSSES_TOGETHER, REDUCING_ENDS_WITH_POSITION } from '../terms/rules.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
const PRICE = 10_000;

describe.each(ENGINES)('TWAPs of perpetuals, $engine', ({ create }) => {
  let floor: TradingFloor;
  let begun: number;
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 200n * USD);
    expect(floor.index(PRICE, MARKET)).toBe('OK');
  });

  const place = (terms: Partial<PlaceTwap> = {}) => {
    const verdict = floor.twap({ market: MARKET, price: PRICE, quantity: 50, ...terms });
    begun = floor.time;
    return verdict;
  };
  const rest = (side: Side, owner: number, quantity: number, price = PRICE) =>
    floor.verdict(floor.order({ market: MARKET, side, owner, price, quantity }));
  const slice = (place: number) => floor.runAt(begun + place * 1_000);
  const open = (owner: number) => floor.position(owner, MARKET)?.position?.lots ?? 0;

  it('reserve the margin of all lots, and open by equal slices', () => {
    rest(SELL, BOB, 100);
    expect(place()).toBe('OK');
    const [, held] = floor.future(ALICE);
    expect(held).toBeGreaterThan(0n);
    slice(0);
    slice(1);
    expect(open(ALICE)).toBe(20);
    expect(floor.future(ALICE)[1]).toBe((held * 3n) / 5n);
  });

  it('only reduce where they say so: they hold nothing, close no more than is open, and end with the position', () => {
    expect(place({ side: SELL, reduceOnly: true })).toBe('NOTHING_TO_CLOSE');
    rest(SELL, BOB, 30);
    rest(BUY, ALICE, 30);
    expect(place({ side: SELL, price: 9_900, quantity: 100, reduceOnly: true })).toBe('OK');
    const twap = floor.lastOrderId();
    expect(floor.future(ALICE)[1]).toBe(0n);
    rest(BUY, CAROL, 100, 9_950);
    slice(0);
    expect(open(ALICE)).toBe(10);
    slice(1);
    expect(open(ALICE)).toBe(0);
    expect(floor.changes().at(-1)).toBe(`#${twap} cancelled NOTHING_TO_CLOSE 70/100`);
  });

  it('ended by their next slice in a journal of older rules', () => {
    floor.exchange.rules = REDUCING_ENDS_WITH_POSITION - 1;
    rest(SELL, BOB, 30);
    rest(BUY, ALICE, 30);
    expect(place({ side: SELL, price: 9_900, quantity: 100, reduceOnly: true })).toBe('OK');
    const twap = floor.lastOrderId();
    rest(BUY, CAROL, 100, 9_950);
    for (const number of [0, 1]) slice(number);
    expect([open(ALICE), floor.exchange.twap(twap)?.remaining]).toEqual([0, 70]);
    slice(2);
    expect(floor.changes()).toEqual([`#${twap} cancelled NOTHING_TO_CLOSE 70/100`]);
  });

  it('get nothing while there is no index to open by, and go on afterwards', () => {
    rest(SELL, BOB, 100);
    place();
    floor.index(0, MARKET);
    slice(0);
    expect(open(ALICE)).toBe(0);
    floor.index(PRICE, MARKET);
    slice(1);
    expect(open(ALICE)).toBe(13);
  });

  it('end when their wallet is liquidated', () => {
    rest(SELL, BOB, 1_500);
    rest(BUY, ALICE, 1_500);
    expect(place({ price: 9_000, quantity: 50 })).toBe('OK');
    const twap = floor.lastOrderId();
    for (const price of [9_700, 9_400, 9_100, 8_700, 8_500]) floor.index(price, MARKET);
    expect(floor.exchange.twap(twap)).toBeUndefined();
    expect(floor.future(ALICE)[1]).toBe(0n);
  });

  it('all end when their wallet has lost what it has free, though the first of them would be enough', () => {
    // The newest refuse orders that lose so much.
    floor.exchange.rules = LOSSES_TOGETHER - 1;
    rest(BUY, BOB, 1_000);
    rest(SELL, ALICE, 1_000);
    for (const intervalMs of [1_000, 2_000]) expect(place({ side: SELL, quantity: 450, intervalMs })).toBe('OK');
    rest(SELL, CAROL, 400, 13_000);
    floor.verdict(floor.order({ market: MARKET, side: BUY, price: 13_000, quantity: 400, reduceOnly: true }));
    expect(floor.changes().filter((change) => change.includes('LIQUIDATED'))).toHaveLength(2);
    const [available, held] = floor.future(ALICE);
    expect([available > 45n * USD, held]).toEqual([true, 0n]);
  });
});
