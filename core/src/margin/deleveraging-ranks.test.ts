/** Whose position is closed against one that is liquidated, over several commands at one mark, in both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createExchange } from '../exchange/create-exchange.ts';
import { BTC_PERPETUAL, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { NET } from '../terms/order-terms.ts';
import { LONG, SHORT } from './perpetual.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
const PRICE = 10_000;
/** More than one mark liquidates with it. */
const LONGS = 29;
const FIRST_LONG = 500;

function openAll(floor: TradingFloor): void {
  const market = { market: MARKET, price: PRICE };
  floor.index(PRICE, MARKET);
  for (const owner of [BOB, CAROL]) {
    floor.moveToFutures(owner, 100n * USD);
    expect(floor.sell({ ...market, owner, quantity: 60 })).toBe('OK');
  }
  for (let owner = FIRST_LONG; owner < FIRST_LONG + LONGS; owner += 1) {
    floor.fund(owner, USDT.id, USD);
    floor.moveToFutures(owner, USD);
    floor.verdict({ kind: 'set-leverage', owner, market: MARKET, leverage: 50, isIsolated: true });
    expect(floor.buy({ ...market, owner, quantity: 2 })).toBe('OK');
  }
  floor.moveToFutures(ALICE, 1_000n * USD);
  expect(floor.buy({ ...market, owner: ALICE, quantity: 120 - 2 * LONGS })).toBe('OK');
}

describe.each(ENGINES)('deleveraging over several commands, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    openAll(floor);
    floor.index(9_750, MARKET);
  });

  /** By the last command. */
  const closed = () => floor.events.flatMap((event) => (event.kind === 'position-deleveraged' ? event.owner : []));
  /** Who is closed against by the next accounts. */
  const next = (maximum: number) => {
    expect(floor.verdict({ kind: 'run-liquidations', maximum })).toBe('OK');
    return closed();
  };

  it('takes turns between two that are alike, as each stands lower once a part of it is closed', () => {
    expect(closed().slice(0, 4)).toEqual([BOB, CAROL, BOB, CAROL]);
    expect(closed()).toHaveLength(20);
    expect(next(2)).toEqual([BOB, CAROL]);
  });

  it('takes those first who have taken money out since, and those last who have paid money in', () => {
    expect(floor.moveToFutures(CAROL, -50n * USD)).toBe('OK');
    expect(next(3)).toEqual([CAROL, CAROL, CAROL]);
    expect(floor.moveToFutures(CAROL, 900n * USD)).toBe('OK');
    expect(next(3)).toEqual([BOB, BOB, BOB]);
  });

  it('ranks anew at another mark', () => {
    expect(floor.moveToFutures(CAROL, 900n * USD)).toBe('OK');
    floor.index(9_700, MARKET);
    expect(closed()).toEqual(Array.from({ length: LONGS - 20 }, () => BOB));
  });
});

describe('the order of deleveraging', () => {
  it('is what the engine closes by, and can be read for each position of a side', () => {
    const exchange = createExchange();
    const floor = new TradingFloor(() => exchange);
    openAll(floor);
    floor.moveToFutures(CAROL, -50n * USD);
    floor.index(9_900, MARKET);
    expect([...exchange.openPositions(MARKET, SHORT)]).toEqual([BOB, CAROL].map((owner) => ({ owner, leg: NET })));
    expect([...exchange.openPositions(MARKET, LONG)]).toHaveLength(LONGS + 1);
    const [ben, carol] = [BOB, CAROL].map((owner) => exchange.deleveragingRankOf(owner, MARKET, NET)!);
    expect(carol).toBeGreaterThan(ben!);
    expect(exchange.deleveragingRankOf(BOB, MARKET, 1)).toBeUndefined();
    expect(floor.sell({ market: MARKET, price: 9_900, owner: ALICE, quantity: 60 })).toBe('OK');
    expect(floor.buy({ market: MARKET, price: 9_900, owner: BOB, quantity: 60 })).toBe('OK');
    expect([...exchange.openPositions(MARKET, SHORT)]).toEqual([{ owner: CAROL, leg: NET }]);
  });
});
