/** Small markets that tests and the simulation share: few ticks and lots, so that everything collides. */
import type { Asset, MarketSpec } from '../money/market.ts';

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
