/** How smooth a page is while messages pour in: the time between frames, and how busy the main thread is in each. */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { percentile } from '../statistics.ts';
import type { Host, Pace } from './host.ts';

export interface Frames {
  readonly frames: number;
  /** Milliseconds between frames. */
  readonly intervalP50: number;
  readonly intervalP95: number;
  /** Main-thread milliseconds in a frame of 16.7 ms. */
  readonly busyP50: number;
  readonly busyP95: number;
  /** Of all time in tasks longer than 50 ms, ms. */
  readonly longTasks: number;
  readonly messages: number;
}

const FRAME_MS = 1_000 / 60;
const SETTLE_MS = 3_000;

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly args?: { readonly name?: string };
}

async function trace(session: CDPSession, work: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', '__metadata'] },
  });
  await work();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  return events;
}

/** Main-thread time in each frame's span, from the outermost tasks of the page's renderer. */
function busyPerFrame(events: readonly TraceEvent[], pid: number): { busy: number[]; longTasks: number } {
  const main = events.find(
    (event) => event.pid === pid && event.name === 'thread_name' && event.args?.name === 'CrRendererMain',
  )?.tid;
  const tasks = events.filter(
    (event) => event.pid === pid && event.tid === main && event.ph === 'X' && /RunTask$/.test(event.name),
  );
  const start = Math.min(...tasks.map((task) => task.ts));
  const end = Math.max(...tasks.map((task) => task.ts + (task.dur ?? 0)));
  const busy = new Array<number>(Math.ceil((end - start) / 1_000 / FRAME_MS)).fill(0);
  for (const task of tasks) {
    let from = (task.ts - start) / 1_000;
    const until = from + (task.dur ?? 0) / 1_000;
    while (from < until) {
      const frame = Math.floor(from / FRAME_MS + 1e-9);
      const edge = Math.min(until, (frame + 1) * FRAME_MS);
      busy[frame] = (busy[frame] ?? 0) + (edge - from);
      from = edge;
    }
  }
  const long = tasks.map((task) => (task.dur ?? 0) / 1_000).filter((duration) => duration > 50);
  return { busy, longTasks: long.reduce((sum, duration) => sum + duration, 0) };
}

async function rendererOf(events: readonly TraceEvent[], page: Page): Promise<number> {
  const marked = await page.evaluate(() => performance.now());
  if (marked <= 0) throw new Error('The page has no clock');
  const mains = events.filter((event) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain');
  const count = (pid: number) => events.filter((event) => event.pid === pid).length;
  const [first] = mains.map((event) => event.pid).sort((a, b) => count(b) - count(a));
  if (first === undefined) throw new Error('The trace has no renderer');
  return first;
}

/** Frame times inside the page; text, so that no build tool touches it. */
const COUNT_FRAMES = `(() => {
  window.frameTimes = [];
  let last;
  const tick = (now) => {
    if (last !== undefined) window.frameTimes.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
})()`;

interface Load {
  readonly path: string;
  readonly pace: Pace;
  readonly seconds: number;
  /** How many times slower than this machine. */
  readonly cpu: number;
}

export async function measureFrames(browser: Browser, host: Host, load: Load): Promise<Frames> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
  const page = await context.newPage();
  await page.goto(host.url + load.path);
  await page.waitForTimeout(SETTLE_MS);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: load.cpu });
  const before = host.sent();
  const events = await trace(session, async () => {
    host.setPace(load.pace);
    await page.evaluate(COUNT_FRAMES);
    await page.waitForTimeout(load.seconds * 1_000);
  });
  host.setPace({ bookUpdatesPerSecond: 0, tradesPerSecond: 0 });
  const messages = host.sent() - before;
  const intervals = (await page.evaluate('window.frameTimes')) as number[];
  const { busy, longTasks } = busyPerFrame(events, await rendererOf(events, page));
  await context.close();
  return {
    frames: intervals.length,
    intervalP50: percentile(intervals, 0.5),
    intervalP95: percentile(intervals, 0.95),
    busyP50: percentile(busy, 0.5),
    busyP95: percentile(busy, 0.95),
    longTasks,
    messages,
  };
}
