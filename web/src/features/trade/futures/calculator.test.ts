import type { CoinPair } from '@cambist/contract/markets.ts';
import { expect, it } from 'vitest';
import { type FuturesSettings, marketTerms, unitsOf } from '../../../lib/futures/terms.ts';
import { type CalculatorEntry, outcomeOf, planOf } from './calculator.ts';

const MARKET = marketTerms(
  { pair_name: 'BTC-USDT-SWAP', price_scale: 1, quantity_scale: 3 } as CoinPair,
  {
    taker_fee_percent: '0.05',
    tiers: [{ maximum_value: '10000', maximum_leverage: 100, maintenance_percent: '0.4' }],
  } as FuturesSettings,
);

/** 0.05 of a coin from 1,000 to 1,100 USDT, x10. */
const PLAN = { isLong: true, leverage: 10, entry: 10_000, exit: 11_000, lots: 50, targetPercent: 25 };

it('works out margin, profit, fees, target and liquidation of a position that one thinks about', () => {
  expect(outcomeOf(MARKET, PLAN)).toEqual({
    ...{ margin: unitsOf('5'), profit: unitsOf('5'), fees: unitsOf('0.0525') },
    // A quarter of 5 USDT are 25 USDT a coin.
    ...{ target: 10_250, liquidation: 9_040 },
  });
  const short = outcomeOf(MARKET, { ...PLAN, isLong: false });
  expect([short.profit, short.target]).toEqual([unitsOf('-5'), 9_750]);
  expect(short.liquidation).toBeGreaterThan(10_900);
});

it('has no target for a short that would have to fall below nothing', () => {
  expect(outcomeOf(MARKET, { ...PLAN, isLong: false, leverage: 1, targetPercent: 100 }).target).toBeUndefined();
});

it.each([
  [{ entry: '0' }, 'Enter an opening price above zero.'],
  [{ exit: '' }, 'Enter a closing price above zero.'],
  [{ quantity: '' }, 'Enter an amount above zero.'],
  // As a field keeps a text that is no number.
  [{ quantity: '?1e9' }, 'Enter an amount above zero.'],
  [{ leverage: '101' }, 'Enter a whole leverage from 1 to 100.'],
  [{ leverage: '' }, 'Enter a whole leverage from 1 to 100.'],
  [{ target: '?-5' }, 'Enter the target return in whole percent.'],
] as const)('says what is missing where %o cannot be worked out', (part, sentence) => {
  const entered: CalculatorEntry = {
    ...{ side: 'long', leverage: '10', entry: '1000', exit: '1100', quantity: '0.05', target: '25' },
    ...part,
  };
  expect(planOf(MARKET, entered, 100)).toBe(sentence);
});

it('takes an empty target for none', () => {
  const entered = { leverage: '10', entry: '1000', exit: '1100', quantity: '0.05', target: '' };
  expect(planOf(MARKET, { side: 'long', ...entered }, 100)).toEqual({ ...PLAN, targetPercent: 0 });
});
