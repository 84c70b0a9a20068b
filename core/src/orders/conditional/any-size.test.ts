/** Orders that were taken and are triggered once the market's sizes have changed: none is refused for its size. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { MarketSpec } from '../../money/market.ts';
import { BTC, BTC_USDT, USDT } from '../../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../../simulation/trading-floor.ts';
import { BUY } from '../../terms/order-terms.ts';
import { TRIGGERS_ANY_SIZE } from '../../terms/rules.ts';

const MARKET = BTC_USDT.id;

describe.each(ENGINES)('a triggered order of another size than the market takes now, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create, { maximumOpenOrdersPerOwner: 4 });
    tradeAt(640_000);
    floor.mark(640_000);
  });

  const tradeAt = (price: number) => {
    expect(floor.sell({ owner: BOB, price, quantity: 10 })).toBe('OK');
    expect(floor.buy({ owner: CAROL, price, quantity: 10 })).toBe('OK');
  };
  const bid = (price: number, quantity: number) => floor.buy({ owner: CAROL, price, quantity });
  const ask = (price: number, quantity: number) => floor.sell({ owner: CAROL, price, quantity });
  const resize = (sizes: Partial<Pick<MarketSpec, 'minimumLots' | 'maximumLots' | 'priceBandPpm'>>) => {
    const { minimumLots, maximumLots, minimumNotional, priceBandPpm } = { ...BTC_USDT, ...sizes };
    const limits = { minimumLots, maximumLots, minimumNotional, priceBandPpm };
    expect(floor.verdict({ kind: 'change-market', market: MARKET, ...limits })).toBe('OK');
  };
  const own = () => floor.orders().filter(({ order }) => order.owner === ALICE);
  const placed = () =>
    own().flatMap(({ order, resting }) =>
      order.status === 'open' && resting === 0 ? [] : [[order.orderId, order.status, order.remaining, order.quantity]],
    );
  const held = () => [floor.held(ALICE, BTC.id), floor.held(ALICE, USDT.id)];

  it('sells all of it at market by as many orders as the largest one needs', () => {
    expect(floor.place({ source: 'mark', quantity: 100, stop: { trigger: 635_000, price: 0 } })).toBe('OK');
    const id = floor.lastOrderId();
    bid(634_000, 200);
    resize({ maximumLots: 45 });
    const before = floor.available(ALICE, BTC.id);
    floor.mark(635_000);
    expect(placed()).toEqual([
      [id, 'filled', 0, 45],
      [id + 2, 'filled', 0, 45],
      // A rest may be smaller than an order of the market.
      [id + 3, 'filled', 0, 10],
    ]);
    expect([held(), floor.available(ALICE, BTC.id)]).toEqual([[0n, 0n], before]);
  });

  it('is refused for its size in a journal of older rules', () => {
    floor.exchange.rules = TRIGGERS_ANY_SIZE - 1;
    floor.place({ source: 'mark', quantity: 100, stop: { trigger: 635_000, price: 0 } });
    floor.place({ source: 'mark', quantity: 10, stop: { trigger: 635_000, price: 0 } });
    const id = floor.lastOrderId();
    bid(634_000, 200);
    resize({ minimumLots: 20, maximumLots: 45 });
    floor.mark(635_000);
    expect(floor.triggerings().filter((text) => !text.includes('stop'))).toEqual([
      `#${id - 1} ABOVE_MAXIMUM_SIZE`,
      `#${id} BELOW_MINIMUM_SIZE`,
    ]);
  });

  it('ends with the order that finds too little, and gives the rest back', () => {
    floor.place({ source: 'mark', quantity: 100, stop: { trigger: 635_000, price: 0 } });
    const id = floor.lastOrderId();
    bid(634_000, 60);
    resize({ maximumLots: 40 });
    const before = floor.available(ALICE, BTC.id);
    floor.mark(635_000);
    expect(placed()).toEqual([
      [id, 'filled', 0, 40],
      [id + 2, 'cancelled', 20, 40],
    ]);
    expect([held(), floor.available(ALICE, BTC.id)]).toEqual([[0n, 0n], before + 40_000n]);
  });

  it('goes no further from the price than one order would, though its own trades move the band', () => {
    floor.place({ source: 'mark', quantity: 60, stop: { trigger: 635_000, price: 0 } });
    // The band of 10 % begins at 576,000; one that is measured from the first trade would reach the second bid.
    resize({ priceBandPpm: 0 });
    for (const [price, lots] of [
      [580_000, 30],
      [576_000, 10],
      [575_900, 100],
    ] as const)
      bid(price, lots);
    resize({ maximumLots: 20 });
    const before = floor.available(ALICE, BTC.id);
    floor.mark(635_000);
    expect(floor.trades().map((text) => text.split('#')[0])).toEqual(['580000x20', '580000x10', '576000x10']);
    expect([held(), floor.available(ALICE, BTC.id)]).toEqual([[0n, 0n], before + 20_000n]);
  });

  it('rests as several where it has a limit, and holds exactly what it held', () => {
    const terms = { side: BUY, source: 'mark', quantity: 100, quoteTotal: 0n } as const;
    floor.place({ ...terms, stop: { trigger: 645_000, price: 639_000 } });
    const id = floor.lastOrderId();
    resize({ maximumLots: 45 });
    const before = [...held(), floor.available(ALICE, USDT.id)];
    expect(before.slice(0, 2)).toEqual([0n, 63_900_000n]);
    floor.mark(645_000);
    const open = floor.exchange.openOrdersOf(ALICE).map(({ orderId, remaining }) => [orderId, remaining]);
    expect(open).toEqual([
      [id, 45],
      [id + 1, 45],
      [id + 2, 10],
    ]);
    expect([...held(), floor.available(ALICE, USDT.id)]).toEqual(before);
  });

  it.each(['stop', 'trailing'] as const)('spends its total at market by several orders, %s', (kind) => {
    const total = 64_000_000n;
    const trailing = { callbackPpm: 0, callbackTicks: 5_000, activation: 0 };
    const leg = kind === 'stop' ? { stop: { trigger: 645_000, price: 0 } } : { trailing };
    expect(floor.place({ side: BUY, source: 'mark', quoteTotal: total, ...leg })).toBe('OK');
    const id = floor.lastOrderId();
    ask(640_000, 200);
    resize({ maximumLots: 45 });
    const before = floor.available(ALICE, USDT.id);
    floor.mark(645_000);
    expect(placed()).toEqual([
      [id, 'filled', 0, 45],
      [id + 2, 'filled', 0, 45],
      [id + 3, 'filled', 0, 10],
    ]);
    expect([held(), floor.available(ALICE, USDT.id)]).toEqual([[0n, 0n], before]);
  });

  it('spends a total that buys more than the largest order, if that has not changed', () => {
    resize({ maximumLots: 45 });
    floor.place({ side: BUY, source: 'mark', quoteTotal: 64_000_000n, stop: { trigger: 645_000, price: 0 } });
    for (const price of [640_000, 640_100, 640_200]) ask(price, 45);
    floor.mark(645_000);
    const [quantities] = [own().flatMap(({ order }) => (order.status === 'filled' ? [order.quantity] : []))];
    // Of the last ones what is left is worth a lot less.
    expect(quantities).toEqual([45, 45, 9]);
    expect(held()).toEqual([0n, 0n]);
  });

  it.each([
    { price: 0, lots: 90, outcome: 'NOT_FILLABLE' },
    { price: 0, lots: 100, outcome: 'filled' },
    { price: 630_000, lots: 90, outcome: 'NOT_FILLABLE' },
    { price: 630_000, lots: 100, outcome: 'filled' },
  ])('is all or nothing as a whole: of 100 at $price $lots are $outcome', ({ price, lots, outcome }) => {
    floor.place({ source: 'mark', quantity: 100, timeInForce: 'FOK', stop: { trigger: 635_000, price } });
    const id = floor.lastOrderId();
    bid(634_000, lots);
    resize({ maximumLots: 45 });
    floor.mark(635_000);
    const isRefused = outcome === 'NOT_FILLABLE';
    expect(floor.triggerings()).toEqual([`#${id} stop at 635000`, ...(isRefused ? [`#${id} NOT_FILLABLE`] : [])]);
    expect(own().map(({ order }) => [order.status, order.quantity])).toEqual(
      isRefused ? [] : [45, 45, 10].map((quantity) => ['filled', quantity]),
    );
    expect(held()).toEqual([0n, 0n]);
  });

  it('is all or nothing of its total as a whole', () => {
    const terms = { side: BUY, source: 'mark', quoteTotal: 64_000_000n, timeInForce: 'FOK' } as const;
    floor.place({ ...terms, stop: { trigger: 645_000, price: 0 } });
    const id = floor.lastOrderId();
    for (const price of [640_000, 640_100]) ask(price, 45);
    resize({ maximumLots: 45 });
    floor.mark(645_000);
    expect(floor.triggerings()).toEqual([`#${id} stop at 645000`, `#${id} NOT_FILLABLE`]);
    expect([floor.trades(), held()]).toEqual([[], [0n, 0n]]);
  });

  it('may be smaller than the market takes now', () => {
    floor.place({ source: 'mark', quantity: 20, stop: { trigger: 635_000, price: 0 } });
    const id = floor.lastOrderId();
    bid(634_000, 60);
    resize({ minimumLots: 50 });
    floor.mark(635_000);
    expect(placed()).toEqual([[id, 'filled', 0, 20]]);
  });

  it('has another trigger on its owner’s wish', () => {
    floor.place({ source: 'mark', quantity: 100, stop: { trigger: 635_000, price: 0 } });
    const [orderId, owner] = [floor.lastOrderId(), ALICE];
    const amend = (trigger: number) =>
      floor.verdict({ kind: 'amend-conditional-order', orderId, owner, takeProfit: undefined, stop: { trigger } });
    resize({ maximumLots: 45 });
    expect(amend(636_000)).toBe('OK');
    resize({ minimumLots: 200 });
    expect(amend(637_000)).toBe('OK');
    floor.exchange.rules = TRIGGERS_ANY_SIZE - 1;
    expect(amend(638_000)).toBe('BELOW_MINIMUM_SIZE');
  });

  it('exits all that its entry has filled', () => {
    const exits = { source: 'mark', takeProfit: undefined, stop: { trigger: 630_000, price: 0 } } as const;
    floor.buy({ price: 639_500, quantity: 100, exits });
    resize({ maximumLots: 45 });
    for (const quantity of [45, 45, 10]) floor.sell({ owner: BOB, price: 639_500, quantity });
    const [exit] = floor.exchange.untriggeredOrdersOf(ALICE);
    // A fee of 0.08 % was taken from each fill.
    expect(exit!.quantity).toBe(99);
    bid(629_000, 45);
    bid(628_900, 45);
    bid(628_800, 45);
    floor.mark(630_000);
    expect(own().map(({ order }) => [order.status, order.quantity])).toEqual([
      ['filled', 45],
      ['filled', 45],
      ['filled', 9],
    ]);
    expect(held()).toEqual([0n, 0n]);
  });
});
