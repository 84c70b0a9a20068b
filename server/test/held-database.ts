/** A database whose answers a test can hold back, or lose: what takes its time on a network, made certain. */
import { type Database, DatabaseUnavailable, type Statement } from '../src/platform/database.ts';
import type { TestDatabase } from './databases.ts';

export interface Held {
  /** Resolves once a statement waits. */
  readonly reached: Promise<void>;
  release(): void;
}

interface Gate {
  readonly pattern: RegExp;
  readonly when: 'before' | 'after';
  readonly pass: () => Promise<void>;
  /** Matches to let pass first. */
  skip: number;
}

export interface HeldDatabase extends TestDatabase {
  /** What the server has open. */
  database(): Database;
  /** Holds the next statement like this: `before` it is asked, or `after`, when the store has done it. */
  hold(pattern: RegExp, when: 'before' | 'after', skip?: number): Held;
  /** Loses the next statement like this, before it is asked or after it is done. */
  lose(pattern: RegExp, when: 'before' | 'after'): void;
}

export function holdable(source: TestDatabase): HeldDatabase {
  const gates = new Set<Gate>();
  let opened: Database | undefined;

  async function pass(when: Gate['when'], text: string): Promise<void> {
    for (const gate of gates) {
      if (gate.when !== when || !gate.pattern.test(text)) continue;
      if (gate.skip > 0) gate.skip -= 1;
      else {
        gates.delete(gate);
        await gate.pass();
      }
    }
  }

  async function through<Result>(statements: readonly Statement[], work: () => Promise<Result>): Promise<Result> {
    const text = statements.map(({ sql }) => sql).join('\n');
    await pass('before', text);
    const result = await work();
    await pass('after', text);
    return result;
  }

  function gated(database: Database): Database {
    return {
      ...database,
      query: (sql, parameters) => through([{ sql }], () => database.query(sql, parameters)),
      transaction: (statements) => through(statements, () => database.transaction(statements)),
      writeAlone: (statement) => through([statement], () => database.writeAlone(statement)),
      get patient() {
        return gated(database.patient);
      },
    };
  }

  return {
    environment: source.environment,
    remove: () => source.remove(),
    async open() {
      opened = gated(await source.open());
      return opened;
    },
    database: () => opened as Database,
    hold(pattern, when, skip = 0) {
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      gates.add({
        pattern,
        when,
        skip,
        async pass() {
          reached.resolve();
          await released.promise;
        },
      });
      return { reached: reached.promise, release: released.resolve };
    },
    lose(pattern, when) {
      gates.add({
        pattern,
        when,
        skip: 0,
        pass: () => Promise.reject(new DatabaseUnavailable('Lost on its way')),
      });
    },
  };
}
