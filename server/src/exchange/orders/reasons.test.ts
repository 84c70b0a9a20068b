import { REASONS } from '@cambist/core/events/event-record.ts';
import { REJECT_REASONS } from '@cambist/core/terms/outcome.ts';
import { describe, expect, it } from 'vitest';
import { REASON_NAME, reasonCode, reasonOf } from './reasons.ts';

describe('numbers of reasons in the tables', () => {
  it('say each reason again', () => {
    for (const reason of [...REASONS, ...REJECT_REASONS]) expect(reasonOf(reasonCode(reason))).toBe(reason);
  });

  it("are a record's own where it has one, and stay what rows have", () => {
    expect(REASONS.map(reasonCode)).toEqual(REASONS.map((_, code) => code));
    expect([reasonCode('BY_OWNER'), reasonCode('MARKET_HALTED'), reasonCode('NO_INDEX')]).toEqual([1, 18, 61]);
    expect(() => reasonOf(15)).toThrow('No reason');
  });

  it('have their names in SQL too', () => {
    const names = REASON_NAME.match(/'\w*'/g)!.map((name) => name.slice(1, -1));
    for (const reason of [...REASONS, ...REJECT_REASONS]) expect(names[reasonCode(reason)]).toBe(reason);
  });
});
