/**
 * What comes back again and again. What fails is said at once where it is new, once a minute while it lasts, and when it is over;
 * what is not done for long, because it fails or because a run of it does not end, stands still.
 */
import type { Logger } from './logger.ts';

/** Sixteen lines a second of a database that is away would hide what else is. */
const SAID_EVERY_MS = 60_000;
/** What is not done for so long stands still, or for so many of its periods where those are longer. */
const STANDING_MS = 15 * 60_000;
const STANDING_PERIODS = 3;

export type WorkKind = 'job' | 'consumer';

/** Work that stands still. */
export interface Standing {
  readonly kind: WorkKind;
  readonly name: string;
  /** Since it was done last, or was to begin. */
  readonly forMs: number;
  /** Why it failed last; none where its run does not end. */
  readonly cause: string | undefined;
}

export interface WorkReport {
  /** @param everyMs how often it is to be done */
  expect(kind: WorkKind, name: string, everyMs: number): void;
  failed(kind: WorkKind, name: string, error: unknown): void;
  done(kind: WorkKind, name: string): void;
  standing(): Standing[];
}

interface Work {
  readonly kind: WorkKind;
  readonly name: string;
  readonly standsAfterMs: number;
  doneAt: number;
  cause: string | undefined;
  saidAt: number;
  /** How often it has failed by the same cause without a word. */
  unsaid: number;
}

export function createWorkReport(logger: Logger): WorkReport {
  const all = new Map<string, Work>();
  const find = (kind: WorkKind, name: string) => all.get(`${kind} ${name}`);
  return {
    expect(kind, name, everyMs) {
      const standsAfterMs = Math.max(STANDING_MS, everyMs * STANDING_PERIODS);
      const doneAt = performance.now();
      all.set(`${kind} ${name}`, { kind, name, standsAfterMs, doneAt, cause: undefined, saidAt: 0, unsaid: 0 });
    },
    failed(kind, name, err) {
      const work = find(kind, name);
      if (work === undefined) return;
      const cause = err instanceof Error ? err.message : String(err);
      const now = performance.now();
      if (work.cause === cause && now - work.saidAt < SAID_EVERY_MS) {
        work.unsaid += 1;
        return;
      }
      const often = work.unsaid === 0 ? {} : { before: work.unsaid };
      logger.warn({ [kind]: name, err, ...often }, `A ${kind} failed; it is tried again`);
      Object.assign(work, { cause, saidAt: now, unsaid: 0 });
    },
    done(kind, name) {
      const work = find(kind, name);
      if (work === undefined) return;
      if (work.cause !== undefined) logger.info({ [kind]: name }, `A ${kind} that failed is done again`);
      Object.assign(work, { doneAt: performance.now(), cause: undefined, unsaid: 0 });
    },
    standing() {
      const now = performance.now();
      return [...all.values()]
        .filter(({ doneAt, standsAfterMs }) => now - doneAt > standsAfterMs)
        .map(({ kind, name, doneAt, cause }) => ({ kind, name, forMs: now - doneAt, cause }));
    },
  };
}
