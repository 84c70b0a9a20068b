/**
 * Revocation wins over every reading in flight. What gives authority is kept in memory once it was read, and a reading
 * that began before a revocation was committed may bring back a row that the revocation deletes. So readings and
 * revocations meet here: a reading learns what was revoked from its beginning to its end, in the same step in which its
 * result is used. A revocation that the store did not confirm stays in force, and is tried again.
 */
import { AuthorityEnded } from './database.ts';

export interface Revocation<Subject, Result> {
  /** What is revoked, by name: of several that failed under one name the last stays. */
  readonly key: string;
  readonly matches: (subject: Subject) => boolean;
  /** Takes it out of memory. Runs before the store is asked. */
  readonly forget: () => void;
  /** Resolves once the store has committed it. */
  readonly write: () => Promise<Result>;
  /** What makes up for a `write` that failed; `write` itself where it is missing. */
  readonly again?: () => Promise<unknown>;
}

type IsRevoked<Subject> = (subject: Subject) => boolean;

export interface Revocations<Subject> {
  /**
   * @param use is called in the same step in which the reading ends; what is revoked may neither be kept nor answered.
   * Memory: a revocation is remembered for as long as a reading that began before its end is in flight.
   */
  read<Value, Result>(
    from: () => Promise<Value>,
    use: (value: Value, isRevoked: IsRevoked<Subject>) => Result,
  ): Promise<Result>;
  /** Rejects when the store did not confirm it: what it matches stays shut until `finish` has done it. */
  revoke<Result>(revocation: Revocation<Subject, Result>): Promise<Result>;
  /** Tries again what the store did not confirm. Run it now and then. */
  finish(): Promise<void>;
}

interface Entry<Subject> {
  readonly matches: IsRevoked<Subject>;
  /** Infinity until it is committed. */
  endedAt: number;
}

interface Unfinished<Subject> {
  readonly entry: Entry<Subject>;
  readonly again: () => Promise<unknown>;
}

export function createRevocations<Subject>(): Revocations<Subject> {
  /** Counts endings: a reading that began at `n` may have missed those after `n`. */
  let time = 0;
  const reading = new Set<{ readonly begunAt: number }>();
  const entries = new Set<Entry<Subject>>();
  const unfinished = new Map<string, Unfinished<Subject>>();

  function dropOld(): void {
    // A set keeps its order, so the first reading is the oldest.
    const [oldest] = reading;
    for (const entry of entries) if (entry.endedAt <= (oldest?.begunAt ?? time)) entries.delete(entry);
  }

  function end(entry: Entry<Subject>): void {
    time += 1;
    entry.endedAt = time;
    dropOld();
  }

  return {
    async read(from, use) {
      const mine = { begunAt: time };
      reading.add(mine);
      try {
        const value = await from();
        return use(value, (subject) =>
          [...entries].some(({ endedAt, matches }) => endedAt > mine.begunAt && matches(subject)),
        );
      } finally {
        reading.delete(mine);
        dropOld();
      }
    },
    async revoke({ key, matches, forget, write, again = write }) {
      const entry = { matches, endedAt: Number.POSITIVE_INFINITY };
      entries.add(entry);
      forget();
      const earlier = unfinished.get(key);
      try {
        const result = await write();
        end(entry);
        if (earlier !== undefined && unfinished.get(key) === earlier) {
          unfinished.delete(key);
          end(earlier.entry);
        }
        return result;
      } catch (error) {
        // The asker may not revoke it any more, so nothing was done.
        if (error instanceof AuthorityEnded) end(entry);
        else {
          const replaced = unfinished.get(key);
          unfinished.set(key, { entry, again });
          if (replaced !== undefined) end(replaced.entry);
        }
        throw error;
      }
    },
    async finish() {
      for (const [key, one] of unfinished) {
        await one.again();
        if (unfinished.get(key) === one) unfinished.delete(key);
        end(one.entry);
      }
    },
  };
}
