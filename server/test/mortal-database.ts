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
