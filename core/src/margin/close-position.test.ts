/** Positions that their owners close or turn round by one command, however large they are. In both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { MarketSpec } from '../money/market.ts';
import type { ClosePosition } from '../orders/commands.ts';
import { BTC_PERPETUAL, listing, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import { CLOSING_COMES_FIRST } from '../terms/rules.ts';
import { LONG, SHORT } from './perpetual.ts';

const USD = 1_000_000n;
const SMALL: MarketSpec = { ...BTC_PERPETUAL, id: 31, symbol: 'SMALL-USDT-SWAP', maximumLots: 20 };
const MARKET = SMALL.id;
const [PRICE, LOTS] = [10_000, 50];

describe.each(ENGINES)('a position that is closed, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const command of listing([SMALL], { maximumOpenOrdersPerOwner: 6 })) floor.apply(command);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 100n * USD);
    expect(floor.index(PRICE, MARKET)).toBe('OK');
  });

  const buy = (owner: number, price: number, quantity: number) => floor.buy({ market: MARKET, owner, price, quantity });
  const sell = (owner: number, price: number, quantity: number) =>
    floor.sell({ market: MARKET, owner, price, quantity });
  const open = (lots = LOTS) => {
    for (let left = lots; left > 0; left -= 20) {
      sell(BOB, PRICE, Math.min(20, left));
      buy(ALICE, PRICE, Math.min(20, left));
    }
  };
  const bids = (...bids: (readonly [price: number, lots: number])[]) => {
    for (const [price, lots] of bids) expect(buy(CAROL, price, lots)).toBe('OK');
  };
  /** All of Alice's long position at market, unless the terms say otherwise. */
  const command = (terms: Partial<ClosePosition> = {}): ClosePosition => ({
    ...{ kind: 'close-position', orderId: floor.exchange.counters().lastOrderId + 1, owner: ALICE, market: MARKET },
    ...{ side: SELL, type: 'market', timeInForce: 'IOC', price: 0, selfTrade: 'CANCEL_NEWEST' },
    ...{ quantity: undefined, sharePercent: 100, reverses: false },
    ...terms,
  });
  const close = (terms: Partial<ClosePosition> = {}) => floor.verdict(command(terms));
  const limit = (price: number) => ({ type: 'limit', timeInForce: 'GTC', price }) as const;
  const position = () => {
    const found = floor.position(ALICE, MARKET)?.position;
    return found === undefined ? 0 : found.direction * found.lots;
  };
  const summary = () => floor.events.flatMap((event) => (event.kind === 'closed-in-parts' ? [event] : []));
  const own = () =>
    floor.orders().flatMap(({ order }) => (order.owner === ALICE ? [[order.status, order.quantity]] : []));

  it('is closed by one order where that is enough, as it ever was', () => {
    open(20);
    bids([9_990, 20]);
    expect(close({ sharePercent: 50 })).toBe('OK');
    expect([own(), position(), summary()]).toEqual([[['filled', 10]], 10, []]);
    // A share of a lot is a lot.
    expect(close({ sharePercent: 1 })).toBe('OK');
    expect(position()).toBe(9);
    expect(close({ quantity: 500 })).toBe('OK');
    expect([position(), summary()]).toEqual([0, []]);
    expect(close()).toBe('NOTHING_TO_CLOSE');
  });

  it('is closed by as many orders as the largest one needs, and that is said', () => {
    open();
    bids([9_990, 20], [9_980, 20], [9_970, 20]);
    const sent = command();
    expect(floor.verdict(sent)).toBe('OK');
    expect(own()).toEqual([
      ['filled', 20],
      ['filled', 20],
      ['filled', 10],
    ]);
    expect(position()).toBe(0);
    const { orderId } = sent;
    expect(summary()).toMatchObject([
      {
        owner: ALICE,
        market: MARKET,
        orderId,
        lastOrderId: orderId + 2,
        lots: LOTS,
        reverses: false,
        reason: undefined,
      },
    ]);
    expect(floor.verdict(sent)).toBe('DUPLICATE_ID');
  });

  it('is closed as far as the book goes', () => {
    open();
    bids([9_990, 20], [9_980, 15]);
    expect(close()).toBe('OK');
    expect([own(), position()]).toEqual([
      [
        ['filled', 20],
        ['cancelled', 20],
      ],
      15,
    ]);
    expect(summary()).toMatchObject([{ lots: LOTS, reason: undefined }]);
  });

  it('says why an order behind the first was refused', () => {
    open();
    // Below the band of 30 % nothing is sold.
    bids([9_990, 20]);
    expect(close()).toBe('OK');
    expect([position(), summary()[0]?.reason]).toEqual([30, 'NO_LIQUIDITY']);
    expect(close(limit(10_100))).toBe('OK');
    expect(floor.exchange.openOrdersOf(ALICE).map(({ remaining }) => remaining)).toEqual([20, 10]);
  });

  it('keeps to the limit of open orders', () => {
    open();
    for (const price of [10_500, 10_510, 10_520, 10_530]) sell(ALICE, price, 2);
    expect(close(limit(10_100))).toBe('OK');
    expect(floor.exchange.openOrdersOf(ALICE).map(({ remaining }) => remaining)).toEqual([2, 2, 2, 2, 20, 20]);
    expect(summary()).toMatchObject([{ lots: LOTS - 8, reason: 'ACCOUNT_LIMIT' }]);
  });

  const takeProfit = (quantity: number) => {
    expect(floor.sell({ market: MARKET, owner: ALICE, price: 11_000, quantity, reduceOnly: true })).toBe('OK');
    return floor.lastOrderId();
  };
  const resting = () => floor.exchange.openOrdersOf(ALICE).map(({ orderId }) => orderId);
  const givenWay = () => floor.changes().filter((change) => change.includes('NOTHING_TO_CLOSE'));

  it('is closed ahead of the reduce-only orders that rest for all of it', () => {
    open(20);
    const [first, second] = [takeProfit(15), takeProfit(5)];
    bids([9_990, 20]);
    expect(close()).toBe('OK');
    expect([position(), resting()]).toEqual([0, []]);
    expect(givenWay()).toEqual([
      `#${second} cancelled NOTHING_TO_CLOSE 5/5`,
      `#${first} cancelled NOTHING_TO_CLOSE 15/15`,
    ]);
  });

  it('takes away no more of them than it needs, the newest first', () => {
    open(20);
    const [first, second] = [takeProfit(15), takeProfit(5)];
    bids([9_990, 4]);
    // As much as the book takes: one order of four lots, for which the newest gives way.
    expect(close()).toBe('OK');
    expect([position(), resting()]).toEqual([16, [first]]);
    expect(givenWay()).toEqual([`#${second} cancelled NOTHING_TO_CLOSE 5/5`]);
    // One lot of the position is free.
    expect(close({ ...limit(10_100), sharePercent: 1 })).toBe('OK');
    expect(resting()).toEqual([first, floor.exchange.counters().lastOrderId]);
    expect(close(limit(10_200))).toBe('OK');
    expect(resting()).toEqual([floor.exchange.counters().lastOrderId]);
  });

  it('keeps them where the order that closes is refused', () => {
    open(20);
    const rests = takeProfit(20);
    expect(close()).toBe('NO_LIQUIDITY');
    bids([9_990, 5]);
    expect(close({ timeInForce: 'FOK' })).toBe('NOT_FILLABLE');
    expect(resting()).toEqual([rests]);
  });

  it('was not closed again by what closes it already, in a journal of older rules', () => {
    floor.exchange.rules = CLOSING_COMES_FIRST - 1;
    open();
    floor.sell({ market: MARKET, owner: ALICE, price: 11_000, quantity: 15, reduceOnly: true });
    bids([9_990, 20], [9_980, 20]);
    expect(close()).toBe('OK');
    expect([position(), summary()[0]?.lots]).toEqual([15, 35]);
    expect(close()).toBe('NOTHING_TO_CLOSE');
  });

  it.each([
    { type: 'market', price: 0 },
    { type: 'limit', price: 9_900 },
  ] as const)('is closed wholly or not at all where that is asked for, $type', ({ type, price }) => {
    open();
    bids([9_990, 20], [9_980, 20]);
    const terms = { type, price, timeInForce: 'FOK' } as const;
    expect(close(terms)).toBe('NOT_FILLABLE');
    expect(position()).toBe(LOTS);
    bids([9_970, 10]);
    expect(close(terms)).toBe('OK');
    expect(position()).toBe(0);
  });

  it('is not what was meant once it has turned round', () => {
    open(20);
    expect(close({ side: BUY })).toBe('NOTHING_TO_CLOSE');
    expect(close({ side: BUY, reverses: true })).toBe('NOTHING_TO_CLOSE');
    expect(close({ owner: CAROL, reverses: true })).toBe('NOTHING_TO_CLOSE');
  });

  it.each([
    { sharePercent: 0 },
    { sharePercent: 101 },
    { sharePercent: 1.5 },
    { quantity: 0 },
    { quantity: -1 },
    { quantity: 0.5 },
  ])('is closed by whole lots or a share: %o', (terms) => {
    open(20);
    expect(close(terms)).toBe('INVALID_QUANTITY');
  });

  it('is closed in no halted market, and in no unknown one', () => {
    open();
    expect(close({ market: 99 })).toBe('UNKNOWN_MARKET');
    floor.apply({ kind: 'halt-market', market: MARKET, halted: true });
    expect([close(), close({ reverses: true })]).toEqual(['MARKET_HALTED', 'MARKET_HALTED']);
  });

  it('ends at an order of its owner’s, which gives no way', () => {
    open();
    bids([9_990, 20]);
    buy(ALICE, 9_980, 5);
    bids([9_970, 20], [9_960, 20]);
    expect(close()).toBe('OK');
    expect([position(), summary()[0]?.reason]).toEqual([30, 'ONLY_OWN_ORDERS']);
    expect(close({ selfTrade: 'CANCEL_OLDEST' })).toBe('OK');
    expect(position()).toBe(0);
  });

  describe('and turned round', () => {
    it('is one order where that is enough', () => {
      open(10);
      bids([9_990, 20]);
      expect(close({ reverses: true })).toBe('OK');
      expect([own(), position(), summary()]).toEqual([[['filled', 20]], -10, []]);
    });

    it('is several where it is not', () => {
      open();
      bids(...[1, 2, 3, 4, 5].map((place) => [9_990 - place, 20] as const));
      expect(close({ reverses: true })).toBe('OK');
      expect(position()).toBe(-LOTS);
      expect(summary()).toMatchObject([{ lots: 2 * LOTS, reverses: true, reason: undefined }]);
    });

    it('says how far it has come', () => {
      open();
      bids([9_990, 20], [9_980, 20], [9_970, 20], [9_960, 5]);
      expect(close({ reverses: true })).toBe('OK');
      expect([position(), own().at(-1)]).toEqual([-15, ['cancelled', 20]]);
    });

    it('is refused as a whole where its owner cannot pay for the opposite position', () => {
      open();
      bids(...[1, 2, 3, 4, 5].map((place) => [9_990 - place, 20] as const));
      const free = floor.exchange.freeOf(ALICE, USDT.id);
      expect(floor.moveToFutures(ALICE, -(free - 2n * USD))).toBe('OK');
      expect(close({ reverses: true })).toBe('INSUFFICIENT_FUNDS');
      expect(position()).toBe(LOTS);
      expect(close()).toBe('OK');
      expect(position()).toBe(0);
    });

    it('is not offered where there are two legs', () => {
      for (const owner of [ALICE])
        expect(floor.verdict({ kind: 'set-position-mode', owner, market: MARKET, isHedged: true })).toBe('OK');
      for (let times = 0; times < 2; times += 1) {
        sell(BOB, PRICE, 20);
        floor.buy({ market: MARKET, owner: ALICE, price: PRICE, quantity: 20, positionSide: 'long' });
      }
      const long = { positionSide: 'long' } as const;
      expect([close({ reverses: true }), close({ ...long, reverses: true }), close()]).toEqual([
        ...Array(3).fill('POSITION_SIDE_MISMATCH'),
      ]);
      bids([9_990, 20], [9_980, 20]);
      expect(close(long)).toBe('OK');
      expect(floor.position(ALICE, MARKET, LONG)?.position).toBeUndefined();
      expect(floor.position(ALICE, MARKET, SHORT)?.position).toBeUndefined();
    });
  });

  it('that has a term is let go as a whole', () => {
    sell(BOB, PRICE, 20);
    sell(BOB, PRICE, 20);
    const term = { days: 7, target: (3n * USD) / 2n, floor: 0n } as const;
    const terms = { market: MARKET, owner: ALICE, price: PRICE, quantity: 20, timeInForce: 'IOC' } as const;
    expect(floor.buy({ ...terms, term })).toBe('OK');
    expect(floor.buy(terms)).toBe('OK');
    expect(close()).toBe('TERM_RUNNING');
    expect(close({ reverses: true })).toBe('TERM_RUNNING');
    // 40 lots have won 1.6 USDT, and 20 of them no more than 0.8.
    floor.index(10_400, MARKET);
    bids([10_390, 20], [10_380, 20]);
    expect(close()).toBe('OK');
    expect([position(), summary()[0]?.reason]).toEqual([0, undefined]);
  });

  it('that has a term is let go as a whole by a trigger', () => {
    sell(BOB, PRICE, 20);
    sell(BOB, PRICE, 20);
    const term = { days: 7, target: (3n * USD) / 2n, floor: 0n } as const;
    const terms = { market: MARKET, owner: ALICE, price: PRICE, quantity: 20, timeInForce: 'IOC' } as const;
    floor.buy({ ...terms, term });
    floor.buy(terms);
    const takeProfit = { trigger: 10_390, price: 0 };
    expect(floor.place({ market: MARKET, source: 'mark', quantity: 0, reduceOnly: true, takeProfit })).toBe('OK');
    bids([10_100, 20], [10_090, 20]);
    floor.index(10_400, MARKET);
    expect(position()).toBe(0);
  });
});
