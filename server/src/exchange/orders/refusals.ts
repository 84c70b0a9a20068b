/** What the calls answer for each refusal of an order. */
import { Refusal } from '../../platform/calls.ts';
import { invalidField, notAccepted, outcomeUnknown } from '../../platform/refusals.ts';
import { say } from '../../platform/texts.ts';
import { type OrderError, rejectDetail } from './errors.ts';

/** The compiler keeps it complete. */
export function orderRefusal(error: OrderError): Refusal {
  switch (error.kind) {
    case 'rejected':
      return new Refusal(
        error.reason === 'ORDER_NOT_FOUND' ? 404 : 422,
        error.reason,
        error.bound ?? rejectDetail(error.reason),
        {},
        undefined,
        error.resumesAt === undefined ? {} : { resume_at: error.resumesAt },
      );
    case 'unknown-pair':
      return new Refusal(404, 'UNKNOWN_PAIR', say('There is no pair called {{name}}.', { name: error.name }));
    case 'invalid-field':
      return invalidField(error.field, error.detail);
    case 'order-not-found':
      return new Refusal(404, 'ORDER_NOT_FOUND', rejectDetail('ORDER_NOT_FOUND'));
    case 'key-reused':
      return new Refusal(422, 'IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for a different request.');
    case 'password-required':
      return new Refusal(403, 'TRANSACTION_PASSWORD_REQUIRED', 'Password is required');
    case 'wrong-password':
      return new Refusal(403, 'WRONG_TRANSACTION_PASSWORD', 'Wrong transaction password');
    case 'hedge-mode':
      return new Refusal(
        422,
        'HEDGE_MODE',
        'In hedge mode a position isn’t reversed. Close it, and open the one on the other side.',
      );
    case 'too-large-to-reverse':
      return new Refusal(
        422,
        'ABOVE_MAXIMUM_SIZE',
        'This position is too large to be reversed at once. Close it, and open the one on the other side.',
      );
    case 'shut-out':
      return error.refusal;
    case 'not-accepted':
      return notAccepted(error.retryAfterSeconds);
    case 'outcome-unknown':
      return outcomeUnknown();
  }
}
