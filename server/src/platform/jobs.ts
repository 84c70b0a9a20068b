/** Work that comes back: one run at a time, a failure is reported and the next turn tries again. */
import { guarded } from './guarded.ts';
import type { Logger } from './logger.ts';
import type { WorkReport } from './work-report.ts';

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

export interface JobDeps {
  readonly logger: Logger;
  readonly work: WorkReport;
}

/** Jobs of one period would all ask the database in the same moment, once a second, and orders wait for that: they are this far apart in all. */
const SPREAD_MS = 1000;

/** Runs at first after less than a period, and then after each. @returns ends it */
function repeat({ name, everyMs }: Job, soonerMs: number, work: () => void, logger: Logger): () => void {
  const first = () => {
    timer = setInterval(guarded(logger, name, work), everyMs).unref();
    work();
  };
  let timer = setTimeout(guarded(logger, name, first), everyMs - soonerMs).unref();
  return () => clearTimeout(timer);
}

export function startJobs(jobs: readonly Job[], { logger, work: report }: JobDeps): Jobs {
  const running = new Map<string, Promise<void>>();
  function run(job: Job): void {
    if (running.has(job.name)) return;
    const work = (async () => job.run())()
      .then(
        () => report.done('job', job.name),
        (error: unknown) => report.failed('job', job.name, error),
      )
      .finally(() => running.delete(job.name));
    running.set(job.name, work);
  }
  for (const { name, everyMs } of jobs) report.expect('job', name, everyMs);
  for (const job of jobs) if (job.atStart) run(job);
  const ends = jobs.map((job, place) => {
    const soonerMs = (Math.min(job.everyMs, SPREAD_MS) * place) / jobs.length;
    return repeat(job, soonerMs, () => run(job), logger);
  });
  return {
    async close() {
      for (const end of ends) end();
      await Promise.all(running.values());
    },
  };
}
