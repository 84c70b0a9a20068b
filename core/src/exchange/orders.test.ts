import { beforeEach, describe, expect, it } from 'vitest';
import { REFERENCE_SCALE, TOLD_FRESH_MS } from '../money/reference-price.ts';
import { HOLD_MS } from '../orders/conditional/passed-prices.ts';
import { BTC, BTC_USDT, ETH_USDT, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import { LAST_PRICE_IS_TOLD, OWN_ORDERS_ARE_NAMED } from '../terms/rules.ts';

const POOR = 300;

describe.each(ENGINES)('orders, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
  });

  describe('ids', () => {
    it('go up; a repeated one is refused before anything else', () => {
      expect(floor.buy({ orderId: 50 })).toBe('OK');
      expect(floor.buy({ orderId: 50, market: 99 })).toBe('DUPLICATE_ID');
      expect(floor.buy({ orderId: 49 })).toBe('DUPLICATE_ID');
      expect(floor.buy({ orderId: Number.NaN })).toBe('DUPLICATE_ID');
      expect(floor.buy({ orderId: 50.5 })).toBe('DUPLICATE_ID');
    });

    it('are not used up by a refused order', () => {
      expect(floor.buy({ orderId: 50, price: 0 })).toBe('INVALID_PRICE');
      expect(floor.buy({ orderId: 50 })).toBe('OK');
      expect(floor.exchange.counters()).toEqual({
        lastOrderId: 50,
        lastTradeId: 0,
        lastPriority: 1,
        lastTransferId: 9,
      });
    });

    it('may be large', () => {
      floor.buy({ orderId: 2 ** 40 + 1 });
      floor.buy({ orderId: 2 ** 52 + 1 });
      expect(floor.exchange.openOrdersOf(ALICE).map(({ orderId }) => orderId)).toEqual([2 ** 40 + 1, 2 ** 52 + 1]);
      expect(floor.cancel(2 ** 40 + 1, ALICE)).toBe('OK');
    });
  });

  describe('client order ids', () => {
    const ids = () => floor.exchange.clientOrderIds().map(({ clientOrderId }) => clientOrderId);

    it('name one open order of an owner, from its placing to its end', () => {
      expect(floor.buy({ clientOrderId: 'mine' })).toBe('OK');
      const first = floor.lastOrderId();
      expect(floor.events[0]).toMatchObject({ kind: 'client-order-id-given', orderId: first, clientOrderId: 'mine' });
      expect(floor.exchange.orderIdOf(ALICE, 'mine')).toBe(first);
      expect(floor.exchange.orderIdOf(BOB, 'mine')).toBe(0);
      expect(floor.buy({ clientOrderId: 'mine' })).toBe('DUPLICATE_CLIENT_ORDER_ID');
      expect(floor.place({ stop: { trigger: 630_000, price: 0 }, clientOrderId: 'mine' })).toBe(
        'DUPLICATE_CLIENT_ORDER_ID',
      );
      expect(floor.sell({ owner: BOB, price: 650_000, clientOrderId: 'mine' })).toBe('OK');
      expect(floor.cancel(first, ALICE)).toBe('OK');
      expect(floor.exchange.orderIdOf(ALICE, 'mine')).toBe(0);
      expect(floor.buy({ clientOrderId: 'mine' })).toBe('OK');
      expect(ids()).toEqual(['mine', 'mine']);
    });

    it('stay through an amend and a part fill, and are free again after the last fill', () => {
      floor.buy({ clientOrderId: 'kept', quantity: 100 });
      const orderId = floor.lastOrderId();
      expect(floor.verdict({ kind: 'amend-order', orderId, owner: ALICE, price: 639_000 })).toBe('OK');
      expect(floor.sell({ owner: BOB, price: 639_000, quantity: 40 })).toBe('OK');
      expect(floor.exchange.orderIdOf(ALICE, 'kept')).toBe(orderId);
      expect(floor.sell({ owner: BOB, price: 639_000, quantity: 60, clientOrderId: 'taker' })).toBe('OK');
      expect(ids()).toEqual([]);
    });

    it('stay when the order is triggered', () => {
      floor.sell({ owner: BOB, price: 640_000 });
      floor.buy({ owner: CAROL, price: 640_000, quantity: 10 });
      const named = { side: BUY, quantity: 50, quoteTotal: 0n, stop: { trigger: 645_000, price: 630_000 } } as const;
      expect(floor.place({ ...named, clientOrderId: 'later' })).toBe('OK');
      const orderId = floor.lastOrderId();
      expect(floor.exchange.orderIdOf(ALICE, 'later')).toBe(orderId);
      floor.buy({ owner: CAROL, price: 645_000, quantity: 200 });
      floor.sell({ owner: BOB, price: 645_000, quantity: 50 });
      floor.runAt(floor.time + HOLD_MS);
      expect(floor.triggerings()).toEqual([`#${orderId} stop at 645000`]);
      expect(floor.exchange.openOrder(orderId)).toMatchObject({ price: 630_000 });
      expect(floor.exchange.orderIdOf(ALICE, 'later')).toBe(orderId);
    });

    it('are part of the state', () => {
      const other = new TradingFloor(create);
      floor.buy({ clientOrderId: 'one' });
      other.buy({ clientOrderId: 'two' });
      expect(floor.exchange.stateHash()).not.toBe(other.exchange.stateHash());
    });

    it('are refused above 36 characters; an empty one is none', () => {
      expect(floor.buy({ clientOrderId: 'x'.repeat(37) })).toBe('INVALID_CLIENT_ORDER_ID');
      expect(floor.buy({ clientOrderId: 'x'.repeat(36) })).toBe('OK');
      expect(floor.buy({ clientOrderId: '' })).toBe('OK');
      expect(floor.buy({ clientOrderId: '' })).toBe('OK');
      expect(ids()).toHaveLength(1);
    });
  });

  it.each([
    [{ market: 99 }, 'UNKNOWN_MARKET'],
    [{ owner: 7 }, 'ACCOUNT_LIMIT'],
    [{ owner: Number.NaN }, 'ACCOUNT_LIMIT'],
    [{ price: 0 }, 'INVALID_PRICE'],
    [{ price: -1 }, 'INVALID_PRICE'],
    [{ price: 0.5 }, 'INVALID_PRICE'],
    [{ price: Number.NaN }, 'INVALID_PRICE'],
    [{ price: Number.POSITIVE_INFINITY }, 'INVALID_PRICE'],
    [{ price: 2 ** 31 }, 'INVALID_PRICE'],
    [{ price: 2 ** 32 + 640_000 }, 'INVALID_PRICE'],
    [{ quantity: 0 }, 'INVALID_QUANTITY'],
    [{ quantity: 10.5 }, 'INVALID_QUANTITY'],
    [{ quantity: Number.NaN }, 'INVALID_QUANTITY'],
    [{ quantity: 2 ** 53 }, 'INVALID_QUANTITY'],
    [{ quantity: 9 }, 'BELOW_MINIMUM_SIZE'],
    [{ quantity: 1_000_001 }, 'ABOVE_MAXIMUM_SIZE'],
    [{ price: 1_000, quantity: 999 }, 'BELOW_MINIMUM_NOTIONAL'],
    [{ quoteTotal: 5n }, 'INVALID_QUANTITY'],
    [{ owner: POOR }, 'INSUFFICIENT_FUNDS'],
  ])('a limit order with %o is refused with %s', (terms, reason) => {
    expect(floor.buy(terms)).toBe(reason);
  });

  it('an owner has at most so many open orders', () => {
    floor = new TradingFloor(create, { maximumOpenOrdersPerOwner: 2 });
    floor.buy({});
    floor.buy({});
    expect(floor.buy({})).toBe('ACCOUNT_LIMIT');
    expect(floor.sell({ timeInForce: 'IOC', owner: BOB })).toBe('OK');
    expect(floor.buy({})).toBe('OK');
  });

  describe('halts', () => {
    it('refuse new orders in one market only', () => {
      floor.apply({ kind: 'halt-market', market: BTC_USDT.id, halted: true });
      expect(floor.buy({})).toBe('MARKET_HALTED');
      expect(floor.buy({ market: ETH_USDT.id })).toBe('OK');
      floor.apply({ kind: 'halt-market', market: BTC_USDT.id, halted: false });
      expect(floor.buy({})).toBe('OK');
      expect(floor.verdict({ kind: 'halt-market', market: 99, halted: true })).toBe('UNKNOWN_MARKET');
    });
  });

  describe('the price band', () => {
    beforeEach(() => {
      floor.apply({ kind: 'set-reference-price', market: BTC_USDT.id, price: 640_000 });
    });

    it('refuses limit orders outside, on both sides', () => {
      expect(floor.buy({ price: 704_000 })).toBe('OK');
      expect(floor.buy({ price: 704_001 })).toBe('PRICE_OUTSIDE_BAND');
      expect(floor.sell({ price: 704_001 })).toBe('PRICE_OUTSIDE_BAND');
      expect(floor.buy({ price: 576_000 })).toBe('OK');
      expect(floor.buy({ price: 575_999 })).toBe('PRICE_OUTSIDE_BAND');
    });

    it('moves with the last price once that has been it for long', () => {
      floor.sell({ owner: BOB, price: 700_000 });
      floor.buy({ price: 700_000 });
      expect(floor.exchange.marketState(BTC_USDT.id)).toMatchObject({
        lastPrice: 700_000,
        markPrice: 0,
        halted: false,
        traded: true,
        delisted: false,
      });
      expect(floor.buy({ price: 704_000 })).toBe('OK');
      expect(floor.buy({ price: 704_001 })).toBe('PRICE_OUTSIDE_BAND');
      floor.time += 2 ** 27;
      expect(floor.buy({ price: 770_000 })).toBe('OK');
      expect(floor.buy({ price: 770_001 })).toBe('PRICE_OUTSIDE_BAND');
    });

    it('moves with a price that is told, and not while the market is halted', () => {
      floor.sell({ owner: BOB, price: 700_000 });
      floor.buy({ price: 700_000 });
      const tell = (price: number) => floor.verdict({ kind: 'set-reference-price', market: BTC_USDT.id, price });
      expect(tell(800_000)).toBe('OK');
      expect(floor.events).toEqual([
        {
          ...{ kind: 'reference-price-set', market: BTC_USDT.id, price: 800_000, time: floor.time },
          ...{ reference: 800_000 * REFERENCE_SCALE, referenceAt: floor.time + TOLD_FRESH_MS },
        },
      ]);
      expect(floor.buy({ price: 719_999 })).toBe('PRICE_OUTSIDE_BAND');
      floor.sell({ owner: BOB, price: 880_000 });
      floor.buy({ price: 880_000 });
      expect(floor.buy({ price: 880_001 })).toBe('PRICE_OUTSIDE_BAND');
      floor.apply({ kind: 'halt-market', market: BTC_USDT.id, halted: true });
      expect(tell(900_000)).toBe('MARKET_HALTED');
      expect(floor.exchange.marketState(BTC_USDT.id)).toMatchObject({ lastPrice: 880_000, traded: true });
    });

    it('was moved by nothing but trades in a journal of older rules', () => {
      floor.exchange.rules = LAST_PRICE_IS_TOLD - 1;
      floor.apply({ kind: 'set-reference-price', market: BTC_USDT.id, price: 650_000 });
      expect(floor.events.map(({ kind }) => kind)).toEqual(['market-changed']);
      floor.sell({ owner: BOB, price: 700_000 });
      floor.buy({ price: 700_000 });
      const again = { kind: 'set-reference-price', market: BTC_USDT.id, price: 640_000 } as const;
      expect(floor.verdict(again)).toBe('ALREADY_TRADED');
    });

    it('stops a market order and cancels the rest', () => {
      floor.sell({ owner: BOB, price: 700_000, quantity: 30 });
      floor.sell({ owner: BOB, price: 640_000, quantity: 30 });
      floor.buy({ price: 640_000, quantity: 10 });
      floor.sell({ owner: BOB, price: 600_000, quantity: 10 });
      floor.buy({ price: 600_000, quantity: 10 });
      floor.time += 2 ** 27;
      floor.market({ quantity: 50 });
      expect(floor.trades()).toEqual(['640000x20#2']);
      expect(floor.changes().at(-1)).toBe('#6 cancelled PRICE_BAND 30/50');
    });

    it('refuses a reference price that is no price', () => {
      for (const price of [0, 0.5, Number.NaN, 2 ** 31]) {
        expect(floor.verdict({ kind: 'set-reference-price', market: BTC_USDT.id, price })).toBe('INVALID_PRICE');
      }
    });
  });

  describe('market orders', () => {
    it('walk the book and cancel what it does not hold', () => {
      floor.sell({ owner: BOB, price: 640_000, quantity: 30 });
      floor.sell({ owner: BOB, price: 640_010, quantity: 30 });
      floor.market({ quantity: 100 });
      expect(floor.trades()).toEqual(['640000x30#1', '640010x30#2']);
      expect(floor.changes().at(-1)).toBe('#3 cancelled UNFILLED_REMAINDER 40/100');
    });

    it('trade no worse than the price that they state, or not at all', () => {
      floor.sell({ owner: BOB, price: 640_000, quantity: 30 });
      floor.sell({ owner: BOB, price: 640_010, quantity: 30 });
      expect(floor.market({ quantity: 40, worstPrice: 640_009 })).toBe('PRICE_MOVED');
      expect(floor.market({ quantity: 0, quoteTotal: 25_600_000n, worstPrice: 640_009 })).toBe('PRICE_MOVED');
      expect(floor.market({ quantity: 40, worstPrice: 640_010 })).toBe('OK');
      expect(floor.trades()).toEqual(['640000x30#1', '640010x10#2']);
      floor.buy({ owner: CAROL, price: 639_000, quantity: 10 });
      expect(floor.market({ side: SELL, quantity: 10, worstPrice: 639_001 })).toBe('PRICE_MOVED');
      expect(floor.market({ side: SELL, quantity: 10, worstPrice: 639_000 })).toBe('OK');
      // What the book lacks altogether is no matter of the price.
      expect(floor.market({ quantity: 40, worstPrice: 640_010 })).toBe('OK');
    });

    it('state a price that the pair can have, and limit orders none beside their own', () => {
      floor.sell({ owner: BOB });
      for (const worstPrice of [0, -1, 0.5, Number.NaN, 2 ** 31])
        expect(floor.market({ quantity: 40, worstPrice })).toBe('INVALID_PRICE');
      expect(floor.buy({ worstPrice: 640_000 })).toBe('INVALID_PRICE');
    });

    it('are refused when nothing can trade', () => {
      expect(floor.market({ quantity: 100 })).toBe('NO_LIQUIDITY');
      expect(floor.market({ quantity: 0, quoteTotal: 10_000_000n })).toBe('NO_LIQUIDITY');
    });

    it.each(['CANCEL_NEWEST', 'CANCEL_OLDEST', 'CANCEL_BOTH', 'DECREMENT'] as const)(
      'are refused for orders of the same owner where nothing else can trade, %s',
      (selfTrade) => {
        floor.sell({ owner: ALICE });
        const refusals = () => [
          floor.market({ quantity: 100, selfTrade }),
          // Two lots of the many that there are.
          floor.market({ quantity: 0, quoteTotal: 1_280_000n, selfTrade }),
        ];
        expect(refusals()).toEqual(['ONLY_OWN_ORDERS', 'ONLY_OWN_ORDERS']);
        floor.exchange.rules = OWN_ORDERS_ARE_NAMED - 1;
        expect(refusals()).toEqual(['NO_LIQUIDITY', selfTrade === 'DECREMENT' ? 'BELOW_MINIMUM_SIZE' : 'NO_LIQUIDITY']);
      },
    );

    it('are refused for their total where it pays for nothing behind orders of the same owner', () => {
      floor.sell({ owner: ALICE, market: ETH_USDT.id, price: 300_000 });
      floor.sell({ owner: BOB, market: ETH_USDT.id, price: 400_000 });
      const total = { market: ETH_USDT.id, quantity: 0, quoteTotal: 3_500_000n } as const;
      expect(floor.market({ ...total, selfTrade: 'CANCEL_OLDEST' })).toBe('BELOW_MINIMUM_SIZE');
      expect(floor.market({ ...total, selfTrade: 'DECREMENT' })).toBe('ONLY_OWN_ORDERS');
    });

    it('are refused when the walked book costs more than there is', () => {
      floor.sell({ owner: BOB, quantity: 100 });
      floor.fund(POOR, USDT.id, 63_999_999n);
      expect(floor.market({ owner: POOR, quantity: 100 })).toBe('INSUFFICIENT_FUNDS');
      floor.fund(POOR, USDT.id, 1n);
      expect(floor.market({ owner: POOR, quantity: 100 })).toBe('OK');
      expect(floor.available(POOR, USDT.id)).toBe(0n);
    });

    it('spend at most a quote total, in whole lots', () => {
      floor.sell({ owner: BOB, price: 640_000, quantity: 30 });
      floor.sell({ owner: BOB, price: 650_000, quantity: 300 });
      floor.market({ quantity: 0, quoteTotal: 40_000_000n });
      expect(floor.trades()).toEqual(['640000x30#1', '650000x32#2']);
      expect(floor.changes().at(-1)).toBe('#3 filled 0/62');
    });

    it('raise at most a quote total', () => {
      floor.buy({ owner: BOB, price: 640_000, quantity: 300 });
      floor.market({ side: SELL, quantity: 0, quoteTotal: 10_000_000n });
      expect(floor.trades()).toEqual(['640000x15#1']);
    });

    it('by quote total end with what the book gave', () => {
      floor.sell({ owner: BOB, quantity: 30 });
      floor.market({ quantity: 0, quoteTotal: 40_000_000n });
      expect(floor.changes().at(-1)).toBe('#2 cancelled UNFILLED_REMAINDER 0/30');
    });

    it('may be all or nothing', () => {
      floor.sell({ owner: BOB, quantity: 30 });
      expect(floor.market({ quantity: 31, timeInForce: 'FOK' })).toBe('NOT_FILLABLE');
      expect(floor.market({ quantity: 0, quoteTotal: 20_000_000n, timeInForce: 'FOK' })).toBe('NOT_FILLABLE');
      expect(floor.market({ quantity: 30, timeInForce: 'FOK' })).toBe('OK');
    });

    it.each([
      [{ price: 5 }, 'INVALID_PRICE'],
      [{ timeInForce: 'POST_ONLY' }, 'WOULD_TAKE'],
      [{ quantity: 0 }, 'INVALID_QUANTITY'],
      [{ quantity: 5 }, 'BELOW_MINIMUM_SIZE'],
      [{ quoteTotal: 50_000_000n }, 'INVALID_QUANTITY'],
      [{ quantity: 0, quoteTotal: -1n }, 'INVALID_QUANTITY'],
      [{ quantity: 0, quoteTotal: 2n ** 63n }, 'INVALID_QUANTITY'],
      [{ quantity: 0, quoteTotal: 999_999n }, 'BELOW_MINIMUM_NOTIONAL'],
      [{ market: ETH_USDT.id, quantity: 0, quoteTotal: 99n }, 'BELOW_MINIMUM_SIZE'],
    ] as const)('with %o are refused with %s', (terms, reason) => {
      floor.sell({ owner: BOB });
      floor.sell({ owner: BOB, market: ETH_USDT.id, price: 300_000 });
      expect(floor.market({ side: BUY, ...terms })).toBe(reason);
    });
  });

  it('shows open orders by owner, ascending, and levels by side', () => {
    floor.buy({ price: 640_000 });
    floor.sell({ owner: BOB, price: 640_010, quantity: 40 });
    floor.buy({ price: 639_990 });
    floor.cancel(1, ALICE);
    floor.buy({ owner: CAROL, price: 639_990, quantity: 25 });
    expect(floor.exchange.openOrdersOf(ALICE).map(({ orderId }) => orderId)).toEqual([3]);
    expect(floor.exchange.openOrdersOf(999)).toEqual([]);
    expect(floor.exchange.levelQuantity(BTC_USDT.id, BUY, 639_990)).toBe(125);
    expect(floor.exchange.levelOrders(BTC_USDT.id, BUY, 639_990)).toBe(2);
    expect(floor.exchange.levelQuantity(BTC_USDT.id, SELL, 639_990)).toBe(0);
    expect(floor.exchange.levelQuantity(BTC_USDT.id, SELL, 640_010)).toBe(40);
    expect(floor.held(BOB, BTC.id)).toBe(40_000n);
  });
});
