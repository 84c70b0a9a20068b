/** What one command costs that triggers or trades a lot: in proportion to that, whatever else its owners have untriggered. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createExchange } from '../exchange/create-exchange.ts';
import { BTC_PERPETUAL } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, TradingFloor } from '../simulation/trading-floor.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
const [PRICE, LOTS] = [10_000, 2];
const FIRST = 1_000;

/** Counts the elements that the methods of arrays that look at all of them are given, until the test ends. */
function countElements(): () => number {
  let elements = 0;
  for (const name of ['some', 'filter', 'sort'] as const) {
    const plain = Array.prototype[name] as (this: unknown[], ...given: unknown[]) => unknown;
    vi.spyOn(Array.prototype, name).mockImplementation(function (this: unknown[], ...given: unknown[]) {
      elements += this.length;
      return plain.apply(this, given) as never;
    });
  }
  return () => elements;
}

describe('a client with many orders that end with a position', () => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(createExchange);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 1_000n * USD);
    floor.index(PRICE, MARKET);
    trade(ALICE, BOB, LOTS);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const buy = (owner: number, price: number, quantity: number) => floor.buy({ market: MARKET, owner, price, quantity });
  const sell = (owner: number, price: number, quantity: number) =>
    floor.sell({ market: MARKET, owner, price, quantity });
  function trade(buyer: number, seller: number, quantity: number): void {
    sell(seller, PRICE, quantity);
    buy(buyer, PRICE, quantity);
  }
  const stop = (owner: number, trigger: number) => {
    const size = { quantity: 0, quoteTotal: 0n, reduceOnly: true };
    return floor.place({ market: MARKET, owner, source: 'mark', ...size, stop: { trigger, price: 0 } });
  };
  const applied = (price: number) => {
    floor.exchange.apply(floor.time + 1, { kind: 'set-index-price', market: MARKET, price, waitsWhileHalted: true });
    return floor.exchange.takeEvents();
  };

  it('takes the other side of a hundred stops without a look at all of them for each of its own', () => {
    const others = Array.from({ length: 100 }, (_, place) => FIRST + place);
    for (const owner of others) {
      floor.fund(owner, 0, 100n * USD);
      floor.moveToFutures(owner, 100n * USD);
      trade(owner, BOB, LOTS);
      expect(stop(owner, 9_800)).toBe('OK');
    }
    for (let times = 0; times < 50; times += 1) expect(stop(ALICE, 5_000)).toBe('OK');
    buy(ALICE, 9_700, others.length * LOTS);
    const elements = countElements();
    const events = applied(9_790);
    const counted = elements();
    expect(events.filter(({ kind }) => kind === 'order-triggered')).toHaveLength(others.length);
    expect(floor.position(ALICE, MARKET)?.position?.lots).toBe(LOTS + others.length * LOTS);
    // Before, each of its fifty looked through the hundred at each trade: half a million.
    expect(counted).toBeLessThan(10_000);
  });

  it('trades with many orders at once and has its own looked at once', () => {
    for (let times = 0; times < 50; times += 1) expect(stop(ALICE, 5_000)).toBe('OK');
    for (let place = 0; place < 100; place += 1) sell(CAROL, PRICE + place, LOTS);
    const order = floor.order({ market: MARKET, price: PRICE + 100, quantity: 100 * LOTS });
    const elements = countElements();
    const outcome = floor.exchange.apply(floor.time + 1, order);
    const counted = elements();
    expect([outcome.ok, floor.position(ALICE, MARKET)?.position?.lots]).toEqual([true, 101 * LOTS]);
    expect(counted).toBeLessThan(2_000);
  });
});
