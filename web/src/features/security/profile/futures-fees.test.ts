import { expect, test } from 'vitest';
import { feeGroups } from './futures-fees.ts';

const market = (pair_name: string, maker_fee_percent: string, taker_fee_percent: string) => ({
  ...{ pair_name, maker_fee_percent, taker_fee_percent },
});

test('perpetuals with equal fees are one row, the largest group first', () => {
  expect(
    feeGroups([
      market('ETH', '0.0100', '0.0400'),
      market('BTC', '0.0200', '0.0500'),
      market('SOL', '0.0200', '0.0500'),
    ]),
  ).toEqual([
    { maker: '0.0200', taker: '0.0500', pairs: ['BTC', 'SOL'] },
    { maker: '0.0100', taker: '0.0400', pairs: ['ETH'] },
  ]);
  expect(feeGroups([])).toEqual([]);
});
