/** Two accounts of one person: what one loses to the other at a price of their own is what it had, and nobody else's. Both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import { BTC_PERPETUAL, ETH_PERPETUAL, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import { LOSSES_TOGETHER, PASSED_ORDERS_END } from '../terms/rules.ts';

const USD = 1_000_000n;
const [MARKET, OTHER] = [BTC_PERPETUAL.id, ETH_PERPETUAL.id];
/** A lot is a USDT at this price. */
const [PRICE, LOTS] = [10_000, 100];

describe.each(ENGINES)('a loss on purpose, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    floor.moveToFutures(ALICE, 11n * USD);
    for (const owner of [BOB, CAROL]) floor.moveToFutures(owner, 1_000n * USD);
    floor.index(PRICE, MARKET);
    floor.index(100, OTHER);
  });

  const buy = (terms: Partial<PlaceOrder>) => floor.buy({ market: MARKET, price: PRICE, quantity: LOTS, ...terms });
  const sell = (terms: Partial<PlaceOrder>) => floor.sell({ market: MARKET, price: PRICE, quantity: LOTS, ...terms });
  const leverage = (times: number, market = MARKET, isIsolated = false) =>
    floor.verdict({ kind: 'set-leverage', owner: ALICE, market, leverage: times, isIsolated });
  const insured = () =>
    floor.exchange.balance(accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, USDT.id));
  const lots = () => floor.position(ALICE, MARKET)?.position?.lots ?? 0;
  const open = () => {
    sell({ owner: BOB });
    expect(buy({})).toBe('OK');
  };
  /** Alice closes some of her lots to Bob, who bids for them. */
  const closeAt = (price: number, quantity: number) => {
    buy({ owner: BOB, price, quantity, reduceOnly: true });
    const bid = floor.lastOrderId();
    const verdict = sell({ price, quantity, reduceOnly: true, timeInForce: 'IOC' });
    if (verdict !== 'OK') floor.cancel(bid, BOB);
    return verdict;
  };

  describe.each([true, false])('by closing a part of a position, isolated: %s', (isIsolated) => {
    beforeEach(() => {
      leverage(10, MARKET, isIsolated);
      open();
      // Of about 11 or 10 USDT behind 100 lots 8 are lost.
      floor.index(9_200, MARKET);
      expect(lots()).toBe(LOTS);
    });

    it('takes nothing that backs the rest', () => {
      // 20 lots lose 6 USDT at 7,000, which are there, and all of them would lose 30.
      expect(closeAt(7_000, 20)).toBe('INSUFFICIENT_FUNDS');
      expect(closeAt(9_100, 20)).toBe('OK');
      floor.index(9_200, MARKET);
      expect(insured()).toBe(0n);
    });

    it('took that under older rules, and the others paid for the rest', () => {
      floor.exchange.rules = LOSSES_TOGETHER - 1;
      expect(closeAt(7_000, 20)).toBe('OK');
      floor.index(9_200, MARKET);
      const prices = floor.events.flatMap((event) => (event.kind === 'position-deleveraged' ? event.price : []));
      expect([prices.length, prices[0]! > 9_200]).toEqual([1, true]);
    });
  });

  it('is not backed by what another position has won at a mark that is better than the index', () => {
    const { id: market, minimumLots, maximumLots, minimumNotional, priceBandPpm } = ETH_PERPETUAL;
    const perpetual = { ...ETH_PERPETUAL.perpetual!, markClampPpm: 100_000 };
    const limits = { minimumLots, maximumLots, minimumNotional, priceBandPpm };
    expect(floor.verdict({ kind: 'change-market', market, ...limits, perpetual })).toBe('OK');
    leverage(100);
    open();
    leverage(100, OTHER);
    floor.sell({ market: OTHER, owner: BOB, price: 100, quantity: 5_000 });
    expect(floor.buy({ market: OTHER, price: 100, quantity: 5_000 })).toBe('OK');
    // The book and the last trade lift the mark by a tenth: 5 USDT won, which the index knows nothing of.
    floor.index(110, OTHER);
    floor.sell({ market: OTHER, owner: CAROL, price: 110, quantity: 1 });
    floor.buy({ market: OTHER, owner: BOB, price: 110, quantity: 1 });
    floor.buy({ market: OTHER, owner: BOB, price: 110, quantity: 1 });
    floor.sell({ market: OTHER, owner: CAROL, price: 120, quantity: 1 });
    floor.index(100, OTHER);
    expect(floor.exchange.marketState(OTHER).markPrice).toBe(110);
    expect(closeAt(8_850, LOTS)).toBe('INSUFFICIENT_FUNDS');
    floor.exchange.rules = LOSSES_TOGETHER - 1;
    expect(closeAt(8_850, LOTS)).toBe('OK');
  });

  it('is not made by orders that rest beyond the mark: each would have what is there, and one trade takes all', () => {
    leverage(100);
    const rest = (price: number) => [buy({ price, quantity: 50 }), buy({ price, quantity: 20 })];
    expect(rest(10_101)).toEqual(['PRICE_OUTSIDE_BAND', 'PRICE_OUTSIDE_BAND']);
    expect(rest(10_100)).toEqual(['OK', 'OK']);
    sell({ owner: BOB, price: 10_000, quantity: 70 });
    floor.index(PRICE, MARKET);
    expect(insured()).toBe(0n);
    expect(sell({ owner: CAROL, price: 9_899 })).toBe('PRICE_OUTSIDE_BAND');
    expect(sell({ owner: CAROL, price: 9_900 })).toBe('OK');
  });

  it('was made by such orders under older rules', () => {
    floor.exchange.rules = LOSSES_TOGETHER - 1;
    leverage(100);
    for (const quantity of [30, 25, 20]) expect(buy({ price: 12_900, quantity })).toBe('OK');
    sell({ owner: BOB, price: 12_900, quantity: 75 });
    floor.index(PRICE, MARKET);
    const prices = floor.events.flatMap((event) => (event.kind === 'position-deleveraged' ? event.price : []));
    expect(prices[0]).toBeGreaterThan(11_000);
  });

  describe('by an order that rests while the mark runs past it', () => {
    const insuredWith = (amount: bigint) => {
      const [from, to] = [SystemOwner.HOUSE_CAPITAL, SystemOwner.INSURANCE].map((owner) =>
        accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, USDT.id),
      ) as [number, number];
      const facts = { transferId: 0, reference: 0, isPending: false, detail: '' };
      floor.apply({ kind: 'transfer', reason: 'insurance-capital', legs: [{ from, to, amount }], ...facts });
    };
    /** Alice has 3 USDT behind 200, and Bob sells to her at the price of before a fall of 3 %. */
    const passed = () => {
      insuredWith(100n * USD);
      floor.moveToFutures(ALICE, -8n * USD);
      leverage(100);
      expect(buy({ price: 9_610, quantity: 50 })).toBe('OK');
      expect(buy({ price: 10_000, quantity: 200 })).toBe('OK');
      const id = floor.lastOrderId();
      floor.index(9_700, MARKET);
      const isEnded = floor.changes().includes(`#${id} cancelled PRICE_BAND 200/200`);
      const taken = sell({ owner: BOB, price: 9_900, quantity: 200, timeInForce: 'IOC' });
      floor.index(9_700, MARKET);
      return { taken, isEnded, lots: lots() };
    };

    it('takes nothing: it ends, and one that is not far beyond stays', () => {
      expect(passed()).toEqual({ taken: 'OK', isEnded: true, lots: 0 });
      expect(insured()).toBe(100n * USD);
      expect(floor.exchange.openOrdersOf(ALICE)).toHaveLength(1);
    });

    it('took what was behind it and more from the insurance under older rules', () => {
      floor.exchange.rules = PASSED_ORDERS_END - 1;
      expect(passed()).toMatchObject({ taken: 'OK', isEnded: false });
      expect(insured()).toBeLessThan(97n * USD);
    });

    it('is no reason to end one that only reduces, nor one of the other side, in a halted market either', () => {
      open();
      expect(buy({ owner: BOB, price: 9_950, reduceOnly: true })).toBe('OK');
      const kept = floor.lastOrderId();
      expect(buy({ owner: CAROL, price: 9_900, quantity: 5 })).toBe('OK');
      expect(sell({ owner: CAROL, price: 10_100, quantity: 5 })).toBe('OK');
      floor.apply({ kind: 'halt-market', market: MARKET, halted: true });
      floor.index(9_600, MARKET);
      const left = [BOB, CAROL].flatMap((owner) => floor.exchange.openOrdersOf(owner));
      expect(left.map(({ orderId, side }) => [orderId, side])).toEqual([
        [kept, BUY],
        [floor.lastOrderId(), SELL],
      ]);
      floor.index(10_300, MARKET);
      expect(floor.exchange.openOrdersOf(CAROL)).toEqual([]);
    });
  });

  it('is not made by an order that trades and would rest beyond the mark: what is left of it ends', () => {
    sell({ owner: BOB, price: 10_050, quantity: 5 });
    expect(buy({ price: 10_200, quantity: 9 })).toBe('OK');
    expect(floor.changes().at(-1)).toBe(`#${floor.lastOrderId()} cancelled UNFILLED_REMAINDER 4/9`);
    sell({ owner: BOB, price: 10_050, quantity: 5 });
    sell({ owner: BOB, price: 10_300, quantity: 5 });
    expect(buy({ price: 10_200, quantity: 9 })).toBe('OK');
    expect(floor.changes().at(-1)).toBe(`#${floor.lastOrderId()} cancelled PRICE_BAND 4/9`);
  });

  it('is not made by an order that is amended to a price beyond the mark', () => {
    buy({ price: 9_000, quantity: 5 });
    const id = floor.lastOrderId();
    expect(floor.amend(id, ALICE, { price: 10_101 })).toBe('PRICE_OUTSIDE_BAND');
    sell({ owner: BOB, price: 10_050, quantity: 3 });
    expect(floor.amend(id, ALICE, { price: 10_101 })).toBe('OK');
    expect(floor.changes().at(-1)).toBe(`#${id} cancelled UNFILLED_REMAINDER 2/5`);
  });
});
