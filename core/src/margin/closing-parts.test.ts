/** Triggered orders that only reduce: they close all that they are to close, and take nothing away where they are refused. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { MarketSpec } from '../money/market.ts';
import type { ConditionalTerms } from '../orders/conditional/conditional-order.ts';
import { BTC_PERPETUAL, listing } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';

const USD = 1_000_000n;
/** With a largest order that a position is beyond. */
const SMALL: MarketSpec = { ...BTC_PERPETUAL, id: 31, symbol: 'SMALL-USDT-SWAP', maximumLots: 20 };
const MARKET = SMALL.id;
const [PRICE, LOTS] = [10_000, 50];

describe.each(ENGINES)('a triggered order that only reduces, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create, { maximumOpenOrdersPerOwner: 4 });
    for (const command of listing([SMALL], { maximumOpenOrdersPerOwner: 4 })) floor.apply(command);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 100n * USD);
    expect(floor.index(PRICE, MARKET)).toBe('OK');
    for (const quantity of [20, 20, 10]) {
      sell(BOB, PRICE, quantity);
      buy(ALICE, PRICE, quantity);
    }
    expect(open(ALICE)).toBe(LOTS);
  });

  const buy = (owner: number, price: number, quantity: number) => floor.buy({ market: MARKET, owner, price, quantity });
  const sell = (owner: number, price: number, quantity: number) =>
    floor.sell({ market: MARKET, owner, price, quantity });
  const takeProfit = (price: number, quantity: number) =>
    floor.sell({ market: MARKET, owner: ALICE, price, quantity, reduceOnly: true });
  /** Of all that is open, at market, by the mark, below 9,800. */
  const stop = (terms: Partial<ConditionalTerms> = {}, price = 0) =>
    floor.place({
      ...{ market: MARKET, source: 'mark', quantity: 0, quoteTotal: 0n, reduceOnly: true },
      ...{ stop: { trigger: 9_800, price }, ...terms },
    });
  const open = (owner: number) => floor.position(owner, MARKET)?.position?.lots ?? 0;
  const resting = () => floor.exchange.openOrdersOf(ALICE).map(({ orderId, remaining }) => [orderId, remaining]);

  it('closes all of a position by as many orders as the largest one needs', () => {
    expect(stop()).toBe('OK');
    const id = floor.lastOrderId();
    for (const quantity of [20, 20, 20]) buy(CAROL, 9_700, quantity);
    floor.index(9_790, MARKET);
    expect(floor.triggerings()).toEqual([`#${id} stop at 9790`]);
    expect(floor.trades()).toEqual([`9700x20#${id + 1}`, `9700x20#${id + 2}`, `9700x10#${id + 3}`]);
    const own = floor.orders().filter(({ order }) => order.owner === ALICE);
    expect(own.map(({ order, isNew }) => [order.orderId, order.status, order.quantity, isNew])).toEqual([
      [id, 'filled', 20, false],
      [id + 4, 'filled', 20, true],
      [id + 5, 'filled', 10, true],
    ]);
    expect([open(ALICE), floor.exchange.counters().lastOrderId]).toEqual([0, id + 5]);
    expect(floor.verdict(floor.order({ market: MARKET, orderId: id + 5, owner: CAROL }))).toBe('DUPLICATE_ID');
  });

  it('rests as several where it has a limit', () => {
    expect(stop({}, 9_750)).toBe('OK');
    const id = floor.lastOrderId();
    floor.index(9_790, MARKET);
    expect(resting()).toEqual([
      [id, 20],
      [id + 1, 20],
      [id + 2, 10],
    ]);
    for (const quantity of [20, 20, 10]) buy(CAROL, 9_750, quantity);
    expect([open(ALICE), resting()]).toEqual([0, []]);
  });

  it('ends with the first order that is not filled', () => {
    stop();
    const id = floor.lastOrderId();
    buy(CAROL, 9_700, 20);
    buy(CAROL, 9_690, 5);
    floor.index(9_790, MARKET);
    expect(floor.changes().filter((text) => text.startsWith(`#${id} `) || text.startsWith(`#${id + 3} `))).toEqual([
      `#${id} filled 0/20`,
      `#${id + 3} cancelled UNFILLED_REMAINDER 15/20`,
    ]);
    expect([open(ALICE), floor.exchange.counters().lastOrderId]).toEqual([25, id + 3]);
  });

  it('of more lots than the largest order has now is several too', () => {
    const { id: market, minimumLots, minimumNotional, priceBandPpm } = SMALL;
    expect(stop({ quantity: 18 })).toBe('OK');
    const limits = { minimumLots, maximumLots: 8, minimumNotional, priceBandPpm };
    expect(floor.verdict({ kind: 'change-market', market, ...limits })).toBe('OK');
    for (let times = 0; times < 3; times += 1) buy(CAROL, 9_700, 8);
    floor.index(9_790, MARKET);
    expect(floor.trades().map((text) => text.split('#')[0])).toEqual(['9700x8', '9700x8', '9700x2']);
    expect(open(ALICE)).toBe(LOTS - 18);
  });

  it('takes the place of what rests to close the same, order by order, and never of itself', () => {
    stop({}, 9_750);
    const id = floor.lastOrderId();
    for (const quantity of [15, 15, 20]) takeProfit(11_000, quantity);
    floor.index(9_790, MARKET);
    expect(floor.changes()).toEqual([
      `#${id + 3} cancelled NOTHING_TO_CLOSE 20/20`,
      `#${id} open 20/20`,
      `#${id + 2} cancelled NOTHING_TO_CLOSE 15/15`,
      `#${id + 1} cancelled NOTHING_TO_CLOSE 15/15`,
      `#${id + 4} open 20/20`,
      `#${id + 5} open 10/10`,
    ]);
  });

  it('takes no more away than it trades', () => {
    takeProfit(11_000, 20);
    takeProfit(11_010, 20);
    const [first, second] = resting();
    stop();
    buy(CAROL, 9_700, 15);
    floor.index(9_790, MARKET);
    expect(open(ALICE)).toBe(LOTS - 15);
    expect(resting()).toEqual([first]);
    expect(floor.changes()[0]).toBe(`#${second![0]} cancelled NOTHING_TO_CLOSE 20/20`);
  });

  it.each([
    { name: 'nothing is offered', terms: {}, bid: 0, reason: 'NO_LIQUIDITY' },
    { name: 'too little is offered for all or nothing', terms: { timeInForce: 'FOK' }, bid: 7, reason: 'NOT_FILLABLE' },
  ] as const)('takes nothing away where it is refused because $name', ({ terms, bid, reason }) => {
    for (const quantity of [20, 20, 10]) takeProfit(11_000, quantity);
    const before = resting();
    stop(terms);
    const id = floor.lastOrderId();
    if (bid > 0) buy(CAROL, 9_700, bid);
    floor.index(9_790, MARKET);
    expect(floor.triggerings()).toEqual([`#${id} stop at 9790`, `#${id} ${reason}`]);
    expect(resting()).toEqual(before);
  });

  it('takes nothing away for a part that is refused', () => {
    for (const quantity of [20, 10, 20]) takeProfit(11_000, quantity);
    const before = resting();
    stop();
    buy(CAROL, 9_700, 20);
    floor.index(9_790, MARKET);
    expect(open(ALICE)).toBe(LOTS - 20);
    expect(resting()).toEqual(before.slice(0, 2));
  });

  it('has the room among the open orders of what gives way to it', () => {
    for (const quantity of [15, 15, 15, 5]) takeProfit(11_000, quantity);
    expect(takeProfit(11_000, 2)).toBe('NOTHING_TO_CLOSE');
    const last = resting().at(-1)!;
    stop({ quantity: 5 }, 9_750);
    const id = floor.lastOrderId();
    floor.index(9_790, MARKET);
    expect(resting().map(([order]) => order)).toContain(id);
    expect(resting().map(([order]) => order)).not.toContain(last[0]);
  });

  it('is one order, and takes away first, in a journal of older rules', () => {
    floor.exchange.rules = 2;
    for (const quantity of [20, 20, 10]) takeProfit(11_000, quantity);
    stop({ timeInForce: 'FOK' });
    floor.index(9_790, MARKET);
    expect(floor.triggerings()[1]).toMatch(/NO_LIQUIDITY/);
    expect(resting().length).toBe(1);
    stop({ stop: { trigger: 9_700, price: 0 } });
    for (const quantity of [20, 20]) buy(CAROL, 9_650, quantity);
    floor.index(9_690, MARKET);
    expect(open(ALICE)).toBe(LOTS - 20);
  });
});
