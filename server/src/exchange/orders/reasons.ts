/** Why an order ended, as a number in the tables: that of a record's reason, or of the refusal of a triggered order. */
import { REASONS } from '@cambist/core/events/event-record.ts';
import type { CancelReason } from '@cambist/core/orders/order-state.ts';
import { REJECT_REASONS, type RejectReason } from '@cambist/core/terms/outcome.ts';

/** Records have four bits for a reason. */
const FIRST_REFUSAL = 16;

export function reasonCode(reason: CancelReason | RejectReason): number {
  const code = (REASONS as readonly string[]).indexOf(reason);
  return code >= 0 ? code : FIRST_REFUSAL + REJECT_REASONS.indexOf(reason as RejectReason);
}

/** @throws for a number that no reason has */
export function reasonOf(code: number): CancelReason | RejectReason {
  const reason = code < FIRST_REFUSAL ? REASONS[code] : REJECT_REASONS[code - FIRST_REFUSAL];
  if (reason === undefined) throw new Error(`No reason of an order has the number ${code}`);
  return reason;
}

/** SQL: the name of the reason in a row of orders. */
export const REASON_NAME = `(ARRAY[${Array.from({ length: FIRST_REFUSAL }, (_, code) => `'${REASONS[code] ?? ''}'`)
  .concat(REJECT_REASONS.map((reason) => `'${reason}'`))
  .join(', ')}])[reason + 1]`;
