import { beforeEach, describe, expect, it } from 'vitest';
import { BTC_USDT, ETH_USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { BUY, SELL } from '../terms/order-terms.ts';

describe.each(ENGINES)('matching, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
  });

  describe('limit orders', () => {
    it('rest when nothing meets them, best price first', () => {
      floor.buy({ price: 640_000 });
      floor.buy({ price: 640_010, quantity: 50 });
      floor.buy({ price: 640_000, quantity: 20 });
      expect(floor.exchange.depth(BTC_USDT.id, BUY, 5)).toEqual([640_010, 50, 1, 640_000, 120, 2]);
      expect(floor.exchange.bestPrice(BTC_USDT.id, BUY)).toBe(640_010);
      expect(floor.exchange.bestPrice(BTC_USDT.id, SELL)).toBe(0);
    });

    it('trade at the resting price, better prices first and then older orders', () => {
      floor.sell({ owner: BOB, price: 640_020 });
      floor.sell({ owner: BOB, price: 640_010 });
      floor.sell({ owner: CAROL, price: 640_010 });
      floor.buy({ price: 640_020, quantity: 250 });
      expect(floor.trades()).toEqual(['640010x100#2', '640010x100#3', '640020x50#1']);
      expect(floor.changes()).toEqual(['#2 filled 0/100', '#3 filled 0/100', '#1 open 50/100', '#4 filled 0/250']);
    });

    it('rest with what is left', () => {
      floor.sell({ owner: BOB, quantity: 30 });
      floor.buy({ quantity: 100 });
      expect(floor.changes()).toEqual(['#1 filled 0/30', '#2 open 70/100']);
      expect(floor.exchange.openOrder(2)).toMatchObject({ remaining: 70, quantity: 100, owner: ALICE });
    });

    it('work at prices far apart, up to the highest', () => {
      for (const price of [1, 31, 32, 1_023, 1_024, 40_000, 1_048_576, 2_147_483_646]) {
        floor.buy({ market: ETH_USDT.id, price, quantity: 1 });
      }
      floor.sell({ market: ETH_USDT.id, price: 2_147_483_647, quantity: 1 });
      expect(floor.exchange.depth(ETH_USDT.id, BUY, 20).filter((_, place) => place % 3 === 0)).toEqual([
        2_147_483_646, 1_048_576, 40_000, 1_024, 1_023, 32, 31, 1,
      ]);
      floor.sell({ market: ETH_USDT.id, owner: BOB, price: 1, quantity: 8 });
      expect(floor.trades()).toHaveLength(8);
      expect(floor.exchange.bestPrice(ETH_USDT.id, SELL)).toBe(2_147_483_647);
    });
  });

  describe('times in force', () => {
    beforeEach(() => {
      floor.sell({ owner: BOB, quantity: 60 });
    });

    it('IOC cancels what does not trade at once', () => {
      floor.buy({ timeInForce: 'IOC' });
      expect(floor.changes()).toEqual(['#1 filled 0/60', '#2 cancelled UNFILLED_REMAINDER 40/100']);
      expect(floor.buy({ timeInForce: 'IOC' })).toBe('OK');
      expect(floor.changes()).toEqual(['#3 cancelled UNFILLED_REMAINDER 100/100']);
    });

    it('FOK trades all or is refused', () => {
      expect(floor.buy({ timeInForce: 'FOK', quantity: 61 })).toBe('NOT_FILLABLE');
      expect(floor.buy({ timeInForce: 'FOK', quantity: 60 })).toBe('OK');
      expect(floor.changes()).toEqual(['#1 filled 0/60', '#3 filled 0/60']);
    });

    it('FOK does not count the own orders of its owner', () => {
      floor.sell({ owner: ALICE, quantity: 60 });
      for (const selfTrade of ['CANCEL_NEWEST', 'CANCEL_OLDEST', 'CANCEL_BOTH', 'DECREMENT'] as const) {
        expect(floor.buy({ timeInForce: 'FOK', quantity: 80, selfTrade })).toBe('NOT_FILLABLE');
      }
      floor.sell({ owner: CAROL, quantity: 60 });
      expect(floor.buy({ timeInForce: 'FOK', quantity: 80, selfTrade: 'CANCEL_OLDEST' })).toBe('OK');
      expect(floor.changes()).toContain('#2 cancelled SELF_TRADE 60/60');
    });

    it('POST_ONLY rests or is refused', () => {
      expect(floor.buy({ timeInForce: 'POST_ONLY' })).toBe('WOULD_TAKE');
      expect(floor.buy({ timeInForce: 'POST_ONLY', price: 639_999 })).toBe('OK');
      expect(floor.changes()).toEqual(['#3 open 100/100']);
    });
  });

  describe('self-trade prevention', () => {
    beforeEach(() => {
      floor.sell({ owner: BOB, quantity: 30 });
      floor.sell({ owner: ALICE, quantity: 50 });
      floor.sell({ owner: CAROL, quantity: 40 });
    });

    it('CANCEL_NEWEST ends the arriving order', () => {
      floor.buy({ quantity: 100, selfTrade: 'CANCEL_NEWEST' });
      expect(floor.changes()).toEqual(['#1 filled 0/30', '#4 cancelled SELF_TRADE 70/100']);
    });

    it('CANCEL_OLDEST ends the resting order and goes on', () => {
      floor.buy({ quantity: 100, selfTrade: 'CANCEL_OLDEST' });
      expect(floor.trades()).toEqual(['640000x30#1', '640000x40#3']);
      expect(floor.changes()).toContain('#2 cancelled SELF_TRADE 50/50');
      expect(floor.changes().at(-1)).toBe('#4 open 30/100');
    });

    it('CANCEL_BOTH ends both', () => {
      floor.buy({ quantity: 100, selfTrade: 'CANCEL_BOTH' });
      expect(floor.changes()).toEqual([
        '#1 filled 0/30',
        '#2 cancelled SELF_TRADE 50/50',
        '#4 cancelled SELF_TRADE 70/100',
      ]);
    });

    it('DECREMENT makes both smaller without a trade', () => {
      floor.buy({ quantity: 60, selfTrade: 'DECREMENT' });
      expect(floor.trades()).toEqual(['640000x30#1']);
      expect(floor.changes()).toEqual(['#1 filled 0/30', '#2 open SELF_TRADE 20/20', '#4 cancelled SELF_TRADE 0/30']);
      floor.buy({ quantity: 60, selfTrade: 'DECREMENT' });
      expect(floor.changes()).toEqual(['#2 cancelled SELF_TRADE 0/0', '#3 filled 0/40', '#5 filled 0/40']);
    });
  });

  describe('cancelling', () => {
    it('removes an order and gives back what it held', () => {
      floor.buy({});
      expect(floor.cancel(1, ALICE)).toBe('OK');
      expect(floor.changes()).toEqual(['#1 cancelled BY_OWNER 100/100']);
      expect(floor.exchange.openOrderCount()).toBe(0);
      expect(floor.held(ALICE, 0)).toBe(0n);
    });

    it('is refused for orders that are unknown, closed or of someone else', () => {
      floor.buy({});
      expect(floor.cancel(1, BOB)).toBe('ORDER_NOT_FOUND');
      expect(floor.cancel(7, ALICE)).toBe('ORDER_NOT_FOUND');
      expect(floor.cancel(0, ALICE)).toBe('ORDER_NOT_FOUND');
      expect(floor.cancel(Number.NaN, ALICE)).toBe('ORDER_NOT_FOUND');
      floor.cancel(1, ALICE);
      expect(floor.cancel(1, ALICE)).toBe('ORDER_NOT_FOUND');
    });
  });

  describe('amending', () => {
    const amend = { kind: 'amend-order', orderId: 1, owner: ALICE, price: 640_000, quantity: 100 } as const;
    beforeEach(() => {
      floor.buy({});
      floor.buy({ owner: BOB });
    });

    it('keeps the place for less quantity at the same price', () => {
      expect(floor.verdict({ ...amend, quantity: 60 })).toBe('OK');
      expect(floor.held(ALICE, 0)).toBe(38_400_000n);
      floor.sell({ owner: CAROL, quantity: 70 });
      expect(floor.trades()).toEqual(['640000x60#1', '640000x10#2']);
    });

    it.each([
      ['more quantity', { quantity: 120 }],
      ['a new price and back', { price: 639_000 }],
    ])('loses the place for %s', (_, change) => {
      floor.verdict({ ...amend, ...change });
      if ('price' in change) floor.verdict(amend);
      floor.sell({ owner: CAROL, quantity: 110 });
      expect(floor.trades()).toEqual(['640000x100#2', '640000x10#1']);
    });

    it('counts what is filled as part of the quantity', () => {
      floor.sell({ owner: CAROL, quantity: 40 });
      expect(floor.verdict({ ...amend, quantity: 40 })).toBe('INVALID_QUANTITY');
      expect(floor.verdict({ ...amend, quantity: 41 })).toBe('OK');
      expect(floor.exchange.openOrder(1)).toMatchObject({ quantity: 41, remaining: 1 });
    });

    it('trades as its time in force says, unless the command says otherwise', () => {
      floor.sell({ owner: CAROL, price: 640_100, quantity: 60 });
      expect(floor.verdict({ ...amend, price: 640_100, timeInForce: 'POST_ONLY' })).toBe('WOULD_TAKE');
      expect(floor.verdict({ ...amend, price: 640_100 })).toBe('OK');
      expect(floor.trades()).toEqual(['640100x60#3']);
      expect(floor.exchange.openOrder(1)).toMatchObject({ price: 640_100, quantity: 100, remaining: 40 });
    });

    it('prevents self-trades when it comes back', () => {
      floor.sell({ owner: ALICE, price: 640_100, quantity: 60 });
      floor.verdict({ ...amend, price: 640_100, timeInForce: 'GTC' });
      expect(floor.changes()).toEqual(['#1 cancelled SELF_TRADE 100/100']);
    });

    it('is refused whole when anything is wrong', () => {
      expect(floor.verdict(amend)).toBe('NOTHING_TO_AMEND');
      expect(floor.verdict({ ...amend, owner: BOB })).toBe('ORDER_NOT_FOUND');
      expect(floor.verdict({ ...amend, quantity: 9 })).toBe('BELOW_MINIMUM_SIZE');
      expect(floor.verdict({ ...amend, price: Number.NaN })).toBe('INVALID_PRICE');
      expect(floor.verdict({ ...amend, quantity: 1_000_000, price: 2_000_000 })).toBe('INSUFFICIENT_FUNDS');
      floor.apply({ kind: 'halt-market', market: BTC_USDT.id, halted: true });
      expect(floor.verdict({ ...amend, quantity: 60 })).toBe('MARKET_HALTED');
      expect(floor.cancel(1, ALICE)).toBe('OK');
    });
  });
});
