import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startJobs } from './jobs.ts';
import { createLogger, type Logger } from './logger.ts';
import { createWorkReport } from './work-report.ts';

const quiet = createLogger('silent');

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('says at once that a job fails, once a minute while it does by the same cause, and that it is done again', async () => {
  const lines: string[] = [];
  const say = (level: string) => (facts: { err?: Error; before?: number }) =>
    void lines.push([level, facts.err?.message, facts.before].filter((part) => part !== undefined).join(' '));
  const logger = { warn: say('warn'), info: say('info'), error: say('error') } as unknown as Logger;
  let fault: string | undefined = 'away';
  const run = async () => {
    if (fault !== undefined) throw new Error(fault);
  };
  const jobs = startJobs([{ name: 'look', everyMs: 1000, run }], { logger, work: createWorkReport(logger) });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lines).toEqual(['warn away']);
  fault = 'full';
  await vi.advanceTimersByTimeAsync(62_000);
  expect(lines.slice(1)).toEqual(['warn full 9', 'warn full 59']);
  fault = undefined;
  await vi.advanceTimersByTimeAsync(3000);
  fault = 'full';
  await vi.advanceTimersByTimeAsync(1000);
  expect(lines.slice(3)).toEqual(['info', 'warn full']);
  await jobs.close();
});

it('runs jobs of one period one after the other, each after that period again, and none once it is closed', async () => {
  const runs: [string, number][] = [];
  const begun = Date.now();
  const job = (name: string) => ({ name, everyMs: 1000, run: async () => void runs.push([name, Date.now() - begun]) });
  const jobs = startJobs(['a', 'b', 'c', 'd'].map(job), { logger: quiet, work: createWorkReport(quiet) });
  await vi.advanceTimersByTimeAsync(2000);
  const first: [string, number][] = [
    ['d', 250],
    ['c', 500],
    ['b', 750],
    ['a', 1000],
  ];
  expect(runs).toEqual([...first, ...first.map(([name, at]) => [name, at + 1000])]);
  await jobs.close();
  await vi.advanceTimersByTimeAsync(5000);
  expect(runs).toHaveLength(8);
});

it('stands still where its run does not end, or fails, for a quarter of an hour or three of its periods', async () => {
  const work = createWorkReport(quiet);
  const { promise: blocked, resolve: goOn } = Promise.withResolvers<void>();
  let isBroken = true;
  const broken = async () => {
    if (isBroken) throw new Error('no room');
  };
  const jobs = startJobs(
    [
      { name: 'hangs', everyMs: 1000, run: () => blocked },
      { name: 'fails', everyMs: 1000, run: broken },
      { name: 'fails rarely', everyMs: 600_000, run: broken },
      { name: 'is done', everyMs: 1000, run: async () => undefined },
    ],
    { logger: quiet, work },
  );
  const standing = () => work.standing().map(({ name, cause }) => [name, cause]);
  await vi.advanceTimersByTimeAsync(15 * 60_000);
  expect(standing()).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  const both = [
    ['hangs', undefined],
    ['fails', 'no room'],
  ];
  expect(standing()).toEqual(both);
  await vi.advanceTimersByTimeAsync(15 * 60_000);
  expect(standing()).toEqual([...both, ['fails rarely', 'no room']]);
  expect(work.standing()[0]?.forMs).toBe(31 * 60_000);
  isBroken = false;
  goOn();
  await vi.advanceTimersByTimeAsync(1000);
  expect(standing()).toEqual([['fails rarely', 'no room']]);
  await jobs.close();
});
