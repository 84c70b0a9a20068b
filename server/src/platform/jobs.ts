/** Work that comes back: one run at a time, a failure is logged and the next turn tries again. */
import { createFailureReport } from './failure-report.ts';
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

export function startJobs(jobs: readonly Job[], logger: Logger): Jobs {
  const running = new Map<string, Promise<void>>();
  const report = createFailureReport(logger, 'job');
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
