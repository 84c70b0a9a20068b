/** Take-profits and stops of perpetual positions by example, in both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConditionalTerms } from '../orders/conditional/conditional-order.ts';
import { BTC_PERPETUAL, BTC_USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import { REDUCING_ENDS_WITH_POSITION } from '../terms/rules.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
/** 50 lots at 10,000 ticks: 50 USDT. */
const [PRICE, LOTS] = [10_000, 50];

describe.each(ENGINES)('orders that end a position, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 100n * USD);
    expect(floor.index(PRICE, MARKET)).toBe('OK');
    sell(BOB);
    buy(ALICE);
  });

  const buy = (owner: number, price = PRICE, quantity = LOTS) => floor.buy({ market: MARKET, owner, price, quantity });
  const sell = (owner: number, price = PRICE, quantity = LOTS) =>
    floor.sell({ market: MARKET, owner, price, quantity });
  /** Of all that is open, at market, by the mark. */
  const exit = (terms: Partial<ConditionalTerms>) =>
    floor.place({ market: MARKET, source: 'mark', quantity: 0, quoteTotal: 0n, reduceOnly: true, ...terms });
  const stopAt = (trigger: number) => ({ stop: { trigger, price: 0 } });
  const reasons = () => floor.triggerings().map((text) => text.split(' ')[1]);
  const open = (owner: number) => floor.position(owner, MARKET)?.position?.lots ?? 0;

  it('hold nothing, and close all that is open when they are triggered', () => {
    const before = floor.future(ALICE);
    expect(exit(stopAt(9_800))).toBe('OK');
    expect(floor.future(ALICE)).toEqual(before);
    buy(ALICE, 9_950, 20);
    sell(CAROL, 9_950, 20);
    buy(CAROL, 9_700, 100);
    floor.index(9_800, MARKET);
    expect(floor.triggerings()).toEqual([`#${floor.lastOrderId() - 3} stop at 9800`]);
    expect(floor.trades()).toEqual([`9700x70#${floor.lastOrderId()}`]);
    expect(open(ALICE)).toBe(0);
  });

  it('wait while the market is halted, and are triggered by the first mark after that', () => {
    exit(stopAt(9_800));
    const stop = floor.lastOrderId();
    buy(CAROL, 9_700, 100);
    floor.apply({ kind: 'halt-market', market: MARKET, halted: true });
    floor.index(9_790, MARKET);
    expect([floor.triggerings(), open(ALICE)]).toEqual([[], LOTS]);
    floor.apply({ kind: 'halt-market', market: MARKET, halted: false });
    floor.index(9_790, MARKET);
    expect([floor.triggerings(), open(ALICE)]).toEqual([[`#${stop} stop at 9790`], 0]);
  });

  it('close shorts by lots, whatever they cost', () => {
    expect(exit({ owner: BOB, side: BUY, quoteTotal: 50n * USD, ...stopAt(10_200) })).toBe('INVALID_QUANTITY');
    expect(exit({ owner: BOB, side: BUY, quantity: 30, ...stopAt(10_200) })).toBe('OK');
    sell(CAROL, 10_300);
    floor.index(10_250, MARKET);
    expect(floor.trades()).toEqual([`10300x30#${floor.lastOrderId()}`]);
    expect(open(BOB)).toBe(20);
  });

  it('are triggered by the index where they watch it, whatever the mark is', () => {
    const { symbol: _symbol, base: _base, quote: _quote, perpetual, ...limits } = BTC_PERPETUAL;
    const { id: market, tickScale: _ticks, lotScale: _lots, ...bounds } = limits;
    const loose = { ...perpetual!, markClampPpm: 50_000 };
    expect(floor.verdict({ kind: 'change-market', market, ...bounds, perpetual: loose })).toBe('OK');
    buy(CAROL, 9_990, 10);
    sell(CAROL, 10_010, 10);
    expect(exit(stopAt(9_800))).toBe('OK');
    expect(exit({ source: 'index', ...stopAt(PRICE) })).toBe('WOULD_TRIGGER');
    expect(exit({ source: 'index', ...stopAt(9_800) })).toBe('OK');
    const byIndex = floor.lastOrderId();
    floor.index(9_790, MARKET);
    // The book keeps the mark near its middle.
    expect(floor.exchange.marketState(MARKET).markPrice).toBeGreaterThan(9_900);
    expect(floor.triggerings()).toEqual([`#${byIndex} stop at 9790`]);
    expect(floor.exchange.untriggeredOrdersOf(ALICE)).toMatchObject([{ source: 'mark' }]);
  });

  it('have no index to watch while it is lost, and none in a spot market', () => {
    floor.index(0, MARKET);
    expect(exit({ source: 'index', ...stopAt(9_800) })).toBe('NO_PRICE');
    floor.buy({ owner: BOB, price: 640_000 });
    floor.sell({ owner: CAROL, price: 640_000 });
    expect(floor.place({ source: 'index', ...stopAt(600_000) })).toBe('NO_PRICE');
  });

  it('need something to close, and only those of a part wait for it where an entry may bring it', () => {
    expect(exit({ owner: CAROL, ...stopAt(9_800) })).toBe('NOTHING_TO_CLOSE');
    expect(exit({ side: BUY, ...stopAt(10_200) })).toBe('NOTHING_TO_CLOSE');
    expect(exit({ owner: CAROL, quantity: 10, ...stopAt(9_800) })).toBe('NOTHING_TO_CLOSE');
    buy(CAROL, 9_900, 2);
    expect(exit({ owner: CAROL, ...stopAt(9_800) })).toBe('NOTHING_TO_CLOSE');
    expect(exit({ owner: CAROL, quantity: 10, ...stopAt(9_800) })).toBe('OK');
    floor.cancel(floor.lastOrderId() - 2, CAROL);
    expect(floor.place({ ...stopAt(600_000), reduceOnly: true })).toBe('NO_PRICE');
    floor.mark(640_000, BTC_USDT.id);
    expect(floor.place({ source: 'mark', ...stopAt(600_000), reduceOnly: true })).toBe('NOTHING_TO_CLOSE');
    floor.index(9_700, MARKET);
    expect(floor.triggerings()).toContainEqual(expect.stringMatching(/NOTHING_TO_CLOSE/));
  });

  it('end with the position, whether it is closed or turned around', () => {
    exit(stopAt(9_800));
    exit({ takeProfit: { trigger: 11_000, price: 0 } });
    exit({ quantity: 10, ...stopAt(9_700) });
    buy(CAROL, PRICE, 80);
    floor.sell({ market: MARKET, owner: ALICE, price: PRICE, quantity: 80 });
    expect(reasons()).toEqual(Array(3).fill('NOTHING_TO_CLOSE'));
    expect(floor.exchange.untriggeredOrdersOf(ALICE)).toEqual([]);
    expect(open(ALICE)).toBe(30);
  });

  it('outlived it in a journal of older rules where they had a quantity', () => {
    floor.exchange.rules = REDUCING_ENDS_WITH_POSITION - 1;
    exit(stopAt(9_800));
    exit({ quantity: 10, ...stopAt(9_700) });
    buy(CAROL);
    sell(ALICE);
    expect(reasons()).toEqual(['NOTHING_TO_CLOSE']);
    expect(floor.exchange.untriggeredOrdersOf(ALICE)).toMatchObject([{ quantity: 10 }]);
  });

  it('stay with a part of it, and where they wait for another one', () => {
    exit({ quantity: 10, ...stopAt(9_700) });
    // For a short position that is not open yet.
    sell(ALICE, 10_900, 2);
    exit({ side: BUY, quantity: 2, ...stopAt(10_950) });
    buy(CAROL);
    sell(ALICE, PRICE, LOTS - 2);
    expect([open(ALICE), reasons()]).toEqual([2, []]);
    sell(ALICE, PRICE, 2);
    expect([open(ALICE), reasons()]).toEqual([0, ['NOTHING_TO_CLOSE']]);
    expect(floor.exchange.untriggeredOrdersOf(ALICE)).toMatchObject([{ side: BUY, quantity: 2 }]);
  });

  it('end where it is liquidated, and where it is deleveraged against another', () => {
    for (const owner of [ALICE, BOB]) expect(floor.moveToFutures(owner, -94n * USD)).toBe('OK');
    exit({ quantity: 10, ...stopAt(6_000) });
    exit({ owner: BOB, side: BUY, quantity: 10, ...stopAt(13_000) });
    for (const price of [9_500, 9_000, 8_500]) floor.index(price, MARKET);
    expect([open(ALICE), open(BOB)]).toEqual([0, 0]);
    expect(floor.events.some(({ kind }) => kind === 'position-deleveraged')).toBe(true);
    expect(reasons()).toEqual(['NOTHING_TO_CLOSE', 'NOTHING_TO_CLOSE']);
  });

  it('end where it was opened anew before the next slice, if they are a TWAP', () => {
    const twap = { kind: 'place-twap', market: MARKET, owner: ALICE, side: SELL, price: 9_900, quantity: 20 } as const;
    const orderId = floor.exchange.counters().lastOrderId + 1;
    const schedule = { durationMs: 10_000, intervalMs: 1_000, selfTrade: 'CANCEL_NEWEST', reduceOnly: true } as const;
    expect(floor.verdict({ ...twap, orderId, ...schedule })).toBe('OK');
    buy(CAROL);
    sell(ALICE);
    expect(floor.changes()).toContain(`#${orderId} cancelled NOTHING_TO_CLOSE 20/20`);
    expect(floor.exchange.twap(orderId)).toBeUndefined();
  });

  it('come before what rests to close the same', () => {
    floor.sell({ market: MARKET, owner: ALICE, price: 11_000, quantity: LOTS, reduceOnly: true });
    exit(stopAt(9_800));
    buy(CAROL, 9_750);
    floor.index(9_790, MARKET);
    expect(floor.changes()[0]).toMatch(/cancelled NOTHING_TO_CLOSE/);
    expect(open(ALICE)).toBe(0);
  });

  it('are one where they are both a take-profit and a stop', () => {
    exit({ takeProfit: { trigger: 10_100, price: 10_100 }, ...stopAt(9_800) });
    buy(CAROL, 10_100);
    floor.index(10_100, MARKET);
    expect(floor.triggerings()).toEqual([`#${floor.lastOrderId() - 1} take-profit at 10100`]);
    expect([open(ALICE), floor.exchange.untriggeredOrderCount()]).toEqual([0, 0]);
  });

  it('may open one too, and need their margin when they are triggered', () => {
    const enter = (owner: number, quantity: number) =>
      exit({ owner, side: BUY, quantity, reduceOnly: undefined, ...stopAt(10_100) });
    expect(enter(CAROL, 0)).toBe('INVALID_QUANTITY');
    expect(enter(CAROL, 2)).toBe('OK');
    expect(enter(ALICE, 50)).toBe('OK');
    expect(floor.moveToFutures(ALICE, -94n * USD)).toBe('OK');
    sell(BOB, 10_150, 60);
    floor.index(10_100, MARKET);
    expect(open(CAROL)).toBe(2);
    expect(floor.triggerings().at(-1)).toMatch(/INSUFFICIENT_FUNDS/);
  });
});
