/** Why a command was refused; nothing has changed when it was. Tables and digests have their numbers: new ones go last. */
export const REJECT_REASONS = [
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
  'UNTRIGGERED_LIMIT',
  'UNKNOWN_ASSET',
  'INVALID_MARKET',
  'MARKET_DELISTED',
  'MARKET_NOT_EMPTY',
  'INVALID_TRANSFER',
  'TRANSFER_NOT_FOUND',
  'OUT_OF_SEQUENCE',
  'INVALID_CLIENT_ORDER_ID',
  'DUPLICATE_CLIENT_ORDER_ID',
  'INVALID_TAKE_PROFIT',
  'INVALID_STOP_LOSS',
  'INVALID_VISIBLE_QUANTITY',
  'INVALID_SCHEDULE',
  'SLICE_BELOW_MINIMUM',
  'NOT_AMENDABLE',
  'ABOVE_RISK_LIMIT',
  'NOTHING_TO_CLOSE',
  'INVALID_LEVERAGE',
  'POSITION_OPEN',
  'ORDERS_OPEN',
  'NO_POSITION',
  'SPOT_ONLY',
  'NO_INDEX',
  'POSITION_SIDE_MISMATCH',
  'EXITS_NEED_ENTRY',
  'TERM_RUNNING',
  'INVALID_TERM',
  'ONLY_OWN_ORDERS',
  'PRICE_MOVED',
  'MARKET_PAUSED',
  'BELOW_MAINTENANCE',
  'MARKET_CLOSE_ONLY',
] as const;

export type RejectReason = (typeof REJECT_REASONS)[number];

export type Outcome = { readonly ok: true } | { readonly ok: false; readonly reason: RejectReason };

/** Outcomes are shared constants: an answer costs no allocation. */
export const OK: Outcome = Object.freeze({ ok: true });

const REFUSALS = new Map<RejectReason, Outcome>(
  REJECT_REASONS.map((reason) => [reason, Object.freeze({ ok: false, reason })]),
);

/** The outcome of a command that was refused for a reason. */
export function refused(reason: RejectReason): Outcome {
  return REFUSALS.get(reason)!;
}

/** 0 for an accepted command, else the reason's number: what a digest of outcomes is made of. */
export function outcomeCode(outcome: Outcome): number {
  return outcome.ok ? 0 : REJECT_REASONS.indexOf(outcome.reason) + 1;
}
