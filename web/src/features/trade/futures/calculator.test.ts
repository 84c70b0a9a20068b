import type { CoinPair } from '@cambist/contract/markets.ts';
import { expect, it } from 'vitest';
import { type FuturesSettings, marketTerms, unitsOf } from '../../../lib/futures/terms.ts';
import { outcomeOf } from './calculator.ts';

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
