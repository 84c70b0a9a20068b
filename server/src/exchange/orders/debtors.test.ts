import type { MarketSpec } from '@cambist/core/money/market.ts';
import { expect, it } from 'vitest';
import type { Submission } from '../engine/feed.ts';
import { waitsForDebt } from './debtors.ts';

const [USDT, BTC] = [0, 1];
const spot = { base: { id: BTC }, quote: { id: USDT } } as MarketSpec;
const perpetual = { ...spot, perpetual: {} } as MarketSpec;
const deps = {
  exchange: {
    openOrder: (id: number) => ({ reduceOnly: id === 7 ? true : undefined }),
    untriggeredOrder: (id: number) => ({ reduceOnly: id === 7 }),
  },
  marketOf: (id: number) => (id === 1 ? spot : perpetual),
} as unknown as Parameters<typeof waitsForDebt>[2];

const waits = (command: object, owed: number = USDT) => waitsForDebt(command as Submission, new Set([owed]), deps);

it.each([
  ['a cancel', { kind: 'cancel-order' }, false],
  ['a close', { kind: 'close-position', reverses: false }, false],
  ['a reversal', { kind: 'close-position', reverses: true }, true],
  ['an opening order', { kind: 'place-order', market: 2, side: 0 }, true],
  ['an order that only reduces', { kind: 'place-order', market: 2, side: 0, reduceOnly: true }, false],
  ['a sell of the long position', { kind: 'place-order', market: 2, side: 1, positionSide: 'long' }, false],
  ['a buy of the short position', { kind: 'place-order', market: 2, side: 0, positionSide: 'short' }, false],
  ['a buy of the long position', { kind: 'place-order', market: 2, side: 0, positionSide: 'long' }, true],
  ['a spot buy that spends what is owed', { kind: 'place-order', market: 1, side: 0 }, true],
  ['a spot sell that brings in what is owed', { kind: 'place-order', market: 1, side: 1 }, false],
  ['a stop that only reduces', { kind: 'place-conditional-order', market: 2, side: 1, reduceOnly: true }, false],
  ['a spot TWAP', { kind: 'place-twap', market: 1, side: 1 }, true],
  ['an amendment of what only reduces', { kind: 'amend-order', orderId: 7 }, false],
  ['an amendment of another order', { kind: 'amend-order', orderId: 8 }, true],
  ['margin that is taken out', { kind: 'adjust-margin', amount: -1n }, false],
  ['margin that is added', { kind: 'adjust-margin', amount: 1n }, true],
  ['leverage', { kind: 'set-leverage' }, true],
])('of a debtor, %s', (_, command, expected) => {
  expect(waits(command)).toBe(expected);
});

it('a spot order that brings in another coin than what is owed waits', () => {
  expect(waits({ kind: 'place-order', market: 1, side: 1 }, 5)).toBe(true);
});
