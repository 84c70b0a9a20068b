import { expect, test } from 'vitest';
import { countedTitle, isFillTurn } from './own-title.ts';

test('the title counts open orders, and none without any', () => {
  expect(countedTitle('92,098.8 BTC-USDT', 0)).toBe('92,098.8 BTC-USDT');
  expect(countedTitle('92,098.8 BTC-USDT', 3)).toBe('(3) 92,098.8 BTC-USDT');
});

test('a fill takes turns with the price for four seconds, or stays for them where motion is reduced', () => {
  const turns = [0, 1, 2, 3, 4, 5];
  expect(turns.map((turn) => isFillTurn(turn, false))).toEqual([true, false, true, false, false, false]);
  expect(turns.map((turn) => isFillTurn(turn, true))).toEqual([true, true, true, true, false, false]);
});
