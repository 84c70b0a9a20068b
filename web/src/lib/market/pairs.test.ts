import type { CoinPair } from '@cambist/contract/markets.ts';
import { expect, test } from 'vitest';
import { figuresOf } from './pairs.ts';
import type { Ticker } from './tickers.ts';

const pair = (name: string) => ({ pair_name: name, close: '9', volume: '1', volume_quote: '9' }) as CoinPair;
const ticker = { last: '10', open24h: '8', high24h: '11', low24h: '7', vol24h: '2', volCcy24h: '20' } as Ticker;

test("a market's figures are the ticker's, and the call's until there is one", () => {
  const shown = figuresOf(pair('BTC-USDT'), ticker);
  expect(shown).toEqual({ close: '10', change: '25.0000', high: '11', low: '7', volume: '2', volumeQuote: '20' });
  expect(figuresOf(pair('BTC-USDT'), undefined)).toMatchObject({ close: '9', volume: '1', volumeQuote: '9' });
});

test('a market without a price has neither a price nor a change', () => {
  const none = { close: null, increase_in_value: null, high: null, low: null };
  const empty = { close: '', change: '', high: '', low: '' };
  expect(figuresOf({ ...pair('BTC-USDT'), ...none }, undefined)).toMatchObject(empty);
  const untraded = { ...ticker, last: '', open24h: '', high24h: '', low24h: '' };
  expect(figuresOf(pair('BTC-USDT'), untraded)).toMatchObject(empty);
});

test("what was traded of a perpetual in USDT is the call's: its ticker has coins alone, as OKX has it", () => {
  const swap = { ...ticker, volCcy24h: '2' };
  expect(figuresOf(pair('BTC-USDT-SWAP'), swap)).toMatchObject({ close: '10', volume: '2', volumeQuote: '9' });
});
