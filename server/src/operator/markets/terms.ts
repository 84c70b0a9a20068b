/** What an operator writes about a pair, as the exchange counts it; or which field is wrong, and why. */
import { MOST_FEE_PERCENT } from '@cambist/contract/fields.ts';
import type { MarketLimits } from '@cambist/core/instruments/commands.ts';
import { formatAmount, type Parsed, parseAmount } from '@cambist/core/money/amount.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { maximumTicks } from '@cambist/core/money/notional.ts';
import { formatLots, formatTicks, parseLots, parseTicks } from '@cambist/core/money/price.ts';
import { validateMarket } from '@cambist/core/money/validate-market.ts';
import { amountProblem } from '../../exchange/orders/errors.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';

export interface LimitsInput {
  readonly minimum_quantity: string;
  readonly maximum_quantity: string;
  readonly minimum_value: string;
  readonly price_band_percent: string;
}

export interface FieldError {
  readonly kind: 'invalid-field';
  readonly field: string;
  readonly detail: LocalizedText;
}

/** Parts per million have four decimals as a percentage. */
const PERCENT_SCALE = 4;
/** What the core's arithmetic has room for. */
const MAXIMUM_BAND_PERCENT = 300;

export const invalid = (field: string, detail: LocalizedText): FieldError => ({ kind: 'invalid-field', field, detail });
export const isError = (value: object): value is FieldError => 'kind' in value && value.kind === 'invalid-field';

export const percentOf = (ppm: number): string => formatAmount(BigInt(ppm), PERCENT_SCALE);

/** Reads a percentage in units of its last decimal: as parts per million where it may have four. */
export function parsePercent(field: string, text: string, maximum: number, scale = PERCENT_SCALE): number | FieldError {
  const parsed = parseAmount(text, scale);
  if (!parsed.ok) return invalid(field, amountProblem(parsed.error, scale));
  if (parsed.value > BigInt(maximum) * 10n ** BigInt(scale)) {
    return invalid(field, say('Use at most {{maximum}}', { maximum }));
  }
  return Number(parsed.value);
}

export function parseFees(maker: string, taker: string): { makerPpm: number; takerPpm: number } | FieldError {
  const makerPpm = parsePercent('maker_fee_percent', maker, MOST_FEE_PERCENT);
  const takerPpm = parsePercent('taker_fee_percent', taker, MOST_FEE_PERCENT);
  if (typeof makerPpm !== 'number') return makerPpm;
  return typeof takerPpm === 'number' ? { makerPpm, takerPpm } : takerPpm;
}

/** @returns what is wrong with the decimals of a new pair; undefined where nothing is */
export function decimalsProblem(
  base: Asset,
  quote: Asset,
  { tickScale, lotScale }: Pick<MarketSpec, 'tickScale' | 'lotScale'>,
): FieldError | undefined {
  if (lotScale > base.scale) {
    return invalid('quantity_decimals', say('The coin has {{maximum}} decimals', { maximum: base.scale }));
  }
  if (tickScale + lotScale > quote.scale) {
    const values = { maximum: quote.scale };
    return invalid('price_decimals', say('Price and quantity may have {{maximum}} decimals together', values));
  }
  return undefined;
}

function parsedLots(field: string, parsed: Parsed<number>, scale: number): number | FieldError {
  if (!parsed.ok) return invalid(field, amountProblem(parsed.error, scale));
  return parsed.value === 0 ? invalid(field, say('Enter a number above zero')) : parsed.value;
}

/** @param spec of the pair; its own limits are not looked at */
export function parseLimits(spec: MarketSpec, input: LimitsInput): MarketLimits | FieldError {
  const minimumLots = parsedLots('minimum_quantity', parseLots(input.minimum_quantity, spec), spec.lotScale);
  if (typeof minimumLots !== 'number') return minimumLots;
  const maximumLots = parsedLots('maximum_quantity', parseLots(input.maximum_quantity, spec), spec.lotScale);
  if (typeof maximumLots !== 'number') return maximumLots;
  if (maximumLots < minimumLots) {
    return invalid('maximum_quantity', say('The largest quantity is below the smallest'));
  }
  const notional = parseAmount(input.minimum_value, spec.quote.scale);
  if (!notional.ok) return invalid('minimum_value', amountProblem(notional.error, spec.quote.scale));
  const priceBandPpm = parsePercent('price_band_percent', input.price_band_percent, MAXIMUM_BAND_PERCENT);
  if (typeof priceBandPpm !== 'number') return priceBandPpm;
  const limits = { minimumLots, maximumLots, minimumNotional: notional.value, priceBandPpm };
  if (validateMarket({ ...spec, ...limits }).length > 0) {
    return invalid('maximum_quantity', say('An order of this size could be worth more than an account can hold'));
  }
  return limits;
}

/** Reads the price that the first orders of a new pair are measured against, in ticks. */
export function parseReference(spec: MarketSpec, text: string): number | FieldError {
  const field = 'reference_price';
  const parsed = parseTicks(text, spec);
  if (!parsed.ok) return invalid(field, amountProblem(parsed.error, spec.tickScale));
  if (parsed.value === 0) return invalid(field, say('Enter a number above zero'));
  const maximum = formatTicks(maximumTicks(spec), spec);
  return parsed.value > maximumTicks(spec) ? invalid(field, say('Use at most {{maximum}}', { maximum })) : parsed.value;
}

/** The limits of a pair as decimals. */
export function describeLimits(spec: MarketSpec): LimitsInput {
  return {
    minimum_quantity: formatLots(spec.minimumLots, spec),
    maximum_quantity: formatLots(spec.maximumLots, spec),
    minimum_value: formatAmount(spec.minimumNotional, spec.quote.scale),
    price_band_percent: percentOf(spec.priceBandPpm),
  };
}
