import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvariantError } from '../invariant.ts';
import { BTC_USDT } from '../simulation/markets.ts';
import { formatAmount, formatBriefly, int64, MAXIMUM_AMOUNT, parseAmount } from './amount.ts';
import { maximumTicks, notional } from './notional.ts';
import { formatLots, formatTicks, parseLots, parseTicks } from './price.ts';
import { divCeil, divExact, divFloor, divNearest, share } from './rounding.ts';
import { validateMarket } from './validate-market.ts';

describe('parseAmount', () => {
  it.each([
    ['0', 8, 0n],
    ['1', 8, 100_000_000n],
    ['0.00000001', 8, 1n],
    ['12.5', 1, 125n],
    ['9223372036854775807', 0, MAXIMUM_AMOUNT],
  ])('reads %s with %i decimals', (text, scale, value) => {
    expect(parseAmount(text, scale)).toEqual({ ok: true, value });
  });

  it.each([
    ['', 'EMPTY'],
    [' 1', 'MALFORMED'],
    ['1 ', 'MALFORMED'],
    ['+1', 'MALFORMED'],
    ['-1', 'MALFORMED'],
    ['1e3', 'MALFORMED'],
    ['NaN', 'MALFORMED'],
    ['Infinity', 'MALFORMED'],
    ['.5', 'MALFORMED'],
    ['5.', 'MALFORMED'],
    ['01', 'MALFORMED'],
    ['1,000', 'MALFORMED'],
    ['0x10', 'MALFORMED'],
    ['١', 'MALFORMED'],
    ['9'.repeat(49), 'MALFORMED'],
    ['0.001', 'TOO_MANY_DECIMALS'],
    ['92233720368547758.08', 'OVERFLOW'],
  ])('refuses "%s"', (text, error) => {
    expect(parseAmount(text, 2)).toEqual({ ok: false, error });
  });

  it('reads back whatever was written', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, MAXIMUM_AMOUNT), fc.integer({ min: 0, max: 18 }), (units, scale) => {
        expect(parseAmount(formatAmount(units, scale), scale)).toEqual({ ok: true, value: units });
      }),
    );
  });

  it('writes amounts below zero with a minus', () => {
    expect(formatAmount(-5n, 2)).toBe('-0.05');
  });

  it.each([
    ['0', 0n, 8],
    ['100', 100n, 0],
    ['100', 10_000n, 2],
    ['0.042', 4_200_000n, 8],
    ['-0.5', -50n, 2],
  ])('tells people %s without zeros at the end', (text, units, scale) => {
    expect(formatBriefly(units, scale)).toBe(text);
  });
});

describe('ticks and lots', () => {
  it('use the decimals of the market', () => {
    expect(parseTicks('64000.5', BTC_USDT)).toEqual({ ok: true, value: 640_005 });
    expect(formatTicks(640_005, BTC_USDT)).toBe('64000.5');
    expect(parseLots('0.00010', BTC_USDT)).toEqual({ ok: true, value: 10 });
    expect(formatLots(10, BTC_USDT)).toBe('0.00010');
  });

  it('refuse what a book can not hold', () => {
    expect(parseTicks('214748364.8', BTC_USDT)).toEqual({ ok: false, error: 'OVERFLOW' });
    expect(parseLots('0.000001', BTC_USDT)).toEqual({ ok: false, error: 'TOO_MANY_DECIMALS' });
  });
});

describe('rounding', () => {
  it('goes to the named side, below zero too', () => {
    expect([divNearest(7n, 3n), divNearest(8n, 3n), divNearest(5n, 2n), divNearest(-5n, 2n)]).toEqual([
      2n,
      3n,
      3n,
      -2n,
    ]);
    expect([divFloor(7n, 2n), divFloor(-7n, 2n), divFloor(-8n, 2n)]).toEqual([3n, -4n, -4n]);
    expect([divCeil(7n, 2n), divCeil(-7n, 2n), divCeil(8n, 2n)]).toEqual([4n, -3n, 4n]);
    expect(divExact(8n, 2n)).toBe(4n);
  });

  it('stops on a remainder that can not be and on a divisor that is not above zero', () => {
    expect(() => divExact(7n, 2n)).toThrow(InvariantError);
    expect(() => divFloor(1n, 0n)).toThrow(InvariantError);
  });
});

describe('shares', () => {
  it('are exact to the unit, in machine words and beyond them', () => {
    const amounts = fc.oneof(fc.bigInt(0n, 2n ** 43n), fc.bigInt(0n, MAXIMUM_AMOUNT));
    const wholes = fc.oneof(fc.integer({ min: 1, max: 2 ** 21 }), fc.integer({ min: 1, max: 2 ** 40 }));
    fc.assert(
      fc.property(amounts, wholes, fc.double({ min: 0, max: 1, noNaN: true }), (amount, whole, fraction) => {
        const part = Math.floor(whole * fraction);
        const exact = amount * BigInt(part);
        expect(share(amount, part, whole, 0)).toBe(divFloor(exact, BigInt(whole)));
        expect(share(amount, part, whole, 1)).toBe(divCeil(exact, BigInt(whole)));
      }),
    );
  });
});

describe('int64', () => {
  it('is the same amount up to the largest, and a broken invariant beyond it', () => {
    for (const amount of [0n, -1n, MAXIMUM_AMOUNT, -MAXIMUM_AMOUNT - 1n]) expect(int64(amount)).toBe(amount);
    for (const beyond of [MAXIMUM_AMOUNT + 1n, -MAXIMUM_AMOUNT - 2n])
      expect(() => int64(beyond)).toThrow(InvariantError);
  });
});

describe('validateMarket', () => {
  it('accepts a market whose every order fits into int64', () => {
    expect(validateMarket(BTC_USDT)).toEqual([]);
    expect(notional(BTC_USDT, 640_000, 100_000)).toBe(64_000_000_000n);
  });

  it('lowers the highest price so that the largest order fits', () => {
    const wide = { ...BTC_USDT, quote: { ...BTC_USDT.quote, scale: 9 }, maximumLots: 2_000_000_000 };
    const highest = maximumTicks(wide);
    expect(validateMarket(wide)).toEqual([]);
    expect(notional(wide, highest, wide.maximumLots)).toBeLessThanOrEqual(MAXIMUM_AMOUNT);
    expect(notional(wide, highest + 1, wide.maximumLots)).toBeGreaterThan(MAXIMUM_AMOUNT);
  });

  it.each([
    [{ tickScale: 2 }, 'quote.scale is below'],
    [{ lotScale: 9 }, 'base.scale is below'],
    [{ tickScale: -1 }, 'tickScale is not'],
    [{ minimumLots: 0 }, 'minimumLots is not'],
    [{ maximumLots: 2 ** 31 }, 'maximumLots is not'],
    [{ priceBandPpm: 3_000_001 }, 'priceBandPpm is not'],
    [{ minimumNotional: -1n }, 'minimumNotional overflows'],
    [{ base: BTC_USDT.quote }, 'the same asset'],
    [{ id: -1 }, 'id is not'],
    [
      { quote: { ...BTC_USDT.quote, scale: 9 }, tickScale: 0, lotScale: 0, maximumLots: 2 ** 31 - 1 },
      'overflows int64',
    ],
    [{ quote: { ...BTC_USDT.quote, scale: 10 } }, 'scale is not 0 to 9'],
  ])('names the problem of %o', (change, problem) => {
    expect(validateMarket({ ...BTC_USDT, ...change }).join('; ')).toContain(problem);
  });
});
