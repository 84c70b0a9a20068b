import type { Command } from '@cambist/core/exchange/command.ts';
import { describe, expect, it } from 'vitest';
import { decodeEntries, encodeEntries } from './codec.ts';

const waiting = {
  kind: 'place-conditional-order',
  orderId: 7,
  owner: 1000,
  market: 3,
  side: 0,
  source: 'mark',
  timeInForce: 'POST_ONLY',
  quantity: 12,
  quoteTotal: 9_223_372_036_854_775_807n,
  selfTrade: 'CANCEL_BOTH',
} as const;

const commands: Command[] = [
  {
    kind: 'place-order',
    orderId: 9_007_199_254_740_991,
    owner: 1000,
    market: 3,
    side: 1,
    type: 'market',
    timeInForce: 'FOK',
    price: 0,
    quantity: 0,
    quoteTotal: 9_223_372_036_854_775_807n,
    selfTrade: 'DECREMENT',
  },
  { kind: 'cancel-order', orderId: 5, owner: 1000 },
  { kind: 'amend-order', orderId: 5, owner: 1000, price: 10, quantity: 20 },
  { kind: 'amend-order', orderId: 5, owner: 1000, price: 10, quantity: 20, timeInForce: 'POST_ONLY' },
  {
    kind: 'amend-order',
    orderId: 5,
    owner: 1000,
    price: 10,
    quantity: 20,
    timeInForce: 'GTC',
    selfTrade: 'CANCEL_OLDEST',
  },
  { kind: 'amend-order', orderId: 5, owner: 1000, price: 10 },
  { kind: 'amend-order', orderId: 5, owner: 1000, quantity: 0, timeInForce: 'GTC' },
  { kind: 'halt-market', market: 2, halted: true },
  { kind: 'set-fees', owner: 1000, makerPpm: 1, takerPpm: 2 },
  { kind: 'set-reference-price', market: 2, price: 7 },
  { kind: 'credit-development-funds', owner: 1000, asset: 1, amount: 12_345_678_901_234_567n },
  { kind: 'provide-house-capital', owner: 100, asset: 1, amount: 1n },
  { kind: 'grant-fee-credit', owner: 1000, asset: 0, amount: 1n },
  {
    ...waiting,
    takeProfit: { trigger: 10, price: 11 },
    stop: { trigger: 5, price: 0 },
    trailing: undefined,
  },
  // What is refused is in the journal too, and must be refused again for the same reason.
  { ...waiting, takeProfit: { trigger: 0, price: 0 }, stop: undefined, trailing: undefined },
  {
    ...waiting,
    source: 'last',
    takeProfit: undefined,
    stop: undefined,
    trailing: { callbackPpm: 0, callbackTicks: 0, activation: 9 },
  },
  { kind: 'amend-conditional-order', orderId: 5, owner: 1000, takeProfit: undefined, stop: { trigger: 0, price: 3 } },
  { kind: 'amend-conditional-order', orderId: 5, owner: 1000, takeProfit: { trigger: 1, price: 0 }, stop: undefined },
  { kind: 'amend-conditional-order', orderId: 5, owner: 1000, takeProfit: { trigger: 0 }, stop: { price: 0 } },
  { kind: 'set-mark-price', market: 0, price: 77 },
  { kind: 'cancel-all-orders', owner: 1000, market: undefined },
  { kind: 'cancel-all-orders', owner: 1000, market: 0 },
];

describe('the journal', () => {
  it.each(commands)('gives back what it was given: $kind', (command) => {
    expect(decodeEntries(encodeEntries([{ command, key: undefined }]))).toEqual([{ command, key: undefined }]);
  });

  it('carries idempotency keys beside their commands', () => {
    const entries = commands.map((command, index) => ({ command, key: { key: `k"${index}`, fingerprint: 'f' } }));
    expect(decodeEntries(encodeEntries(entries))).toEqual(entries);
  });

  it('reads the amends of rows that an earlier version wrote, which name every field', () => {
    const text = '[[[3,5,1000,10,20,"GTC",""]],[[3,6,1000,11,21,"",""]],[[3,7,1000,12,22]],[[11,8,1000,"","",4,0]]]';
    expect(decodeEntries(text).map(({ command }) => command)).toEqual([
      { kind: 'amend-order', orderId: 5, owner: 1000, price: 10, quantity: 20, timeInForce: 'GTC' },
      { kind: 'amend-order', orderId: 6, owner: 1000, price: 11, quantity: 21 },
      { kind: 'amend-order', orderId: 7, owner: 1000, price: 12, quantity: 22 },
      {
        kind: 'amend-conditional-order',
        orderId: 8,
        owner: 1000,
        takeProfit: undefined,
        stop: { trigger: 4, price: 0 },
      },
    ]);
  });

  it('still writes an amend of every field as an earlier version reads it', () => {
    const both = { kind: 'amend-order', orderId: 5, owner: 1000, price: 10, quantity: 20 } as const;
    expect(encodeEntries([{ command: both, key: undefined }])).toBe('[[[3,5,1000,10,20,"",""]]]');
    const { price: _price, ...quantity } = both;
    expect(encodeEntries([{ command: quantity, key: undefined }])).toBe('[[[14,5,1000,"",20,"",""]]]');
  });

  it('refuses a command from a later version', () => {
    expect(() => decodeEntries('[[[99,1]]]')).toThrow(/does not know/);
  });
});
