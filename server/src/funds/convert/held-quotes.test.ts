import { describe, expect, it } from 'vitest';
import { createHeldQuotes } from './held-quotes.ts';

describe('held quotes', () => {
  it('are the newest eight of each client, however many others ask for theirs', () => {
    const quotes = createHeldQuotes<string>({ now: () => 0 }, 10_000);
    const first = quotes.hold(200, 'first');
    for (let other = 201; other < 208; other += 1) quotes.hold(other, 'of another');
    const held = [first, ...['2', '3', '4', '5', '6', '7', '8'].map((quote) => quotes.hold(200, quote))];
    expect(held.map((id) => quotes.find(200, id))).toEqual(['first', '2', '3', '4', '5', '6', '7', '8']);
    quotes.hold(200, '9');
    expect(held.slice(0, 2).map((id) => quotes.find(200, id))).toEqual([undefined, '2']);
  });
});
