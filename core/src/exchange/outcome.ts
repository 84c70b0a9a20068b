import type { Outcome, RejectReason } from './command.ts';

/** Outcomes are shared constants: an answer costs no allocation. */
export const OK: Outcome = Object.freeze({ ok: true });

const REASONS: readonly RejectReason[] = [
  'DUPLICATE_ID',
  'UNKNOWN_MARKET',
  'MARKET_HALTED',
  'INVALID_PRICE',
  'INVALID_QUANTITY',
  'BELOW_MINIMUM_SIZE',
  'ABOVE_MAXIMUM_SIZE',
  'BELOW_MINIMUM_NOTIONAL',
  'PRICE_OUTSIDE_BAND',
  'INSUFFICIENT_FUNDS',
  'WOULD_TAKE',
  'NOT_FILLABLE',
  'NO_LIQUIDITY',
  'ORDER_NOT_FOUND',
  'NOTHING_TO_AMEND',
  'INVALID_AMOUNT',
  'INVALID_FEE',
  'ALREADY_TRADED',
  'ACCOUNT_LIMIT',
  'INVALID_TRIGGER',
  'WOULD_TRIGGER',
  'NO_PRICE',
  'WAITING_LIMIT',
];

const REFUSALS = new Map<RejectReason, Outcome>(
  REASONS.map((reason) => [reason, Object.freeze({ ok: false, reason })]),
);

/** The outcome of a command that was refused for a reason. */
export function refused(reason: RejectReason): Outcome {
  return REFUSALS.get(reason)!;
}
