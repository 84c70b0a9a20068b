/** The control of the attack by SIGKILL: a server without durability is found out. */
import { describe, expect, it } from 'vitest';
import { Unanswered } from '../http.ts';
import { databaseKinds } from '../target.ts';
import { killWhileTrading, openCourt, TRADERS, verdict } from './court.ts';

describe.each(databaseKinds)('a server that is killed under load (%s)', (kind) => {
  it('is found out when it keeps nothing: the control without durability', { timeout: 120_000 }, async () => {
    const court = await openCourt(kind, { DURABILITY: 'none' });
    try {
      await killWhileTrading(court, 1);
      await court.target.restart();
      const found = await verdict(court, true).catch((error: unknown) => {
        // The server has lost the orders that it acknowledged, so it cannot even answer for them.
        if (error instanceof Unanswered) return [error.message];
        throw error;
      });
      expect(found.filter((line) => /is gone|became/.test(line)).length).toBeGreaterThan(TRADERS);
    } finally {
      await court.target.remove();
    }
  });
});
