/** Both engines where quantities, prices and amounts are near the ends of their ranges. */
import { expect, it } from 'vitest';
import type { MarketSpec } from '../money/market.ts';
import { MAXIMUM_INT32 } from '../money/price.ts';
import { magnifiedMarket } from './magnified.ts';
import { TEST_MARKETS, TEST_PERPETUALS } from './markets.ts';
import { describeRun, shrink, simulateLarge } from './twins.ts';

const STEPS = 2_000;

/** The largest quantity of the workload is some 2^31 lots here, and positions are several of those. */
const MANY = { lots: 35_000_000, ticks: 1, money: 350_000n };
const DEAR = { lots: 1, ticks: 100_000, money: 1_000n };
/** A position is worth up to 10^17 units, and wallets have what issuance leaves of 2^63. */
const WORTH = { lots: 35_000_000, ticks: 5, money: 175_000_000n };
const SPOT_MANY = { lots: 20_000, ticks: 1, money: 20_000n };
/** 640,000 ticks become 1.9 × 10^9. */
const SPOT_DEAR = { lots: 2_000, ticks: 3_000, money: 6_000_000n };

const COARSE = { tick: 0, lot: 0 };
const most = (markets: readonly MarketSpec[]) => markets.map((one) => ({ ...one, maximumLots: MAXIMUM_INT32 }));

/** The reference goes lot by lot to the value of a premium. */
const unscaledImpact = (markets: readonly MarketSpec[]) =>
  markets.map((market, place) => {
    const { impactValue } = TEST_PERPETUALS[place]!.perpetual!.funding;
    const perpetual = market.perpetual!;
    return { ...market, perpetual: { ...perpetual, funding: { ...perpetual.funding, impactValue } } };
  });
const perpetuals = (by: typeof MANY, finer = COARSE) =>
  unscaledImpact(TEST_PERPETUALS.map((market) => magnifiedMarket(market, by, finer)));

it.each([
  ['perpetuals of 2^31 lots', TEST_PERPETUALS, most(perpetuals(MANY, { tick: 0, lot: 2 })), MANY],
  ['perpetuals of 10^9 ticks', TEST_PERPETUALS, perpetuals(DEAR, { tick: 2, lot: 0 }), DEAR],
  ['perpetuals worth 10^17 units', TEST_PERPETUALS, most(perpetuals(WORTH)), WORTH],
  [
    'spot of 2^31 lots',
    TEST_MARKETS,
    most(TEST_MARKETS.map((one) => magnifiedMarket(one, SPOT_MANY, COARSE))),
    SPOT_MANY,
  ],
  ['spot of 2^31 ticks', TEST_MARKETS, TEST_MARKETS.map((one) => magnifiedMarket(one, SPOT_DEAR, COARSE)), SPOT_DEAR],
])('agrees with the reference and with the auditor: %s', (_, markets, large, by) => {
  for (const seed of [2, 3, 4, 5]) {
    const run = simulateLarge([seed, STEPS, 3 + seed], markets, large, by);
    expect(run.failure === undefined ? '' : describeRun(shrink(run.steps, large))).toBe('');
    // Of the largest values most are refused.
    expect(run.accepted).toBeGreaterThan(STEPS / 6);
    expect(run.trades).toBeGreaterThan(0);
  }
});
