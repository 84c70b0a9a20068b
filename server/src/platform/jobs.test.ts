import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startJobs } from './jobs.ts';
import type { Logger } from './logger.ts';

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
  const jobs = startJobs([{ name: 'look', everyMs: 1000, run }], logger);
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
  const jobs = startJobs(['a', 'b', 'c', 'd'].map(job), {} as Logger);
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
