/** Says what fails again and again: at once where it is new, once a minute while it lasts, and when it is over. */
import type { Logger } from './logger.ts';

/** Sixteen lines a second of a database that is away would hide what else is. */
const SAID_EVERY_MS = 60_000;

export interface FailureReport {
  failed(name: string, error: unknown): void;
  done(name: string): void;
}

/** @param kind of what fails, as the log calls it */
export function createFailureReport(logger: Logger, kind: 'job' | 'consumer'): FailureReport {
  const failing = new Map<string, { readonly cause: string; readonly saidAt: number; readonly unsaid: number }>();
  return {
    failed(name, err) {
      const cause = err instanceof Error ? err.message : String(err);
      const last = failing.get(name);
      const now = performance.now();
      if (last?.cause === cause && now - last.saidAt < SAID_EVERY_MS) {
        failing.set(name, { ...last, unsaid: last.unsaid + 1 });
        return;
      }
      const often = last === undefined || last.unsaid === 0 ? {} : { before: last.unsaid };
      logger.warn({ [kind]: name, err, ...often }, `A ${kind} failed; it is tried again`);
      failing.set(name, { cause, saidAt: now, unsaid: 0 });
    },
    done(name) {
      if (failing.delete(name)) logger.info({ [kind]: name }, `A ${kind} that failed is done again`);
    },
  };
}
