import { MAXIMUM_AMOUNT } from './amount.ts';
import type { Asset, MarketSpec } from './market.ts';
import { maximumTicks } from './notional.ts';
import { MAXIMUM_INT32 } from './price.ts';

/** As many as the account key has room for. */
const MAXIMUM_ASSET_ID = 2 ** 14 - 1;
/** What a chain has beyond this is kept as dust beside the ledger. */
const MAXIMUM_ASSET_SCALE = 9;
const MAXIMUM_SCALE = 18;
/** Sparse ids, but an array finds them. */
const MAXIMUM_MARKET_ID = 32_767;
const SYMBOL = /^[A-Z0-9]{1,16}(-[A-Z0-9]{1,16}){0,2}$/;
const CODE = /^[A-Z0-9]{1,16}$/;

/** Beyond this the band's arithmetic, last price × (1 + band) × 10^6, would leave the safe integers. */
const MAXIMUM_BAND_PPM = 3_000_000;

/** Below this many ticks of range a market can't follow its price. */
const MINIMUM_TICK_RANGE = 1_000;

function isIntegerWithin(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high;
}

/** Says what is wrong with an asset, in words. */
export function assetProblems(asset: Asset): string[] {
  const problems: string[] = [];
  if (!CODE.test(asset.code)) problems.push('code is not 1 to 16 capital letters and digits');
  if (!isIntegerWithin(asset.id, 0, MAXIMUM_ASSET_ID)) problems.push(`asset ${asset.code}: id is not 0 to 16383`);
  if (!isIntegerWithin(asset.scale, 0, MAXIMUM_ASSET_SCALE)) {
    problems.push(`asset ${asset.code}: scale is not 0 to 9`);
  }
  return problems;
}

function scaleProblems(market: MarketSpec): string[] {
  const { tickScale, lotScale, base, quote } = market;
  if (!isIntegerWithin(tickScale, 0, MAXIMUM_SCALE)) return ['tickScale is not 0 to 18'];
  if (!isIntegerWithin(lotScale, 0, MAXIMUM_SCALE)) return ['lotScale is not 0 to 18'];
  const problems: string[] = [];
  if (quote.scale < tickScale + lotScale) problems.push('quote.scale is below tickScale + lotScale');
  if (base.scale < lotScale) problems.push('base.scale is below lotScale');
  return problems;
}

/** Only meaningful once scales and sizes are known to be in range. 2^31 lots of 10^9 base units never overflow. */
function overflowProblems(market: MarketSpec): string[] {
  const problems: string[] = [];
  if (maximumTicks(market) < MINIMUM_TICK_RANGE) problems.push('the largest order overflows int64 within 1000 ticks');
  return problems;
}

/**
 * Says what is wrong with a market, in words; an empty list means that every order it accepts has a notional and a
 * quantity within int64, so that nothing downstream has to check again.
 */
export function validateMarket(market: MarketSpec): string[] {
  const problems = [...assetProblems(market.base), ...assetProblems(market.quote), ...scaleProblems(market)];
  if (!SYMBOL.test(market.symbol)) problems.push('symbol is not capital letters and digits between hyphens');
  if (!isIntegerWithin(market.id, 0, MAXIMUM_MARKET_ID)) problems.push('id is not 0 to 32767');
  if (market.base.id === market.quote.id) problems.push('base and quote are the same asset');
  if (!isIntegerWithin(market.maximumLots, 1, MAXIMUM_INT32)) problems.push('maximumLots is not 1 to 2^31 - 1');
  if (!isIntegerWithin(market.minimumLots, 1, market.maximumLots)) problems.push('minimumLots is not 1 to maximumLots');
  if (market.minimumNotional < 0n || market.minimumNotional > MAXIMUM_AMOUNT)
    problems.push('minimumNotional overflows');
  if (!isIntegerWithin(market.priceBandPpm, 0, MAXIMUM_BAND_PPM)) problems.push('priceBandPpm is not 0 to 3000000');
  return problems.length > 0 ? problems : overflowProblems(market);
}
