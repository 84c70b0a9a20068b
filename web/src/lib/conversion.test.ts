import { expect, test } from 'vitest';
import { convertedWords, movedBy } from './conversion.ts';
import { toShortText } from './decimal.ts';

test('what an order moved is told after its fee', () => {
  const filled = { filled: '0.01000', average_price: '65000.0' };
  const bought = movedBy({ ...filled, delegate_type: 'BUY', fee: '0.00001000' });
  expect([toShortText(bought.paid), toShortText(bought.received)]).toEqual(['650', '0.00999']);
  const sold = movedBy({ ...filled, delegate_type: 'SELL', fee: '0.65000000' });
  expect([toShortText(sold.paid), toShortText(sold.received)]).toEqual(['0.01', '649.35']);
});

test('a conversion is told in the coins that it was between', () => {
  const coin_pair = { pair_name: 'BTC-USDT' };
  const sold = { filled: '0.10000', average_price: '92162.1', fee: '9.21621000', delegate_type: 'SELL' as const };
  expect(convertedWords({ ...sold, coin_pair })).toEqual({ from: '0.1 BTC', to: '9,206.99 USDT' });
  const bought = { ...sold, delegate_type: 'BUY' as const, fee: '0.00010000' };
  expect(convertedWords({ ...bought, coin_pair })).toEqual({ from: '9,216.21 USDT', to: '0.0999 BTC' });
});
