/** Perpetual markets by example, in both engines: prices in tenths of a USDT, a lot is a thousandth of a coin. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import { BTC_PERPETUAL, BTC_USDT, ETH_PERPETUAL, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { LOSSES_TOGETHER } from '../terms/rules.ts';
import { LONG, perpetualTerms, SHORT } from './perpetual.ts';
import { liquidationPrice } from './thresholds.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
const OTHER = ETH_PERPETUAL.id;
/** 50 lots at 10,000 ticks: 0.05 of a coin at 1,000 USDT. */
const PRICE = 10_000;
const LOTS = 50;

describe.each(ENGINES)('a perpetual market, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 100n * USD);
    floor.index(PRICE, MARKET);
    floor.index(100, OTHER);
  });

  type Terms = Partial<PlaceOrder>;
  const buy = (terms: Terms) => floor.buy({ market: MARKET, price: PRICE, quantity: LOTS, ...terms });
  const sell = (terms: Terms) => floor.sell({ market: MARKET, price: PRICE, quantity: LOTS, ...terms });
  /** Alice is long and Bob is short. */
  const open = (terms: Terms = {}) => {
    expect(sell({ owner: BOB, ...terms })).toBe('OK');
    expect(buy(terms)).toBe('OK');
  };
  const leverage = (owner: number, times: number, isIsolated = false, market = MARKET) =>
    floor.verdict({ kind: 'set-leverage', owner, market, leverage: times, isIsolated });
  const topUp = (owner: number, amount: bigint) =>
    floor.verdict({ kind: 'adjust-margin', owner, market: MARKET, amount });
  const free = (owner: number) => floor.exchange.freeOf(owner, USDT.id);
  const system = (owner: SystemOwner) =>
    floor.exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, USDT.id));

  it('reserves the margin and the fee of an order, and gives back what is cancelled', () => {
    sell({ owner: BOB });
    // A tenth of 50 USDT, and 0.05 % of it.
    expect(floor.future(BOB)).toEqual([94_975_000n, 5_025_000n, 0n]);
    floor.amend(floor.lastOrderId(), BOB, { quantity: 20 });
    expect(floor.future(BOB)).toEqual([97_990_000n, 2_010_000n, 0n]);
    floor.cancel(floor.lastOrderId(), BOB);
    expect(floor.future(BOB)).toEqual([100n * USD, 0n, 0n]);
  });

  it('takes nothing that opens while its index is lost, and what closes all the same', () => {
    open();
    floor.index(0, MARKET);
    expect(buy({ price: 9_000 })).toBe('NO_INDEX');
    expect(sell({ owner: ALICE, price: 11_000, reduceOnly: true })).toBe('OK');
    floor.index(PRICE, MARKET);
    expect(buy({ price: 9_000 })).toBe('OK');
  });

  it('opens both sides of a trade; what a cross position needs stays in the balance and is not free', () => {
    open();
    expect(floor.position(ALICE, MARKET)?.position).toEqual({ direction: LONG, lots: LOTS, cost: 50n * USD });
    expect(floor.position(BOB, MARKET)?.position).toEqual({ direction: SHORT, lots: LOTS, cost: 50n * USD });
    // The taker pays 0.05 %, the maker 0.02 %.
    expect([floor.future(ALICE), free(ALICE)]).toEqual([[99_975_000n, 0n, 0n], 94_975_000n]);
    expect([floor.future(BOB), free(BOB)]).toEqual([[99_990_000n, 0n, 0n], 94_990_000n]);
    floor.index(PRICE - 1_000, MARKET);
    expect([free(ALICE), free(BOB)]).toEqual([89_975_000n, 94_990_000n]);
    expect(floor.moveToFutures(ALICE, -89_975_001n)).toBe('INSUFFICIENT_FUNDS');
    expect(floor.moveToFutures(ALICE, -89_975_000n)).toBe('OK');
  });

  it('pays profit when a position is closed, from what the losing side has paid or owes', () => {
    open();
    sell({ owner: ALICE, price: 11_000, quantity: 30, timeInForce: 'GTC' });
    buy({ owner: CAROL, price: 11_000, quantity: 30 });
    // 30 lots of 3 USDT more each; 33 USDT × 0.02 %.
    expect(floor.future(ALICE)[0]).toBe(99_975_000n + 3n * USD - 6_600n);
    expect(floor.position(ALICE, MARKET)?.position).toEqual({ direction: LONG, lots: 20, cost: 20n * USD });
    expect(system(SystemOwner.CLEARING)).toBe(-3n * USD);
    sell({ owner: CAROL, price: 11_000, quantity: 30 });
    buy({ owner: BOB, price: 11_000, quantity: 30 });
    expect(system(SystemOwner.CLEARING)).toBe(0n);
  });

  it('turns a position around with one order', () => {
    open();
    buy({ owner: CAROL, quantity: 80 });
    sell({ owner: ALICE, quantity: 80 });
    expect(floor.position(ALICE, MARKET)?.position).toEqual({ direction: SHORT, lots: 30, cost: 30n * USD });
    expect(floor.position(CAROL, MARKET)?.position).toEqual({ direction: LONG, lots: 80, cost: 80n * USD });
  });

  it('gives an isolated position a margin of its own, and lets it lose no more than that', () => {
    expect(leverage(ALICE, 10, true)).toBe('OK');
    open();
    expect(floor.future(ALICE)).toEqual([94_975_000n, 0n, 5n * USD]);
    buy({ owner: CAROL, price: 8_990, quantity: 50 });
    // 5.05 USDT would be lost, with a fee beside: more than the margin.
    expect(sell({ owner: ALICE, price: 8_990, quantity: 50, reduceOnly: true })).toBe('INSUFFICIENT_FUNDS');
    expect(topUp(ALICE, USD)).toBe('OK');
    expect(sell({ owner: ALICE, price: 8_990, quantity: 50, reduceOnly: true })).toBe('OK');
    expect(floor.future(ALICE)).toEqual([93_975_000n + 950_000n - 22_475n, 0n, 0n]);
  });

  it('takes margin out of an isolated position down to what its leverage needs, losses counted', () => {
    leverage(ALICE, 10, true);
    open();
    expect(topUp(ALICE, 0n)).toBe('INVALID_AMOUNT');
    expect(topUp(BOB, USD)).toBe('NO_POSITION');
    expect(topUp(ALICE, 95n * USD)).toBe('INSUFFICIENT_FUNDS');
    expect(topUp(ALICE, 4n * USD)).toBe('OK');
    floor.index(9_800, MARKET);
    expect(topUp(ALICE, -3n * USD - 1n)).toBe('INSUFFICIENT_FUNDS');
    expect(topUp(ALICE, -3n * USD)).toBe('OK');
    expect(floor.future(ALICE)).toEqual([93_975_000n, 0n, 6n * USD]);
  });

  it('changes leverage by what that frees or needs', () => {
    expect([0, 101, 1.5].map((times) => leverage(ALICE, times))).toEqual(Array(3).fill('INVALID_LEVERAGE'));
    expect(leverage(ALICE, 10, false, BTC_USDT.id)).toBe('INVALID_MARKET');
    open();
    expect(leverage(ALICE, 10, true)).toBe('POSITION_OPEN');
    expect(leverage(ALICE, 50)).toBe('OK');
    expect(free(ALICE)).toBe(98_975_000n);
    leverage(CAROL, 20, true);
    sell({ owner: BOB, quantity: 20 });
    buy({ owner: CAROL, quantity: 20 });
    expect(floor.future(CAROL)[2]).toBe(USD);
    expect(leverage(CAROL, 5, true)).toBe('OK');
    expect(floor.future(CAROL)[2]).toBe(4n * USD);
    // Less than it has is no reason to take some away.
    expect(leverage(CAROL, 50, true)).toBe('OK');
    expect(floor.future(CAROL)[2]).toBe(4n * USD);
  });

  it('allows positions and orders together as much as their leverage is allowed for', () => {
    floor.moveToFutures(ALICE, 1_000n * USD);
    floor.moveToFutures(BOB, 1_000n * USD);
    leverage(ALICE, 100);
    expect(buy({ quantity: 200 })).toBe('OK');
    expect(buy({ quantity: 100, price: 9_900 })).toBe('OK');
    expect(buy({ quantity: 2, price: 9_900 })).toBe('ABOVE_RISK_LIMIT');
    expect(sell({ owner: BOB, quantity: 200 })).toBe('OK');
    expect(buy({ quantity: 2, price: 9_900 })).toBe('ABOVE_RISK_LIMIT');
    floor.cancel(2, ALICE);
    floor.apply({ kind: 'cancel-all-orders', owner: ALICE, market: undefined });
    expect(leverage(ALICE, 50)).toBe('OK');
    expect(buy({ quantity: 700, price: 9_900 })).toBe('OK');
  });

  it('asks for the margin of the mark where that is worse, and for the loss that an order begins with', () => {
    leverage(ALICE, 100);
    floor.moveToFutures(ALICE, -99n * USD);
    floor.index(PRICE, MARKET);
    // 0.5 USDT and the fee would do, if the price were the mark.
    expect(buy({ quantity: 50, price: 10_100, timeInForce: 'GTC' })).toBe('INSUFFICIENT_FUNDS');
    expect(buy({ quantity: 50, price: 10_090, timeInForce: 'GTC' })).toBe('OK');
  });

  it('asks for the margin of a better bid that a sell meets, which is worth more than at its own price', () => {
    leverage(ALICE, 2, true);
    floor.moveToFutures(ALICE, -74_800_000n);
    expect(buy({ owner: BOB, price: 10_100 })).toBe('OK');
    // Half of 45 USDT, or of 50 at the mark, would be there.
    expect(sell({ owner: ALICE, price: 9_000 })).toBe('INSUFFICIENT_FUNDS');
    expect(sell({ owner: ALICE, price: 9_000, quantity: 40 })).toBe('OK');
    expect(floor.future(ALICE)[0]).toBeGreaterThanOrEqual(0n);
  });

  it('asks for what a position has lost, however small the order is beside what is in the wallet', () => {
    floor.moveToFutures(ALICE, 360n * USD);
    open({ quantity: 500 });
    floor.index(PRICE / 10, MARKET);
    // 450 USDT are lost of 460, and 50 were the margin.
    expect(free(ALICE)).toBeLessThan(0n);
    expect(floor.position(ALICE, MARKET)?.position?.lots).toBe(500);
    expect(buy({ price: PRICE / 10 })).toBe('INSUFFICIENT_FUNDS');
  });

  it('asks for what a short position has lost, which may be more than it has cost', () => {
    floor.moveToFutures(ALICE, 1_543n * USD);
    expect(sell({ owner: ALICE, quantity: 400 })).toBe('OK');
    expect(buy({ owner: BOB, quantity: 400 })).toBe('OK');
    floor.index(5 * PRICE, MARKET);
    // 1,600 USDT are lost, and 40 were the margin: less is free than a tenth of the 50 that the order is worth.
    expect(free(ALICE)).toBeGreaterThan(0n);
    expect(floor.position(ALICE, MARKET)?.position?.lots).toBe(400);
    expect(sell({ owner: ALICE, price: 5 * PRICE, quantity: 10 })).toBe('INSUFFICIENT_FUNDS');
  });

  describe('an order that only reduces', () => {
    it('needs a position that it closes, is made smaller where that is smaller, and reserves nothing', () => {
      expect(sell({ reduceOnly: true })).toBe('NOTHING_TO_CLOSE');
      expect(floor.sell({ reduceOnly: true })).toBe('NOTHING_TO_CLOSE');
      open();
      expect(buy({ reduceOnly: true })).toBe('NOTHING_TO_CLOSE');
      expect(sell({ reduceOnly: true, price: 11_000, quantity: 30 })).toBe('OK');
      expect(sell({ reduceOnly: true, price: 11_500, quantity: 30 })).toBe('OK');
      expect(floor.exchange.openOrdersOf(ALICE).map(({ quantity }) => quantity)).toEqual([30, 20]);
      expect(floor.future(ALICE)).toEqual([99_975_000n, 0n, 0n]);
      expect(sell({ reduceOnly: true, price: 12_000, quantity: 30 })).toBe('NOTHING_TO_CLOSE');
      expect(floor.amend(floor.lastOrderId() - 1, ALICE, { quantity: 21 })).toBe('NOTHING_TO_CLOSE');
    });

    it('gives way to orders that close the same, the newest first', () => {
      open();
      sell({ reduceOnly: true, price: 11_000, quantity: 20 });
      sell({ reduceOnly: true, price: 11_500, quantity: 20 });
      expect(sell({ price: 11_200, quantity: 15 })).toBe('OK');
      expect(floor.changes().slice(0, 1)).toEqual([`#${floor.lastOrderId() - 1} cancelled NOTHING_TO_CLOSE 20/20`]);
      expect(floor.exchange.openOrdersOf(ALICE).map(({ quantity }) => quantity)).toEqual([20, 15]);
    });

    it('closes what is below the smallest order', () => {
      open();
      buy({ owner: CAROL, quantity: 49 });
      sell({ reduceOnly: true, quantity: 49 });
      buy({ owner: CAROL, quantity: 10 });
      expect(sell({ quantity: 1 })).toBe('BELOW_MINIMUM_SIZE');
      expect(sell({ reduceOnly: true, quantity: 1 })).toBe('OK');
      expect(floor.position(ALICE, MARKET)).toBeUndefined();
    });
  });

  describe('a loss that took more than was available', () => {
    /** Alice has an order that closes 10 USDT below what she paid, and in the other market has won 10. */
    beforeEach(() => {
      // The newest refuse such an order.
      floor.exchange.rules = LOSSES_TOGETHER - 1;
      leverage(ALICE, 100);
      leverage(ALICE, 100, false, OTHER);
      floor.moveToFutures(ALICE, -95n * USD);
      open();
      open({ market: OTHER, quantity: 1_000, price: 100 });
      floor.index(200, OTHER);
      expect(buy({ market: OTHER, quantity: 10_000, price: 90 })).toBe('OK');
      expect(floor.future(ALICE)[1]).toBe(950_000n);
      expect(sell({ reduceOnly: true, price: 8_000 })).toBe('OK');
    });

    it('ends the newest orders, and is paid by what was won elsewhere', () => {
      const before = floor.future(ALICE);
      buy({ owner: CAROL, price: 8_000 });
      expect(floor.changes()).toContain(`#${floor.lastOrderId() - 2} cancelled LIQUIDATED 10000/10000`);
      const missing = 10n * USD + 8_000n - before[0] - before[1];
      expect(floor.future(ALICE)).toEqual([0n, 0n, 0n]);
      expect(floor.position(ALICE, OTHER)?.position?.cost).toBe(10n * USD + missing);
      expect(system(SystemOwner.INSURANCE)).toBe(0n);
    });

    it('is paid by the insurance where nothing else is left', () => {
      floor.index(100, OTHER);
      const before = floor.future(ALICE);
      buy({ owner: CAROL, price: 8_000 });
      expect(floor.future(ALICE)).toEqual([0n, 0n, 0n]);
      expect(system(SystemOwner.INSURANCE)).toBe(before[0] + before[1] - 10n * USD - 8_000n);
    });
  });

  describe('liquidation', () => {
    const TERMS = perpetualTerms(BTC_PERPETUAL, BTC_PERPETUAL.perpetual!);
    const liquidated = () => floor.events.filter(({ kind }) => kind === 'position-liquidated');
    const shown = (owner: number) => {
      const { position, margin, isIsolated } = floor.position(owner, MARKET)!;
      const [available, held] = floor.future(owner);
      return liquidationPrice(TERMS, position!, isIsolated ? margin : available + held)!;
    };
    /** Alice's wallet has just what her position needs, with ten times leverage. */
    const openBarely = (isIsolated: boolean) => {
      leverage(ALICE, 10, isIsolated);
      floor.moveToFutures(ALICE, -94_975_000n);
      open();
      if (!isIsolated) expect(free(ALICE)).toBe(0n);
    };

    it.each([true, false])(
      'comes with the first mark that reaches the price that is shown, isolated: %s',
      (isIsolated) => {
        openBarely(isIsolated);
        const price = shown(ALICE);
        buy({ owner: CAROL, price: 8_990 });
        floor.index(price + 1, MARKET);
        expect(liquidated()).toEqual([]);
        floor.index(price, MARKET);
        expect(liquidated()).toMatchObject([{ owner: ALICE, direction: LONG, lots: LOTS, mark: price }]);
        // Carol pays less than is owed, and there are no other bids: the other side closes, without a fee.
        expect(floor.trades()).toEqual([]);
        expect([ALICE, BOB].map((owner) => floor.position(owner, MARKET)?.position)).toEqual([undefined, undefined]);
        expect(floor.exchange.hasLiquidations()).toBe(false);
      },
    );

    it('never comes before that price, and never later, whatever the position and however much is traded between', () => {
      const terms = fc.record({
        lots: fc.integer({ min: 2, max: 290 }),
        times: fc.constantFrom(1, 2, 5, 10, 20, 50, 100),
        isIsolated: fc.boolean(),
        isLong: fc.boolean(),
        more: fc.bigInt(0n, 3_000_000n),
        closed: fc.integer({ min: 0, max: 100 }),
      });
      fc.assert(
        fc.property(terms, ({ lots, times, isIsolated, isLong, more, closed }) => {
          floor = new TradingFloor(create);
          floor.index(PRICE, MARKET);
          for (const owner of [BOB, CAROL]) floor.moveToFutures(owner, 10_000n * USD);
          const value = BigInt(lots) * USD;
          floor.moveToFutures(ALICE, value / BigInt(times) + value / 500n + more + 1_000n);
          leverage(ALICE, times, isIsolated);
          const [with_, against] = isLong ? [buy, sell] : [sell, buy];
          against({ owner: BOB, quantity: lots });
          with_({ quantity: lots });
          // A part is closed again, which costs a fee and moves no price.
          const part = Math.floor((lots * closed) / 200);
          if (part > 1) {
            with_({ owner: CAROL, quantity: part });
            against({ quantity: part, reduceOnly: true });
          }
          const price = shown(ALICE);
          if (price === undefined || price > 1_000_000) return;
          floor.index(isLong ? price + 1 : price - 1, MARKET);
          expect(liquidated()).toEqual([]);
          floor.index(price, MARKET);
          // A large one in steps, tier by tier.
          expect(liquidated()[0]).toMatchObject({ owner: ALICE });
        }),
        { numRuns: 60 },
      );
    });

    it('of a short is the same upwards', () => {
      leverage(BOB, 20, true);
      open();
      const price = shown(BOB);
      expect(price).toBeGreaterThan(PRICE);
      floor.index(price - 1, MARKET);
      expect(liquidated()).toEqual([]);
      floor.index(price, MARKET);
      expect(liquidated()).toMatchObject([{ owner: BOB, direction: SHORT, lots: LOTS }]);
    });

    it('closes by an order where a bid is no less than is owed, and leaves the rest to its owner', () => {
      openBarely(true);
      sell({ owner: ALICE, price: 12_000, quantity: 20, reduceOnly: true });
      buy({ owner: CAROL, price: 9_020 });
      floor.index(shown(ALICE), MARKET);
      expect(floor.changes()[0]).toMatch(/cancelled LIQUIDATED/);
      expect(floor.trades()).toEqual([`9020x50#${floor.lastOrderId()}`]);
      expect(floor.position(CAROL, MARKET)?.position?.lots).toBe(LOTS);
      // 5 USDT of margin, less 4.9 lost and the fee of 45.1 USDT.
      expect(floor.future(ALICE)).toEqual([100_000n - 22_550n, 0n, 0n]);
    });

    it('of a large position goes down a tier first', () => {
      for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 10_000n * USD);
      leverage(ALICE, 50, true);
      open({ quantity: 800 });
      const price = shown(ALICE);
      buy({ owner: CAROL, price, quantity: 900 });
      floor.index(price, MARKET);
      const kept = Number((300n * USD) / (BigInt(price) * 100n));
      expect(liquidated()).toMatchObject([{ owner: ALICE, lots: 800 - kept }]);
      expect(floor.position(ALICE, MARKET)?.position?.lots).toBe(kept);
    });

    it('closes the winner first whose profit is largest for what there is, and ends what would close too much', () => {
      leverage(ALICE, 50, true);
      leverage(CAROL, 100);
      floor.moveToFutures(CAROL, -98n * USD);
      sell({ owner: BOB, quantity: 25 });
      sell({ owner: CAROL, quantity: 25 });
      buy({ quantity: 50 });
      expect(buy({ owner: CAROL, price: 9_700, quantity: 25, reduceOnly: true })).toBe('OK');
      floor.index(9_800, MARKET);
      const events = floor.events.flatMap((event) => (event.kind === 'position-deleveraged' ? event.owner : []));
      expect(events).toEqual([CAROL, BOB]);
      expect(floor.changes()).toContainEqual(expect.stringMatching(/NOTHING_TO_CLOSE/));
    });

    it('waits while trading stands still, and goes on when it is asked to', () => {
      openBarely(true);
      floor.apply({ kind: 'halt-market', market: MARKET, halted: true });
      floor.index(8_000, MARKET);
      expect(liquidated()).toEqual([]);
      floor.apply({ kind: 'halt-market', market: MARKET, halted: false });
      expect(floor.exchange.hasLiquidations()).toBe(true);
      expect(floor.verdict({ kind: 'run-liquidations', maximum: 0 })).toBe('INVALID_QUANTITY');
      expect(floor.verdict({ kind: 'run-liquidations', maximum: 1 })).toBe('OK');
      expect(liquidated()).toHaveLength(1);
      expect(floor.exchange.hasLiquidations()).toBe(false);
    });
  });

  it('takes orders near its mark alone, wherever the last trade was', () => {
    open();
    floor.index(20_000, MARKET);
    expect(buy({ price: 13_999, quantity: 2 })).toBe('PRICE_OUTSIDE_BAND');
    expect(buy({ price: 14_000, quantity: 2 })).toBe('OK');
    expect(sell({ owner: ALICE, price: 13_999, quantity: 2, reduceOnly: true })).toBe('PRICE_OUTSIDE_BAND');
  });

  it('stays what it is: a spot market gets no margin, and fees stay while orders have reserved them', () => {
    const { perpetual, minimumLots, maximumLots, minimumNotional, priceBandPpm } = BTC_PERPETUAL;
    const limits = { kind: 'change-market', minimumLots, maximumLots, minimumNotional, priceBandPpm } as const;
    expect(floor.verdict({ ...limits, market: BTC_USDT.id, perpetual })).toBe('INVALID_MARKET');
    const dearer = { ...perpetual!, takerPpm: 600 };
    expect(floor.verdict({ ...limits, market: MARKET, perpetual: { ...dearer, makerPpm: 700 } })).toBe(
      'INVALID_MARKET',
    );
    buy({ price: 9_000 });
    expect(floor.verdict({ ...limits, market: MARKET, perpetual: dearer })).toBe('MARKET_NOT_EMPTY');
    expect(floor.verdict({ ...limits, market: MARKET })).toBe('OK');
    floor.cancel(floor.lastOrderId(), ALICE);
    expect(floor.verdict({ ...limits, market: MARKET, perpetual: dearer })).toBe('OK');
    open();
    floor.apply({ kind: 'halt-market', market: MARKET, halted: true });
    expect(floor.verdict({ kind: 'delist-market', market: MARKET })).toBe('MARKET_NOT_EMPTY');
  });
});
