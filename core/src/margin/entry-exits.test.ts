/** Exits that come with an entry of a perpetual, by example, in both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { PlaceOrder } from '../orders/commands.ts';
import { BTC_PERPETUAL } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { BUY, SELL } from '../terms/order-terms.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
/** 50 lots at 10,000 ticks: 50 USDT. */
const [PRICE, LOTS] = [10_000, 50];

describe.each(ENGINES)('exits of an entry of a perpetual, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 200n * USD);
    expect(floor.index(PRICE, MARKET)).toBe('OK');
  });

  const trade = (side: 0 | 1, owner: number, quantity: number, terms: Partial<PlaceOrder> = {}) =>
    floor.verdict(floor.order({ market: MARKET, side, owner, price: PRICE, quantity, ...terms }));
  const exits = {
    source: 'mark',
    takeProfit: { trigger: 10_500, price: 0 },
    stop: { trigger: 9_800, price: 0 },
  } as const;
  const enter = (terms: Partial<PlaceOrder> = {}) => trade(BUY, ALICE, LOTS, { exits, ...terms });
  const untriggered = (owner = ALICE) =>
    floor.exchange.untriggeredOrdersOf(owner).map(({ side, quantity, reduceOnly }) => [side, quantity, reduceOnly]);
  const open = (owner: number) => floor.position(owner, MARKET)?.position?.lots ?? 0;

  it('cover what is filled, hold nothing, and grow with it', () => {
    expect(enter()).toBe('OK');
    expect(untriggered()).toEqual([]);
    trade(SELL, BOB, 20);
    const held = floor.future(ALICE)[1];
    expect(untriggered()).toEqual([[SELL, 20, true]]);
    trade(SELL, BOB, 30);
    expect(untriggered()).toEqual([[SELL, 50, true]]);
    expect(held).toBeGreaterThan(0n);
    expect(floor.future(ALICE)[1]).toBe(0n);
    trade(BUY, CAROL, LOTS, { price: 9_750 });
    floor.index(9_790, MARKET);
    expect(open(ALICE)).toBe(0);
  });

  it('cover a short by buying', () => {
    const below = { takeProfit: { trigger: 9_500, price: 0 }, stop: { trigger: 10_200, price: 0 } };
    expect(trade(SELL, ALICE, LOTS, { exits: { source: 'mark', ...below } })).toBe('OK');
    trade(BUY, BOB, LOTS);
    expect(untriggered()).toEqual([[BUY, LOTS, true]]);
  });

  it('cover nothing that only closes, and what is opened beyond it', () => {
    trade(SELL, ALICE, 30);
    trade(BUY, BOB, 30);
    enter();
    trade(SELL, CAROL, 20);
    expect(untriggered()).toEqual([]);
    trade(SELL, CAROL, 30);
    expect(open(ALICE)).toBe(20);
    expect(untriggered()).toEqual([[SELL, 20, true]]);
  });

  it('end with the position, and come anew for what the entry fills later', () => {
    enter({ price: 9_900 });
    trade(SELL, BOB, 20, { price: 9_900 });
    trade(BUY, CAROL, 20, { price: 9_950 });
    expect(trade(SELL, ALICE, 20, { price: 9_950, reduceOnly: true })).toBe('OK');
    expect([open(ALICE), untriggered()]).toEqual([0, []]);
    trade(SELL, BOB, 30, { price: 9_900 });
    expect(untriggered()).toEqual([[SELL, 30, true]]);
  });

  it('close the leg that the entry opens', () => {
    floor.verdict({ kind: 'set-position-mode', owner: ALICE, market: MARKET, isHedged: true });
    enter({ positionSide: 'long' });
    trade(SELL, BOB, LOTS);
    expect(floor.exchange.untriggeredOrdersOf(ALICE)).toMatchObject([{ positionSide: 'long', side: SELL }]);
    trade(BUY, CAROL, LOTS, { price: 10_100 });
    floor.index(10_500, MARKET);
    expect(floor.position(ALICE, MARKET, 1)?.position).toBeUndefined();
  });

  it('are refused to an order that opens nothing', () => {
    enter();
    trade(SELL, BOB, LOTS);
    const closing = { exits: { source: 'mark', takeProfit: undefined, stop: { trigger: 10_400, price: 0 } } } as const;
    expect(trade(SELL, ALICE, LOTS, { ...closing, reduceOnly: true })).toBe('EXITS_NEED_ENTRY');
    floor.verdict({ kind: 'set-position-mode', owner: CAROL, market: MARKET, isHedged: true });
    expect(trade(SELL, CAROL, LOTS, { ...closing, positionSide: 'long' })).toBe('EXITS_NEED_ENTRY');
  });
});
