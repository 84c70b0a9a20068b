/**
 * The spot terminal in Chromium: its weight and its way to the first candle, its frames under a recorded busy minute
 * beside a naive rendering of the same data, and its memory after an hour of stream with a faster clock. It ends by
 * itself. Ways to the first candle and frames are medians of `BENCH_ROUNDS`, among which the busy minute is divided;
 * `SECONDS` is the part of one, `HOUR_SPEED` sets the clock, `BENCH_PARTS` names what is measured (`frames` alone, or
 * `loading,memory`), `BENCH_SLOWER` how many times slower the processor is for the frames.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServerProcess } from '@cambist/server/test/server-process.ts';
import { chromium } from 'playwright-core';
import { median } from '../statistics.ts';
import { type Frames, measureFrames } from './frames.ts';
import { startHost } from './host.ts';
import { type Loading, measureLoading, PROFILES } from './loading.ts';
import { measureMemory } from './memory.ts';

const SEED = 11;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.SECONDS ?? 20);
const HOUR_SPEED = Number(process.env.HOUR_SPEED ?? 60);
/** How many times slower than this machine; four is what Lighthouse takes for a phone. */
const SLOWER = (process.env.BENCH_SLOWER ?? '2,4').split(',').map(Number);
const BUSY = { bookUpdatesPerSecond: 500, tradesPerSecond: 100 } as const;

const print = (line: string) => process.stdout.write(`${line}\n`);
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} KB`;

/** The median of each figure by itself. */
function medians<Figures extends object>(rounds: readonly Figures[]): Figures {
  const names = Object.keys(rounds[0] ?? {}) as (keyof Figures)[];
  const middle = (name: keyof Figures) => median(rounds.map((round) => Number(round[name])));
  return Object.fromEntries(names.map((name) => [name, middle(name)])) as Figures;
}

function printFrames(name: string, frames: Frames): void {
  const { intervalP50, intervalP95, busyP50, busyP95, longTasks, messages } = frames;
  print(
    `${name.padEnd(9)} frame interval p50 ${intervalP50.toFixed(1)} p95 ${intervalP95.toFixed(1)} ms, ` +
      `main thread in a frame p50 ${busyP50.toFixed(1)} p95 ${busyP95.toFixed(1)} ms, ` +
      `long tasks ${longTasks.toFixed(0)} ms, ${messages} changes`,
  );
}

const directory = mkdtempSync(join(tmpdir(), 'cambist-bench-terminal-'));
const server = await startServerProcess({ DATA_DIR: directory, MARKET: 'simulated' });
const host = await startHost(server.url, SEED);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-background-networking'],
});

async function loading(): Promise<void> {
  for (const profile of PROFILES) {
    // A server that has just started still writes its history, and its code is not compiled: nobody's first visit.
    await measureLoading(browser, server.url, profile);
    const rounds: Loading[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measureLoading(browser, server.url, profile));
    const figures = medians(rounds);
    print(
      `${profile.name.padEnd(16)} JavaScript ${kilobytes(figures.scriptBytes)}, CSS ${kilobytes(figures.styleBytes)} gzip; ` +
        `first candle ${figures.firstCandleMs.toFixed(0)} ms, interactive ${figures.interactiveMs.toFixed(0)} ms`,
    );
  }
}

async function frames(): Promise<void> {
  for (const cpu of SLOWER) {
    print(
      `\n${BUSY.bookUpdatesPerSecond} book updates and ${BUSY.tradesPerSecond} trades a second, CPU ${cpu}× slower`,
    );
    const load = { pace: BUSY, seconds: SECONDS, cpu };
    const ours: Frames[] = [];
    const naive: Frames[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await measureFrames(browser, host, { ...load, path: '/trades/spot/BTC' }));
      naive.push(await measureFrames(browser, host, { ...load, path: '/naive' }));
    }
    printFrames('terminal', medians(ours));
    printFrames('naive', medians(naive));
    print(`goal: p95 under 16 ms of main thread in a frame: ${medians(ours).busyP95 < 16 ? 'held' : 'missed'}`);
  }
}

async function memory(): Promise<void> {
  const heap = await measureMemory(browser, host, HOUR_SPEED);
  print(
    `\nan hour of stream in ${(3600 / HOUR_SPEED).toFixed(0)} s: ${heap.messages} changes, ` +
      `heap ${heap.early.toFixed(1)} MB after a quarter, ${heap.late.toFixed(1)} MB at the end`,
  );
}

const PARTS: Readonly<Record<string, () => Promise<void>>> = { loading, frames, memory };
try {
  for (const name of (process.env.BENCH_PARTS ?? 'loading,frames,memory').split(',')) {
    const part = PARTS[name];
    if (!part) throw new Error(`There is no part ${name}; there are ${Object.keys(PARTS).join(', ')}`);
    await part();
  }
} finally {
  await browser.close();
  await host.close();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}
