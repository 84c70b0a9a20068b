/** Work that comes back: one run at a time, a failure is logged and the next turn tries again. */
import { guarded } from './guarded.ts';
import type { Logger } from './logger.ts';

export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** Runs once right away too. */
  readonly atStart?: boolean;
  run(): Promise<void>;
}

export interface Jobs {
  /** Waits for what is running. */
  close(): Promise<void>;
}

/** While a job fails again and again by the same cause, it is said so often: a hundred lines a second would hide what else is. */
const SAID_EVERY_MS = 60_000;

/** Says what fails: at once what is new, and what lasts once a minute with how often it was. */
function createReport(logger: Logger) {
  const failing = new Map<string, { readonly cause: string; readonly saidAt: number; readonly unsaid: number }>();
  return {
    failed(job: string, err: unknown): void {
      const cause = err instanceof Error ? err.message : String(err);
      const last = failing.get(job);
      const now = performance.now();
      if (last?.cause === cause && now - last.saidAt < SAID_EVERY_MS) {
        failing.set(job, { ...last, unsaid: last.unsaid + 1 });
        return;
      }
      const often = last === undefined || last.unsaid === 0 ? {} : { before: last.unsaid };
      logger.warn({ job, err, ...often }, 'A job failed; it is tried again');
      failing.set(job, { cause, saidAt: now, unsaid: 0 });
    },
    done(job: string): void {
      if (failing.delete(job)) logger.info({ job }, 'A job that failed is done again');
    },
  };
}

export function startJobs(jobs: readonly Job[], logger: Logger): Jobs {
  const running = new Map<string, Promise<void>>();
  const report = createReport(logger);
  function run(job: Job): void {
    if (running.has(job.name)) return;
    const work = (async () => job.run())()
      .then(
        () => report.done(job.name),
        (error: unknown) => report.failed(job.name, error),
      )
      .finally(() => running.delete(job.name));
    running.set(job.name, work);
  }
  for (const job of jobs) if (job.atStart) run(job);
  const timers = jobs.map((job) =>
    setInterval(
      guarded(logger, job.name, () => run(job)),
      job.everyMs,
    ).unref(),
  );
  return {
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}
