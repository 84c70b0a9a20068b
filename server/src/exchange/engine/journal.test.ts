import type { Command } from '@cambist/core/exchange/command.ts';
import { issue } from '@cambist/core/ledger/issue.ts';
import { describe, expect, it } from 'vitest';
import { decodeEntries, encodeEntries, JOURNAL_VERSION } from './journal.ts';

const place: Command = {
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
};
const conditional = {
  kind: 'place-conditional-order',
  orderId: 7,
  owner: 1000,
  market: 3,
  side: 0,
  source: 'mark',
  timeInForce: 'POST_ONLY',
  quantity: 12,
  quoteTotal: 5n,
  selfTrade: 'CANCEL_BOTH',
} as const;
const absent = { takeProfit: undefined, stop: undefined, trailing: undefined };

describe('the journal', () => {
  it('carries idempotency keys and their clients beside the commands', () => {
    const transfer = issue('development-credit', 1000, 1, 5n, 4);
    const entries = [
      { command: place, key: { owner: 1000, key: 'k"1', fingerprint: 'f' } },
      { command: { ...transfer, origin: undefined }, key: { owner: 1000, key: 'k2', fingerprint: 'g' } },
      { command: { kind: 'cancel-all-orders', owner: 1000, market: undefined } as const, key: undefined },
    ];
    expect(decodeEntries({ version: JOURNAL_VERSION, commands: encodeEntries(entries) })).toEqual(entries);
  });

  it('stops at a version or a command that it does not know', () => {
    const unknown = { version: JOURNAL_VERSION + 1, commands: '[]' };
    expect(() => decodeEntries(unknown)).toThrow(/does not know/);
    expect(() => decodeEntries({ version: 1, commands: '[[[77,1]]]' })).toThrow(/does not know/);
  });
});

/** Rows as the first version wrote them, and the commands that they were. */
const first: readonly [string, Command][] = [
  ['[1,9007199254740991,1000,3,1,1,2,0,0,"9223372036854775807",3]', place],
  ['[2,5,1000]', { kind: 'cancel-order', orderId: 5, owner: 1000 }],
  [
    '[3,5,1000,10,20,"GTC",""]',
    { ...amend(5), price: 10, quantity: 20, timeInForce: 'GTC', selfTrade: 'CANCEL_NEWEST' },
  ],
  // Without a time in force an amended order only rested.
  ['[3,7,1000,12,22]', { ...amend(7), price: 12, quantity: 22, timeInForce: 'POST_ONLY', selfTrade: 'CANCEL_NEWEST' }],
  [
    '[14,5,1000,10,"","POST_ONLY","CANCEL_OLDEST"]',
    { ...amend(5), price: 10, quantity: undefined, timeInForce: 'POST_ONLY', selfTrade: 'CANCEL_OLDEST' },
  ],
  ['[4,2,true]', { kind: 'halt-market', market: 2, halted: true }],
  ['[5,1000,1,2]', { kind: 'set-fees', owner: 1000, makerPpm: 1, takerPpm: 2 }],
  ['[6,2,7]', { kind: 'set-reference-price', market: 2, price: 7 }],
  ['[7,1000,1,"12345678901234567"]', issue('development-credit', 1000, 1, 12_345_678_901_234_567n)],
  ['[8,100,1,"1"]', issue('house-capital', 100, 1, 1n)],
  ['[9,1000,0,"1"]', issue('fee-credit-grant', 1000, 0, 1n)],
  [
    '[10,7,1000,3,0,1,3,12,"5",2,10,11,5,0]',
    { ...conditional, ...absent, takeProfit: { trigger: 10, price: 11 }, stop: { trigger: 5, price: 0 } },
  ],
  [
    '[10,7,1000,3,0,1,3,12,"5",2,"","","","",0,4,9]',
    { ...conditional, ...absent, trailing: { callbackPpm: 0, callbackTicks: 4, activation: 9 } },
  ],
  [
    '[11,8,1000,"","",4,0]',
    { kind: 'amend-conditional-order', orderId: 8, owner: 1000, takeProfit: undefined, stop: { trigger: 4, price: 0 } },
  ],
  [
    '[15,8,1000,0,"","",3]',
    {
      kind: 'amend-conditional-order',
      orderId: 8,
      owner: 1000,
      takeProfit: { trigger: 0, price: undefined },
      stop: { trigger: undefined, price: 3 },
    },
  ],
  ['[12,0,77]', { kind: 'set-mark-price', market: 0, price: 77 }],
  ['[13,1000,""]', { kind: 'cancel-all-orders', owner: 1000, market: undefined }],
  ['[13,1000,0]', { kind: 'cancel-all-orders', owner: 1000, market: 0 }],
];

function amend(orderId: number) {
  return { kind: 'amend-order', orderId, owner: 1000 } as const;
}

describe('a journal of the first version', () => {
  it.each(first)('is read as it was meant: %s', (row, command) => {
    const [entry] = decodeEntries({ version: 1, commands: `[[${row},"key","print"]]` });
    expect(entry?.command).toEqual(command);
    const owner = 'owner' in command ? command.owner : 0;
    expect(entry?.key).toEqual({ owner, key: 'key', fingerprint: 'print' });
  });
});
