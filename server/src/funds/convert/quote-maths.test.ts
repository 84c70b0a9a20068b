import { feeOf } from '@cambist/core/ledger/fee.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { baseUnits, notional } from '@cambist/core/money/notional.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountsOf, type Direction, type Level, priceSize, type Size, spreadPercent } from './quote-maths.ts';

const market: MarketSpec = {
  id: 0,
  symbol: 'BTC-USDT',
  base: { id: 1, code: 'BTC', scale: 8 },
  quote: { id: 0, code: 'USDT', scale: 8 },
  tickScale: 1,
  lotScale: 5,
  minimumLots: 1,
  maximumLots: 10_000_000,
  minimumNotional: 100_000_000n,
  priceBandPpm: 100_000,
};
const asks: readonly Level[] = [
  { price: 650_000, lots: 100, orders: 2 },
  { price: 650_100, lots: 400, orders: 3 },
];
const bids: readonly Level[] = [
  { price: 649_900, lots: 100, orders: 2 },
  { price: 649_800, lots: 400, orders: 3 },
];
const money = (usdt: bigint): Size => ({ unit: 'money', money: usdt * 100_000_000n });

describe('the price of a conversion', () => {
  it('is the best one where that has enough', () => {
    expect(priceSize(market, 'BUY', asks, money(65n), 0)).toEqual({ price: 650_000, lots: 100, orders: 2 });
    expect(priceSize(market, 'SELL', bids, { unit: 'lots', lots: 100 }, 0)).toMatchObject({ price: 649_900 });
  });

  it('is the worst one that the amount needs', () => {
    expect(priceSize(market, 'BUY', asks, money(66n), 0)).toMatchObject({ price: 650_100, lots: 101, orders: 5 });
    expect(priceSize(market, 'SELL', bids, { unit: 'lots', lots: 101 }, 0)).toMatchObject({ price: 649_800 });
  });

  it('has a margin against the client for as long as it is held, rounded away from it', () => {
    expect(priceSize(market, 'BUY', asks, money(65n), 1_000)).toEqual({ price: 650_650, lots: 99, orders: 2 });
    expect(priceSize(market, 'SELL', bids, { unit: 'lots', lots: 100 }, 1_000)).toMatchObject({ price: 649_250 });
    expect(priceSize(market, 'BUY', [{ price: 1, lots: 9, orders: 1 }], { unit: 'lots', lots: 1 }, 1)).toMatchObject({
      price: 2,
    });
  });

  it('does not exist where the book is not that deep', () => {
    expect(priceSize(market, 'BUY', asks, money(1_000n), 0)).toBeUndefined();
    expect(priceSize(market, 'SELL', [], { unit: 'lots', lots: 1 }, 0)).toBeUndefined();
  });

  it('is as much above the reference for a buy as below it for a sell', () => {
    expect(spreadPercent('BUY', 650_650, 650_000)).toBe(1_000n);
    expect(spreadPercent('SELL', 649_350, 650_000)).toBe(1_000n);
    expect(spreadPercent('SELL', 650_650, 650_000)).toBe(-1_000n);
  });
});

describe('for any book and size', () => {
  const book = (direction: Direction) =>
    fc
      .array(
        fc.record({
          price: fc.integer({ min: 1, max: 2_000_000 }),
          lots: fc.integer({ min: 1, max: 1_000_000 }),
          orders: fc.integer({ min: 1, max: 50 }),
        }),
        { minLength: 1, maxLength: 30 },
      )
      .map((levels) =>
        [...new Map(levels.map((level) => [level.price, level])).values()].sort((left, right) =>
          direction === 'BUY' ? left.price - right.price : right.price - left.price,
        ),
      );
  const direction = fc.constantFrom<Direction>('BUY', 'SELL');
  const size = fc.oneof(
    fc.integer({ min: 1, max: 2_000_000 }).map((lots): Size => ({ unit: 'lots', lots })),
    fc.bigInt({ min: 1n, max: 10n ** 15n }).map((units): Size => ({ unit: 'money', money: units })),
  );
  const margins = fc.integer({ min: 0, max: 20_000 });
  const cases = direction.chain((side) => fc.tuple(fc.constant(side), book(side), size, margins));

  it('a limit order at the quoted price fills completely, and never at a worse one', () => {
    fc.assert(
      fc.property(cases, ([side, levels, wanted, margin]) => {
        const priced = priceSize(market, side, levels, wanted, margin);
        fc.pre(priced !== undefined);
        const within = levels.filter(({ price }) => (side === 'BUY' ? price <= priced.price : price >= priced.price));
        expect(within.reduce((sum, { lots }) => sum + lots, 0)).toBeGreaterThanOrEqual(priced.lots);
      }),
    );
  });

  it('a buy never costs more than is given, and one lot more would', () => {
    fc.assert(
      fc.property(book('BUY'), fc.bigInt({ min: 1n, max: 10n ** 15n }), margins, (levels, units, margin) => {
        const priced = priceSize(market, 'BUY', levels, { unit: 'money', money: units }, margin);
        fc.pre(priced !== undefined);
        expect(notional(market, priced.price, priced.lots)).toBeLessThanOrEqual(units);
        expect(notional(market, priced.price, priced.lots + 1)).toBeGreaterThan(units);
      }),
    );
  });

  it('a sell for an amount of money brings at least that, and one lot less would not', () => {
    fc.assert(
      fc.property(book('SELL'), fc.bigInt({ min: 1n, max: 10n ** 15n }), margins, (levels, units, margin) => {
        const priced = priceSize(market, 'SELL', levels, { unit: 'money', money: units }, margin);
        fc.pre(priced !== undefined);
        expect(notional(market, priced.price, priced.lots)).toBeGreaterThanOrEqual(units);
        expect(notional(market, priced.price, priced.lots - 1)).toBeLessThan(units);
      }),
    );
  });

  it('the fee shown covers the fees of its trades, however the lots fall to the orders', () => {
    const fills = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        direction,
        fills,
        fc.integer({ min: 1, max: 2_000_000 }),
        fc.integer({ min: 0, max: 5_000 }),
        (side, parts, price, ppm) => {
          const lots = parts.reduce((sum, part) => sum + part, 0);
          const { fee, received } = amountsOf(market, side, { price, lots, orders: parts.length }, ppm);
          const unitsOf = (part: number) => (side === 'BUY' ? baseUnits(market, part) : notional(market, price, part));
          const charged = parts.reduce((sum, part) => sum + feeOf(unitsOf(part), ppm), 0n);
          expect(fee).toBeGreaterThanOrEqual(charged);
          expect(fee).toBeLessThanOrEqual(received);
        },
      ),
    );
  });
});
