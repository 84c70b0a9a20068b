import type { MarketSpec } from '@cambist/core/money/market.ts';

/** A market that is a perpetual. */
export type PerpetualMarket = MarketSpec & { readonly perpetual: NonNullable<MarketSpec['perpetual']> };

export const isPerpetual = (market: MarketSpec): market is PerpetualMarket => market.perpetual !== undefined;
