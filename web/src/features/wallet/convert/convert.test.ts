import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare, decimal, multiply, toShortText, toText } from '../../../lib/decimal.ts';
import { type ConvertEntry, convertReducer, directionOf, newEntry } from './convert-form.ts';
import { convertErrors, derived, limitOrder, type Minimums } from './convert-maths.ts';

const scales = { price_scale: 1, quantity_scale: 5 };
const buy: ConvertEntry = { from: 'USDT', to: 'BTC', fromAmount: '650', toAmount: undefined };
const sell: ConvertEntry = { from: 'BTC', to: 'USDT', fromAmount: '0.01', toAmount: undefined };

describe('the two sides', () => {
  test('from USDT is a buy, from a coin a sell (T-convert-21) (T-convert-22)', () => {
    expect(directionOf(buy)).toBe('BUY');
    expect(directionOf(sell)).toBe('SELL');
  });

  test('swapping exchanges the coins and the amounts (T-convert-23) (T-convert-24)', () => {
    expect(convertReducer(buy, { kind: 'swap', toAmount: '0.01' })).toEqual({
      from: 'BTC',
      to: 'USDT',
      fromAmount: '0.01',
      toAmount: '650',
    });
  });

  test('USDT is on exactly one side, whatever is chosen (T-convert-25)', () => {
    const coins = fc.constantFrom('USDT', 'BTC', 'ETH', 'SHIB');
    const choice = fc.oneof(
      coins.map((coin) => ({ kind: 'from' as const, coin })),
      coins.map((coin) => ({ kind: 'to' as const, coin })),
      fc.constant({ kind: 'swap' as const, toAmount: '1' }),
    );
    fc.assert(
      fc.property(fc.array(choice), (choices) => {
        const { from, to } = choices.reduce(convertReducer, newEntry('BTC'));
        expect([from, to].filter((coin) => coin === 'USDT')).toHaveLength(1);
        expect(from).not.toBe(to);
      }),
    );
  });
});

describe('what the market gives', () => {
  test('a buy derives as amount / price, a sell as amount × price (T-convert-26) (T-convert-27)', () => {
    expect(derived('BUY', '650', '65000.0', scales)).toBe('0.01');
    expect(derived('SELL', '0.01', '65000.0', scales)).toBe('650');
    expect(derived('BUY', '', '65000.0', scales)).toBe('');
    expect(derived('SELL', '1', '0', scales)).toBe('');
  });

  test('a buy never shows coins that the amount does not pay for', () => {
    const units = (maximum: number) => fc.bigInt({ min: 1n, max: 10n ** BigInt(maximum) });
    fc.assert(
      fc.property(units(14), units(8), (money, ticks) => {
        const amount = toText({ units: money, scale: 8 });
        const price = toText({ units: ticks, scale: 1 });
        const coins = decimal(derived('BUY', amount, price, scales));
        expect(compare(multiply(coins, decimal(price)), decimal(amount))).toBeLessThanOrEqual(0);
        const oneLotMore = { units: coins.units * 10n ** BigInt(5 - coins.scale) + 1n, scale: 5 };
        expect(compare(multiply(oneLotMore, decimal(price)), decimal(amount))).toBeGreaterThan(0);
      }),
    );
  });
});

describe('the order of a ratio', () => {
  test('a buy rounds its price down to the tick, a sell up', () => {
    const bought = limitOrder(buy, '0.01001', scales, '0.1');
    expect(bought && toText(bought.price)).toBe('64935.0');
    const sold = limitOrder({ ...sell, fromAmount: '0.01001' }, '650', scales, '0.1');
    expect(sold && toText(sold.price)).toBe('64935.1');
  });

  test('what is received is after the fee, which is rounded up', () => {
    const order = limitOrder(buy, '0.01', scales, '0.10');
    expect(order && [toShortText(order.fee), toShortText(order.receive)]).toEqual(['0.00001', '0.00999']);
  });

  test('the order is never worse for the client than the ratio entered', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 10n });
    fc.assert(
      fc.property(amount, amount, fc.boolean(), (money, lots, buying) => {
        const [coins, usdt] = [toText({ units: lots, scale: 5 }), toText({ units: money, scale: 2 })];
        const order = limitOrder(
          buying ? { ...buy, fromAmount: usdt } : { ...sell, fromAmount: coins },
          buying ? coins : usdt,
          scales,
          '0.1',
        );
        fc.pre(order !== undefined);
        const against = compare(multiply(order.price, decimal(coins)), decimal(usdt));
        expect(buying ? against <= 0 : against >= 0).toBe(true);
      }),
    );
  });

  test('half a ratio is no order', () => {
    expect(limitOrder(buy, '', scales, '0.1')).toBeUndefined();
    expect(limitOrder(buy, '0', scales, '0.1')).toBeUndefined();
  });
});

describe('what is refused before it is sent', () => {
  const minimums: Minimums = {
    minimum_sell: '0.0001',
    account_balance_limit_spot: '0.0002',
    minimum_total: '5',
    taker_fee_percent: '0.1',
  };
  const check = (entry: ConvertEntry, toAmount: string, available = '1000') =>
    convertErrors({ entry, toAmount, available: decimal(available), minimums });

  test('an amount is required on both sides (T-convert-28) (T-convert-33)', () => {
    expect(check({ ...buy, fromAmount: '' }, '')).toEqual({ from: 'Amount is required' });
    expect(check({ ...buy, fromAmount: '0.0' }, '')).toEqual({ from: 'Amount is required' });
    expect(check(buy, '')).toEqual({ to: 'Amount is required' });
    expect(check({ ...buy, toAmount: '0' }, '0')).toEqual({ to: 'Amount is required' });
    expect(check(buy, '0.01')).toEqual({});
  });

  test('a buy has its minimum, in the coin or in USDT (T-convert-29)', () => {
    expect(check({ ...buy, fromAmount: '6' }, '0.0001').from).toBe(
      'Amount must be greater than minimum buy amount (0.0002 BTC)',
    );
    expect(check({ ...buy, fromAmount: '4' }, '0.01').from).toBe(
      'Amount must be greater than minimum buy amount (5 USDT)',
    );
  });

  test('a sell has its own, and the string 0 is none (T-convert-30)', () => {
    expect(check({ ...sell, fromAmount: '0.00009' }, '6').from).toBe(
      'Amount must be greater than minimum sell amount (0.0001 BTC)',
    );
    const none = { ...minimums, minimum_sell: '0', minimum_total: '0' };
    const tiny = { entry: { ...sell, fromAmount: '0.00001' }, toAmount: '0.6', available: decimal('1') };
    expect(convertErrors({ ...tiny, minimums: none })).toEqual({});
  });

  test('no more than the balance (T-convert-31)', () => {
    expect(check(buy, '0.01', '649.99').from).toBe('Insufficient balance (649.99 USDT)');
    expect(check(sell, '650', '0.01')).toEqual({});
  });
});
