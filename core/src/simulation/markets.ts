/** Small markets that tests and the simulation share: few ticks and lots, so that everything collides. */
import type { Command } from '../exchange/command.ts';
import type { OrderLimits } from '../instruments/commands.ts';
import type { Asset, MarketSpec } from '../money/market.ts';
import { INITIAL_LIMITS } from '../orders/limits.ts';

export const BTC: Asset = { id: 1, code: 'BTC', scale: 8 };
export const ETH: Asset = { id: 2, code: 'ETH', scale: 8 };
export const USDT: Asset = { id: 0, code: 'USDT', scale: 6 };

/** Price in tenths of a USDT, quantity in 10^-5 BTC: one tick × lot is one USDT unit. */
export const BTC_USDT: MarketSpec = {
  id: 1,
  symbol: 'BTC-USDT',
  base: BTC,
  quote: USDT,
  tickScale: 1,
  lotScale: 5,
  minimumLots: 10,
  maximumLots: 1_000_000,
  minimumNotional: 1_000_000n,
  priceBandPpm: 100_000,
};

/** No band and no minimum value; one tick × lot is ten USDT units. The id leaves a gap. */
export const ETH_USDT: MarketSpec = {
  id: 4,
  symbol: 'ETH-USDT',
  base: ETH,
  quote: USDT,
  tickScale: 2,
  lotScale: 3,
  minimumLots: 1,
  maximumLots: 100_000,
  minimumNotional: 0n,
  priceBandPpm: 0,
};

/** Shares both assets with the others, so that one balance backs orders in several books. */
export const ETH_BTC: MarketSpec = {
  id: 5,
  symbol: 'ETH-BTC',
  base: ETH,
  quote: BTC,
  tickScale: 5,
  lotScale: 3,
  minimumLots: 2,
  maximumLots: 100_000,
  minimumNotional: 100n,
  priceBandPpm: 200_000,
};

export const TEST_MARKETS: readonly MarketSpec[] = [BTC_USDT, ETH_USDT, ETH_BTC];

const TIERS = [
  { maximumNotional: 300_000_000n, maximumLeverage: 100, maintenancePpm: 4_000 },
  { maximumNotional: 900_000_000n, maximumLeverage: 50, maintenancePpm: 8_000 },
  { maximumNotional: 5_000_000_000n, maximumLeverage: 20, maintenancePpm: 20_000 },
] as const;

/** Of examples: the mark is the index, and there is no funding. */
const NO_FUNDING = {
  ...{ intervalMs: 28_800_000, interestPpb: 0, dampPpb: 0, capPpb: 0, impactValue: 100_000_000n },
};

/** Price in tenths of a USDT, quantity in thousandths: one tick × lot is a hundred USDT units. */
export const BTC_PERPETUAL: MarketSpec = {
  id: 20,
  symbol: 'BTC-USDT-SWAP',
  base: BTC,
  quote: USDT,
  tickScale: 1,
  lotScale: 3,
  minimumLots: 2,
  maximumLots: 100_000,
  minimumNotional: 500_000n,
  priceBandPpm: 300_000,
  perpetual: { makerPpm: 200, takerPpm: 500, tiers: TIERS, markClampPpm: 0, funding: NO_FUNDING },
};

/** Without a band, and with rounder margins. */
export const ETH_PERPETUAL: MarketSpec = {
  ...BTC_PERPETUAL,
  ...{ id: 21, symbol: 'ETH-USDT-SWAP', base: ETH, tickScale: 2, lotScale: 2, minimumLots: 1, priceBandPpm: 0 },
  minimumNotional: 0n,
};

const HOURLY = {
  ...{ intervalMs: 3_600_000, interestPpb: 100_000, dampPpb: 500_000, capPpb: 30_000_000, impactValue: 40_000_000n },
};

/** Of the simulation: marks beside the index, and rates that are felt. */
export const TEST_PERPETUALS: readonly MarketSpec[] = [
  { ...BTC_PERPETUAL, perpetual: { ...BTC_PERPETUAL.perpetual!, markClampPpm: 20_000, funding: HOURLY } },
  {
    ...ETH_PERPETUAL,
    perpetual: { ...ETH_PERPETUAL.perpetual!, markClampPpm: 0, funding: { ...HOURLY, interestPpb: -50_000 } },
  },
];

export const TEST_FEES = { makerPpm: 800, takerPpm: 1_000 } as const;

/** The commands that list markets with their assets, and set fees and limits. */
export function listing(markets: readonly MarketSpec[], limits: Partial<OrderLimits> = {}): Command[] {
  const assets = new Map(markets.flatMap(({ base, quote }) => [base, quote]).map((asset) => [asset.id, asset]));
  return [
    { kind: 'set-default-fees', ...TEST_FEES },
    { kind: 'set-limits', ...INITIAL_LIMITS, ...limits },
    ...[...assets.values()].map(({ id, code, scale }): Command => ({ kind: 'list-asset', asset: id, code, scale })),
    ...markets.map(({ id, base, quote, ...terms }): Command => {
      return { kind: 'list-market', market: id, base: base.id, quote: quote.id, ...terms };
    }),
  ];
}
