import { movementCause } from '@cambist/contract/statements.ts';
import { describe, expect, it } from 'vitest';
import { amountOf, causeOf, referenceOf } from './statement-words.ts';

describe('a line of a statement', () => {
  it('says which side a trade was, for the base and for the quote', () => {
    const trade = (coin: string, amount: string) => causeOf(coin, { cause: 'trade', pair: 'BTC-USDT', amount });
    expect([trade('BTC', '0.5'), trade('USDT', '-100')]).toEqual(['Buy BTC/USDT', 'Buy BTC/USDT']);
    expect([trade('BTC', '-0.5'), trade('USDT', '100')]).toEqual(['Sell BTC/USDT', 'Sell BTC/USDT']);
  });

  it('has words for each cause, in both directions, and never its name in the call', () => {
    for (const cause of movementCause.options) {
      for (const amount of ['1', '-1']) {
        const words = causeOf('BTC', { cause, pair: null, amount });
        expect(words).toMatch(/^[A-Z]/);
        expect(words).not.toContain('-');
      }
    }
    const between = (amount: string) => causeOf('BTC', { cause: 'internal-withdrawal', pair: null, amount });
    expect(between('1')).not.toBe(between('-1'));
  });

  it('names the trade of a fill and the entry of anything else, and shows the sign of an amount', () => {
    expect(referenceOf({ cause: 'trade', pair: 'BTC-USDT', reference: '7' })).toBe('Trade 7');
    expect(referenceOf({ cause: 'conversion', pair: 'BTC-USDT', reference: '7' })).toBe('BTC/USDT, trade 7');
    expect(referenceOf({ cause: 'deposit', pair: null, reference: '8' })).toBe('Entry 8');
    expect(amountOf({ cause: 'deposit', pair: null, amount: '1234.50000000' })).toBe('+1,234.5');
    expect(amountOf({ cause: 'withdrawal', pair: null, amount: '-0.00000001' })).toBe('−0.00000001');
  });
});
