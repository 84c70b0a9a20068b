/** The term that an order asks for, as a person wrote it. The contract has checked which fields go together. */
import type { TermFields } from '@cambist/contract/trading.ts';
import { isTermDays, type TermChoice } from '@cambist/core/margin/term.ts';
import { parseAmount } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { say } from '../../platform/texts.ts';
import { amountProblem } from './errors.ts';
import { invalid, type ParsedNumber, type TermInput } from './parse.ts';

/** The contract has checked that a term has a target. */
export function termOf({
  term_days: days,
  target_income: target,
  funds_floor: floor,
}: TermFields): TermInput | undefined {
  return days === undefined || target === undefined ? undefined : { days, target, floor };
}

export function readTerm(market: MarketSpec, input: TermInput): ParsedNumber<TermChoice> {
  if (market.perpetual === undefined)
    return invalid('term_days', say('Only orders of perpetual futures can have a term'));
  const { days } = input;
  if (!isTermDays(days)) return { ok: false, error: { kind: 'rejected', reason: 'INVALID_TERM' } };
  const { scale } = market.quote;
  const target = parseAmount(input.target, scale);
  if (!target.ok) return invalid('target_income', amountProblem(target.error, scale));
  const floor = parseAmount(input.floor ?? '0', scale);
  if (!floor.ok) return invalid('funds_floor', amountProblem(floor.error, scale));
  return { ok: true, value: { days, target: target.value, floor: floor.value } };
}
