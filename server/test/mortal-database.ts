/** A process that may end anywhere: before or after whatever lasts. */
import type { Random } from '@cambist/core/simulation/random.ts';
import type { Database } from '../src/platform/database.ts';

/** The process ends here. */
export class Killed extends Error {}

/** Where a process ends: asked before and after whatever lasts. */
export type Fate = (where: string) => void;

/** Ends the process here and there, and oftener loses the answer of what is outside it. */
export const fateBy =
  (random: Random): Fate =>
  (where) => {
    const isOutside = /the (node|signer|ledger)$/.test(where);
    const draw = random.between(1, isOutside ? 24 : 150);
    if (draw === 1) throw new Killed(where);
    if (isOutside && draw <= 4) throw new Error(where);
  };

/** Ends the process at the so many-th step that lasts. */
export function fateAt(step: number): Fate {
  let left = step;
  return (where) => {
    left -= 1;
    if (left === 0) throw new Killed(where);
  };
}

/** What one of two that are at it at once is told; it tries again. */
const LOST_A_RACE = /Another round of crediting|found again|The cursor of .* has moved|deadlock detected/;

/** Waits for works at once. @returns whether fate has ended any of them @throws what else has gone wrong */
export async function hasEnded(works: readonly Promise<unknown>[]): Promise<boolean> {
  const failures = (await Promise.allSettled(works)).flatMap((one) => (one.status === 'rejected' ? one.reason : []));
  const unexpected = failures.find((error) => !(error instanceof Killed) && !LOST_A_RACE.test(error.message));
  if (unexpected !== undefined) throw unexpected;
  return failures.some((error) => error instanceof Killed);
}

/** What processes ask: one fate for a while, and none otherwise. */
export function createFate() {
  let current: Fate = () => undefined;
  return {
    ask: (where: string): void => current(where),
    async under<T>(fate: Fate, work: () => Promise<T>): Promise<T> {
      current = fate;
      try {
        return await work();
      } finally {
        current = () => undefined;
      }
    },
  };
}

/** The same database in a process that may end before or after any statement. */
export function mortal(database: Database, fate: Fate): Database {
  return {
    ...database,
    async query<R extends Record<string, unknown>>(sql: string, parameters?: Parameters<Database['query']>[1]) {
      fate(`before ${sql.slice(0, 30)}`);
      const rows = await database.query<R>(sql, parameters);
      fate(`after ${sql.slice(0, 30)}`);
      return rows;
    },
    async transaction(statements) {
      fate('before a transaction');
      const rows = await database.transaction(statements);
      fate('after a transaction');
      return rows;
    },
  };
}
