import { expect, test } from 'vitest';
import { decimal, toText } from '../../../lib/decimal.ts';
import { areaPath, linePath, runsOf, scaleOf } from '../../../ui/line-path.ts';
import type { WalletCoin } from '../wallets.ts';
import { inCurrency, instrumentOf } from './currency.ts';
import { holdingsOf, slicesOf } from './portfolio.ts';

const coin = (code: string, total: string, worth: string): WalletCoin => ({
  code,
  name: code,
  available: '0',
  total: decimal(total),
  worth,
  price: worth === '0' ? null : '1',
});

test('coins of all wallets are added up, largest value first, and those that are not there are left out', () => {
  const wallets = [
    [coin('USDT', '100', '100'), coin('BTC', '0.5', '30000'), coin('ETH', '0', '0')],
    [coin('USDT', '250.5', '250.5')],
    [coin('ODD', '7', '0')],
  ];
  expect(holdingsOf(wallets).map(({ code, amount, worth }) => [code, toText(amount), toText(worth)])).toEqual([
    ['BTC', '0.5', '30000'],
    ['USDT', '350.5', '350.5'],
    ['ODD', '7', '0'],
  ]);
});

test('slices are parts of the whole, and what is not named is one of them', () => {
  const wallet = [
    ...[coin('A', '1', '50'), coin('B', '1', '30'), coin('C', '1', '10')],
    ...[coin('D', '1', '6'), coin('E', '1', '4'), coin('F', '1', '0')],
  ];
  const slices = slicesOf(holdingsOf([wallet]), 3);
  expect(slices.map(({ code, part, from }) => [code, part, Number(from.toFixed(6))])).toEqual([
    ['A', 0.5, 0],
    ['B', 0.3, 0.5],
    ['C', 0.1, 0.8],
    [undefined, 0.1, 0.9],
  ]);
  // Five of them need no rest.
  expect(slicesOf(holdingsOf([wallet]), 4).map(({ code }) => code)).toEqual(['A', 'B', 'C', 'D', 'E']);
  expect(slicesOf([], 4)).toEqual([]);
});

test('the total in a currency has four decimals, by the exchange’s own prices (T-display-07, T-external-feed-02)', () => {
  const text = (...given: Parameters<typeof inCurrency>) => {
    const found = inCurrency(...given);
    return found && toText(found);
  };
  expect(text(decimal('1234.56789'), 'USDT', undefined)).toBe('1234.5678');
  expect(text(decimal('91200'), 'BTC', '60800.0')).toBe('1.5000');
  expect(text(decimal('1'), 'ETH', '3000')).toBe('0.0003');
  expect(text(decimal('1'), 'ETH', undefined)).toBeUndefined();
  expect(text(decimal('1'), 'USDC', '0')).toBeUndefined();
  expect(['USDT', 'USDC', 'BTC', 'ETH'].map((one) => instrumentOf(one as 'BTC'))).toEqual([
    ...[undefined, 'USDC-USDT', 'BTC-USD-SWAP', 'ETH-USD-SWAP'],
  ]);
});

test('a day without a value breaks the line, and a flat one runs through the middle', () => {
  const values = [10, 20, undefined, 20];
  const runs = runsOf(values, { low: 0, high: 20 }, 300, 100);
  expect(runs.map(linePath)).toEqual(['M0.0,50.0L100.0,0.0', 'M300.0,0.0']);
  expect(areaPath(runs[0]!, 100)).toBe('M0.0,50.0L100.0,0.0L100.0,100.0L0.0,100.0Z');
  expect(runsOf([5, 5], scaleOf([5, 5]), 10, 100)[0]?.[0]?.y).toBe(50);
  expect(runsOf([0, 0], scaleOf([0, 0]), 10, 100)[0]?.[0]?.y).toBe(100);
  expect(scaleOf([undefined])).toEqual({ low: 0, high: 1 });
});
