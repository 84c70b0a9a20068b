import { expect, test } from 'vitest';
import { closeOnlyReason } from './close-only.ts';

const SPOT = { pair_name: 'BTC-USDT', coin: 'BTC' };
const SWAP = { pair_name: 'BTC-USDT-SWAP', coin: 'BTC' };
const announced = { isOver: false, closeOnlyAt: 100, endsAt: 200 };
const buy = { side: 'BUY', isReduceOnly: false } as const;

test('a pair that will be delisted takes orders until its close-only time, then only what reduces', () => {
  expect(closeOnlyReason(SPOT, { isOver: false, closeOnlyAt: 0, endsAt: 0 }, buy, 150)).toBeUndefined();
  expect(closeOnlyReason(SPOT, announced, buy, 99)).toBeUndefined();
  expect(closeOnlyReason(SPOT, announced, buy, 100)).toMatch(/only sell BTC/);
  expect(closeOnlyReason(SPOT, announced, { ...buy, side: 'SELL' }, 100)).toBeUndefined();
  expect(closeOnlyReason(SWAP, announced, { ...buy, side: 'SELL' }, 100)).toMatch(/only close your position/);
  expect(closeOnlyReason(SWAP, announced, { ...buy, isReduceOnly: true }, 100)).toBeUndefined();
});

test('a pair that was delisted takes nothing, whether that was announced or not', () => {
  const over = { isOver: true, closeOnlyAt: 0, endsAt: 0 };
  expect(closeOnlyReason(SPOT, over, { ...buy, side: 'SELL' }, 1)).toMatch(/Trading has ended/);
});
