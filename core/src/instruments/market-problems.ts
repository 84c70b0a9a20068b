import { isFee } from '../ledger/fee.ts';
import { perpetualProblems, perpetualTerms } from '../margin/perpetual.ts';
import type { MarketSpec } from '../money/market.ts';
import { validateMarket } from '../money/validate-market.ts';

/** Says what is wrong with a market, its perpetual terms among it, in words. */
export function marketProblems(spec: MarketSpec): string[] {
  const problems = validateMarket(spec);
  if (spec.perpetual === undefined || problems.length > 0) return problems;
  const { makerPpm, takerPpm } = spec.perpetual;
  const fees = isFee(makerPpm) && makerPpm <= takerPpm ? [] : ['makerPpm is not 0 to takerPpm'];
  return [...fees, ...perpetualProblems(perpetualTerms(spec, spec.perpetual))];
}
