/** The coins that are traded against USDT, and the perpetuals on them, as the operator of a new exchange finds them. Edit, restart, done. */
import type { PerpetualSpec, RiskTier } from '@cambist/core/money/market.ts';
import type { PairType } from './pair-type.ts';

/** Decimals are text: nothing here is ever a float. */
export interface Listing {
  readonly code: string;
  readonly name: string;
  readonly type: PairType;
  /** Decimals of a price and of a quantity; together at most the eight of USDT. */
  readonly tickScale: number;
  readonly lotScale: number;
  /** What a market that never traded starts from, in USDT. */
  readonly price: string;
  /** Largest order, in coins. */
  readonly maximum: string;
  /** For a simulated market: USDT traded on an ordinary day, and the daily volatility in percent. */
  readonly dailyTurnover: number;
  readonly dailyVolatility: number;
}

export const QUOTE = { code: 'USDT', name: 'Tether', scale: 8 } as const;

/** How finely a coin is counted in the ledger; the huge supplies get fewer decimals so that they fit into int64. */
export const baseScale = (code: string): number => (code === 'SHIB' ? 2 : 8);

export const PRICE_BAND_PPM = 100_000;
/** One USDT. */
export const MINIMUM_NOTIONAL = 100_000_000n;

type Figures = readonly [
  tickScale: number,
  lotScale: number,
  price: string,
  maximum: string,
  dailyTurnover: number,
  dailyVolatility: number,
];

function listing(type: PairType, code: string, name: string, figures: Figures): Listing {
  const [tickScale, lotScale, price, maximum, dailyTurnover, dailyVolatility] = figures;
  return { code, name, type, tickScale, lotScale, price, maximum, dailyTurnover, dailyVolatility };
}

const main = (code: string, name: string, ...figures: Figures) => listing('MAIN', code, name, figures);
const ethereum = (code: string, name: string, ...figures: Figures) => listing('ETH', code, name, figures);
const alternative = (code: string, name: string, ...figures: Figures) => listing('ALT', code, name, figures);

/** The order gives new databases their ids; an existing database keeps its own. */
export const listings: readonly Listing[] = [
  main('BTC', 'Bitcoin', 1, 5, '91250.0', '100', 1_400_000_000, 2.2),
  main('ETH', 'Ethereum', 2, 4, '3021.40', '2000', 800_000_000, 3.1),
  main('BNB', 'BNB', 1, 4, '889.5', '5000', 120_000_000, 2.4),
  main('SOL', 'Solana', 2, 4, '138.25', '20000', 310_000_000, 3.8),
  main('XRP', 'XRP', 4, 2, '2.0850', '2000000', 260_000_000, 3.4),
  main('ADA', 'Cardano', 4, 2, '0.4152', '5000000', 48_000_000, 4.0),
  main('TRX', 'TRON', 5, 1, '0.27840', '5000000', 35_000_000, 1.7),
  main('LTC', 'Litecoin', 2, 4, '83.60', '20000', 42_000_000, 3.3),
  main('BCH', 'Bitcoin Cash', 1, 4, '545.2', '4000', 24_000_000, 3.2),
  main('XLM', 'Stellar', 4, 2, '0.2481', '5000000', 18_000_000, 3.9),
  main('DOT', 'Polkadot', 3, 3, '2.274', '500000', 16_000_000, 4.2),
  main('XMR', 'Monero', 2, 4, '362.40', '5000', 9_000_000, 3.0),
  main('ETC', 'Ethereum Classic', 3, 3, '13.620', '100000', 11_000_000, 3.7),
  ethereum('LINK', 'Chainlink', 3, 3, '13.240', '100000', 52_000_000, 4.1),
  ethereum('UNI', 'Uniswap', 3, 3, '6.052', '200000', 21_000_000, 4.6),
  ethereum('AAVE', 'Aave', 2, 4, '172.35', '8000', 24_000_000, 4.3),
  ethereum('LDO', 'Lido DAO', 4, 2, '0.6238', '2000000', 8_000_000, 5.1),
  ethereum('ARB', 'Arbitrum', 4, 2, '0.2106', '5000000', 13_000_000, 4.9),
  ethereum('OP', 'Optimism', 4, 2, '0.3124', '3000000', 10_000_000, 5.0),
  ethereum('POL', 'Polygon', 4, 2, '0.1364', '8000000', 8_000_000, 4.2),
  ethereum('CRV', 'Curve DAO', 4, 2, '0.3857', '3000000', 9_000_000, 5.2),
  ethereum('COMP', 'Compound', 2, 4, '32.18', '40000', 5_000_000, 4.7),
  ethereum('GRT', 'The Graph', 5, 1, '0.05210', '20000000', 4_000_000, 4.6),
  ethereum('ENS', 'Ethereum Name Service', 3, 3, '11.640', '100000', 4_500_000, 4.8),
  alternative('DOGE', 'Dogecoin', 5, 1, '0.15240', '10000000', 110_000_000, 4.4),
  alternative('SHIB', 'Shiba Inu', 8, 0, '0.00000872', '2000000000', 19_000_000, 4.1),
  alternative('AVAX', 'Avalanche', 3, 3, '14.215', '100000', 29_000_000, 4.5),
  alternative('NEAR', 'NEAR Protocol', 3, 3, '1.884', '500000', 14_000_000, 5.0),
  alternative('SUI', 'Sui', 4, 2, '1.5812', '1000000', 58_000_000, 5.3),
  alternative('APT', 'Aptos', 3, 3, '2.351', '500000', 12_000_000, 4.7),
  alternative('FIL', 'Filecoin', 3, 3, '1.624', '500000', 11_000_000, 4.8),
  alternative('ICP', 'Internet Computer', 3, 3, '4.108', '300000', 9_000_000, 5.0),
  alternative('HBAR', 'Hedera', 5, 1, '0.14180', '10000000', 17_000_000, 4.3),
  alternative('ATOM', 'Cosmos Hub', 3, 3, '2.452', '500000', 7_000_000, 4.2),
  alternative('USDC', 'USD Coin', 4, 2, '0.9998', '2000000', 38_000_000, 0.02),
];

/** A perpetual on a coin that is listed above, with the decimals and the largest order of its spot market. */
export interface PerpetualListing {
  readonly code: string;
  readonly terms: PerpetualSpec;
}

/** The name of a perpetual, in the OKX form. */
export const perpetualSymbol = (code: string): string => `${code}-${QUOTE.code}-SWAP`;

type Tier = readonly [maximumUsdt: number, leverage: number, maintenancePercent: number];

/** Ten thousand parts per million are a percent. */
const tier = ([maximum, maximumLeverage, maintenance]: Tier): RiskTier => ({
  maximumNotional: BigInt(maximum) * MINIMUM_NOTIONAL,
  maximumLeverage,
  maintenancePpm: Math.round(maintenance * 10_000),
});

/** What bears the largest positions, up to 100×. */
const LARGEST: readonly Tier[] = [
  [1_000_000, 100, 0.4],
  [3_000_000, 75, 0.65],
  [12_000_000, 50, 1],
  [40_000_000, 25, 2],
  [80_000_000, 20, 2.5],
  [200_000_000, 10, 5],
  [400_000_000, 5, 10],
  [800_000_000, 2, 25],
];
const LARGE: readonly Tier[] = [
  [500_000, 50, 1],
  [2_000_000, 25, 2],
  [5_000_000, 20, 2.5],
  [15_000_000, 10, 5],
  [30_000_000, 5, 10],
  [60_000_000, 2, 25],
];
const MIDDLE: readonly Tier[] = [
  [250_000, 25, 2],
  [1_000_000, 20, 2.5],
  [4_000_000, 10, 5],
  [8_000_000, 5, 10],
  [16_000_000, 2, 25],
];

/** 0.02 % for makers, 0.05 % for takers. */
const PERPETUAL_FEES = { makerPpm: 200, takerPpm: 500 } as const;

/** Every eight hours; interest of 0.01 %, and the premium counts as far as it is 0.05 % from it. */
const FUNDING = { intervalMs: 28_800_000, interestPpb: 100_000, dampPpb: 500_000 } as const;

/** What sizes of perpetuals have alike: how far the mark may be from the index (see `widestClampPpm`), and the highest rate of funding. */
interface Size {
  readonly tiers: readonly Tier[];
  readonly markClampPpm: number;
  readonly capPpb: number;
  /** USDT: the order whose average price counts as the book's. */
  readonly impact: bigint;
}

const largest: Size = { tiers: LARGEST, markClampPpm: 2_500, capPpb: 7_500_000, impact: 40_000n };
const large: Size = { tiers: LARGE, markClampPpm: 4_500, capPpb: 15_000_000, impact: 20_000n };
const middle: Size = { tiers: MIDDLE, markClampPpm: 9_500, capPpb: 30_000_000, impact: 10_000n };

const perpetuals = ({ tiers, markClampPpm, capPpb, impact }: Size, ...codes: readonly string[]): PerpetualListing[] => {
  const funding = { ...FUNDING, capPpb, impactValue: impact * MINIMUM_NOTIONAL };
  return codes.map((code) => ({ code, terms: { ...PERPETUAL_FEES, tiers: tiers.map(tier), markClampPpm, funding } }));
};

/** Their ids follow those of the spot markets. */
export const perpetualListings: readonly PerpetualListing[] = [
  ...perpetuals(largest, 'BTC', 'ETH'),
  ...perpetuals(large, 'SOL', 'XRP', 'BNB', 'DOGE'),
  ...perpetuals(middle, 'ADA', 'LTC', 'LINK', 'AVAX', 'TRX', 'DOT'),
];
