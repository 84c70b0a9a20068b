/** What margin is computed from, as the core's functions take it: ticks, lots and smallest units of USDT. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { futuresSettings } from '@cambist/contract/futures.ts';
import type { CoinPair } from '@cambist/contract/markets.ts';
import type { PerpetualTerms } from '@cambist/core/margin/perpetual.ts';
import { type Decimal, decimal, rescale } from '../decimal.ts';

export type FuturesSettings = AnswerOf<typeof futuresSettings>;

/** Of USDT in the ledger. */
export const USDT_SCALE = 8;
/** A percentage in parts per million. */
const PPM_SCALE = 4;

export interface MarketTerms {
  readonly terms: PerpetualTerms;
  readonly priceScale: number;
  readonly quantityScale: number;
}

export const unitsOf = (value: string): bigint => rescale(decimal(value), USDT_SCALE, 'nearest').units;
export const usdt = (units: bigint): Decimal => ({ units, scale: USDT_SCALE });

export const ppmOf = (percent: string) => Number(rescale(decimal(percent), PPM_SCALE, 'nearest').units);

export function marketTerms(
  pair: Pick<CoinPair, 'price_scale' | 'quantity_scale'>,
  settings: Pick<FuturesSettings, 'taker_fee_percent' | 'tiers'>,
): MarketTerms {
  const { price_scale: priceScale, quantity_scale: quantityScale } = pair;
  return {
    priceScale,
    quantityScale,
    terms: {
      unitsPerTickLot: 10n ** BigInt(USDT_SCALE - priceScale - quantityScale),
      takerPpm: ppmOf(settings.taker_fee_percent),
      tiers: settings.tiers.map((tier) => ({
        maximumNotional: unitsOf(tier.maximum_value),
        maximumLeverage: tier.maximum_leverage,
        maintenancePpm: ppmOf(tier.maintenance_percent),
      })),
    },
  };
}

export const ticksOf = ({ priceScale }: MarketTerms, price: string): number =>
  Number(rescale(decimal(price), priceScale, 'nearest').units);

export const lotsOf = ({ quantityScale }: MarketTerms, quantity: string): number =>
  Number(rescale(decimal(quantity), quantityScale, 'nearest').units);

export const priceText = ({ priceScale: scale }: MarketTerms, ticks: number): Decimal => ({
  units: BigInt(ticks),
  scale,
});
