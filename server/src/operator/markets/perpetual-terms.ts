/** What an operator writes about a perpetual, as the exchange counts it; or which field is wrong, and why. */
import type { NewPerpetualTerms } from '@cambist/contract/admin-futures.ts';
import { MOST_FEE_PERCENT } from '@cambist/contract/fields.ts';
import { marketProblems } from '@cambist/core/instruments/market-problems.ts';
import { widestClampPpm } from '@cambist/core/margin/perpetual.ts';
import { parseAmount } from '@cambist/core/money/amount.ts';
import type { FundingSpec, PerpetualSpec, RiskTier } from '@cambist/core/money/market.ts';
import type { PerpetualMarket } from '../../exchange/futures/service.ts';
import { amountProblem } from '../../exchange/orders/errors.ts';
import { say } from '../../platform/texts.ts';
import { type FieldError, invalid, isError, parsePercent, percentOf } from './terms.ts';

const HOUR_MS = 3_600_000;
/** Parts per billion have seven decimals as a percentage. */
const RATE_SCALE = 7;
/** What the core takes, in percent. */
const MAXIMUM = { rate: 10, clamp: 20, maintenance: 100 } as const;
const MILLION = 1_000_000;

/** Every field of a list, or the first error in it. */
function all<Values extends Readonly<Record<string, number | bigint>>>(
  parsed: { readonly [Name in keyof Values]: Values[Name] | FieldError },
): Values | FieldError {
  return Object.values(parsed).find((one) => typeof one === 'object') ?? (parsed as Values);
}

function parseValue(market: PerpetualMarket, field: string, text: string): bigint | FieldError {
  const { scale } = market.quote;
  const parsed = parseAmount(text, scale);
  if (!parsed.ok) return invalid(field, amountProblem(parsed.error, scale));
  return parsed.value === 0n ? invalid(field, say('Enter a number above zero')) : parsed.value;
}

function parseSigned(field: string, text: string, maximum: number): number | FieldError {
  const read = parsePercent(field, text.replace(/^-/, ''), maximum, RATE_SCALE);
  return typeof read === 'number' && text.startsWith('-') && read !== 0 ? -read : read;
}

function parseFunding(market: PerpetualMarket, funding: NewPerpetualTerms['funding']): FundingSpec | FieldError {
  const rate = (name: 'damp_percent' | 'cap_percent') =>
    parsePercent(`funding.${name}`, funding[name], MAXIMUM.rate, RATE_SCALE);
  const read = all({
    interestPpb: parseSigned('funding.interest_percent', funding.interest_percent, MAXIMUM.rate),
    dampPpb: rate('damp_percent'),
    capPpb: rate('cap_percent'),
    impactValue: parseValue(market, 'funding.impact_value', funding.impact_value),
  });
  if (isError(read)) return read;
  const aboveCap = (name: string) => invalid(`funding.${name}`, say('It may not be above the cap'));
  if (Math.abs(read.interestPpb) > read.capPpb) return aboveCap('interest_percent');
  if (read.dampPpb > read.capPpb) return aboveCap('damp_percent');
  return { intervalMs: funding.interval_hours * HOUR_MS, ...read };
}

function tierProblem(field: string, tier: RiskTier, before: RiskTier | undefined, takerPpm: number) {
  const { maximumNotional, maximumLeverage, maintenancePpm } = tier;
  if (before && maximumNotional <= before.maximumNotional)
    return invalid(`${field}.maximum_value`, say('It must be above that of the tier before'));
  if (before && maximumLeverage > before.maximumLeverage)
    return invalid(`${field}.maximum_leverage`, say('It may not be above that of the tier before'));
  if (maintenancePpm < Math.max(1, before?.maintenancePpm ?? 0))
    return invalid(`${field}.maintenance_percent`, say('It must be above zero and not below that of the tier before'));
  if ((maintenancePpm + takerPpm) * maximumLeverage >= MILLION) {
    const detail = say(
      'With the taker’s fee it must be below the initial margin, which is {{percent}}% at x{{leverage}}',
      {
        percent: Number((100 / maximumLeverage).toFixed(2)),
        leverage: maximumLeverage,
      },
    );
    return invalid(`${field}.maintenance_percent`, detail);
  }
  return undefined;
}

function parseTiers(
  market: PerpetualMarket,
  { tiers }: NewPerpetualTerms,
  takerPpm: number,
): readonly RiskTier[] | FieldError {
  const read: RiskTier[] = [];
  for (const [index, tier] of tiers.entries()) {
    const field = `tiers.${index}`;
    const values = all({
      maximumNotional: parseValue(market, `${field}.maximum_value`, tier.maximum_value),
      maintenancePpm: parsePercent(`${field}.maintenance_percent`, tier.maintenance_percent, MAXIMUM.maintenance),
    });
    if (isError(values)) return values;
    const next = { ...values, maximumLeverage: tier.maximum_leverage };
    const problem = tierProblem(field, next, read.at(-1), takerPpm);
    if (problem !== undefined) return problem;
    read.push(next);
  }
  return read;
}

/**
 * A market may have been listed with more. Its other terms can be changed all the same while that becomes no worse: the mark no freer,
 * and its positions no thinner.
 */
function clampProblem(before: PerpetualSpec, next: Omit<PerpetualSpec, 'funding'>): FieldError | undefined {
  const [widest, was] = [widestClampPpm(next), widestClampPpm(before)];
  const isKept = next.markClampPpm <= before.markClampPpm && widest >= was;
  if (next.markClampPpm <= widest || isKept) return undefined;
  const detail = say('Use at most {{percent}}%: half of what the tiers leave a position beyond maintenance and fee', {
    percent: Number(percentOf(widest)),
  });
  return invalid('mark_clamp_percent', detail);
}

export function parseTerms(market: PerpetualMarket, terms: NewPerpetualTerms): PerpetualSpec | FieldError {
  const fees = all({
    makerPpm: parsePercent('maker_fee_percent', terms.maker_fee_percent, MOST_FEE_PERCENT),
    takerPpm: parsePercent('taker_fee_percent', terms.taker_fee_percent, MOST_FEE_PERCENT),
    markClampPpm: parsePercent('mark_clamp_percent', terms.mark_clamp_percent, MAXIMUM.clamp),
  });
  if (isError(fees)) return fees;
  if (fees.makerPpm > fees.takerPpm) return invalid('maker_fee_percent', say('A maker pays no more than a taker'));
  const tiers = parseTiers(market, terms, fees.takerPpm);
  if (isError(tiers)) return tiers;
  const tooWide = clampProblem(market.perpetual, { ...fees, tiers });
  if (tooWide !== undefined) return tooWide;
  const funding = parseFunding(market, terms.funding);
  if (isError(funding)) return funding;
  const perpetual = { ...fees, tiers, funding };
  const isWrong = marketProblems({ ...market, perpetual }).length > 0;
  return isWrong ? invalid('tiers', say('The terms of this pair are not valid.')) : perpetual;
}
