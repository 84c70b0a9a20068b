/** Why an order ended, as its owner reads it in the history. */
import { REASONS } from '@cambist/core/events/event-record.ts';
import type { RejectReason } from '@cambist/core/terms/outcome.ts';
import { describe, expect, it } from 'vitest';
import { reasonText } from './order-columns.tsx';

/** Why an order may be refused that its trigger places, though it was taken before. */
const REFUSALS: readonly RejectReason[] = [
  ...['MARKET_HALTED', 'MARKET_DELISTED', 'BELOW_MINIMUM_SIZE', 'ABOVE_MAXIMUM_SIZE', 'BELOW_MINIMUM_NOTIONAL'],
  ...['PRICE_OUTSIDE_BAND', 'INSUFFICIENT_FUNDS', 'WOULD_TAKE', 'NOT_FILLABLE', 'NO_LIQUIDITY', 'ACCOUNT_LIMIT'],
  ...['ABOVE_RISK_LIMIT', 'NOTHING_TO_CLOSE', 'NO_INDEX', 'TERM_RUNNING', 'BELOW_MAINTENANCE'],
] as RejectReason[];

const other = reasonText('A_REASON_OF_LATER');

describe('the reason of an order that ended', () => {
  it.each([...REASONS.filter((reason) => reason !== 'NONE'), ...REFUSALS])('is said: %s', (reason) => {
    expect(reasonText(reason)).not.toBe('');
    expect(reasonText(reason)).not.toBe(other);
  });

  it('is nothing for one that was filled or is open, and something for one that is not known here', () => {
    expect(reasonText('')).toBe('');
    expect(other).toBe('The pair didn’t accept it');
  });
});
