import { isFee } from '../ledger/fee.ts';
import { perpetualProblems, perpetualTerms } from '../margin/perpetual.ts';
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import type { FundingSpec, MarketSpec } from '../money/market.ts';
import { validateMarket } from '../money/validate-market.ts';

const HOUR = 3_600_000;
const INTERVALS = [HOUR, 4 * HOUR, 8 * HOUR];
/** A tenth of a position's value, in parts per billion. */
const MAXIMUM_RATE_PPB = 100_000_000;

const isRate = (value: number, maximum: number) => Number.isInteger(value) && value >= 0 && value <= maximum;

function fundingProblems({ intervalMs, interestPpb, dampPpb, capPpb, impactValue }: FundingSpec): string[] {
  const problems: string[] = [];
  if (!INTERVALS.includes(intervalMs)) problems.push('intervalMs is not 1, 4 or 8 hours');
  if (!isRate(capPpb, MAXIMUM_RATE_PPB)) problems.push('capPpb is not 0 to 100000000');
  if (!isRate(dampPpb, capPpb)) problems.push('dampPpb is not 0 to capPpb');
  if (!isRate(Math.abs(interestPpb), capPpb)) problems.push('interestPpb is above capPpb');
  if (impactValue < 1n || impactValue > MAXIMUM_AMOUNT) problems.push('impactValue is not 1 to int64');
  return problems;
}

/** Says what is wrong with a market, its perpetual terms among it, in words. */
export function marketProblems(spec: MarketSpec): string[] {
  const problems = validateMarket(spec);
  if (spec.perpetual === undefined || problems.length > 0) return problems;
  const { makerPpm, takerPpm, markClampPpm, funding } = spec.perpetual;
  const fees = isFee(makerPpm) && makerPpm <= takerPpm ? [] : ['makerPpm is not 0 to takerPpm'];
  const clamp = isRate(markClampPpm, 200_000) ? [] : ['markClampPpm is not 0 to 200000'];
  return [...fees, ...clamp, ...fundingProblems(funding), ...perpetualProblems(perpetualTerms(spec, spec.perpetual))];
}
