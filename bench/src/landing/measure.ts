/** One visit of a phone: Chromium with four times less processor and a slow 4G line, as the browser itself times it. */
import type { Browser } from 'playwright-core';

export interface Visit {
  /** Largest contentful paint, ms since the navigation began. */
  readonly lcpMs: number;
  /** Cumulative layout shift, the largest session window. */
  readonly cls: number;
  /** What tasks longer than 50 ms took beyond that, from the first paint until the page has settled. */
  readonly tbtMs: number;
  /** The paths of every script that was fetched. */
  readonly scripts: readonly string[];
  /** As they came over the line. */
  readonly scriptBytes: number;
  readonly styleBytes: number;
}

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
/** The slow 4G of Lighthouse: 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const CPU_SLOWDOWN = 4;
const SETTLE_MS = 7_000;

/** Runs in the page before anything of it: the browser's own entries, gathered. */
const OBSERVE = `
  window.seen = { lcp: 0, shifts: [], tasks: [] };
  const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('largest-contentful-paint', (entry) => { window.seen.lcp = entry.startTime; });
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) window.seen.shifts.push([entry.startTime, entry.value]); });
  watch('longtask', (entry) => window.seen.tasks.push([entry.startTime, entry.duration]));
`;

interface Seen {
  readonly lcp: number;
  readonly shifts: readonly (readonly [number, number])[];
  readonly tasks: readonly (readonly [number, number])[];
  readonly firstPaint: number;
}

/** Windows of at most five seconds, in which no two shifts are a second apart; the worst of them counts. */
function layoutShift(shifts: Seen['shifts']): number {
  let [worst, sum, began, last] = [0, 0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [time, value] of shifts) {
    if (time - last > 1_000 || time - began > 5_000) [sum, began] = [0, time];
    [sum, last] = [sum + value, time];
    worst = Math.max(worst, sum);
  }
  return worst;
}

export async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    const kinds = new Map<string, 'Script' | 'Stylesheet'>();
    const scripts: string[] = [];
    const bytes = { Script: 0, Stylesheet: 0 };
    devtools.on('Network.responseReceived', ({ requestId, type, response }) => {
      const { pathname } = new URL(response.url);
      // Most scripts are fetched ahead as mere data.
      if (pathname.endsWith('.js')) kinds.set(requestId, 'Script');
      else if (type === 'Stylesheet') kinds.set(requestId, type);
      if (type === 'Script') scripts.push(pathname);
    });
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId);
      if (kind) bytes[kind] += encodedDataLength;
    });
    await page.addInitScript(OBSERVE);
    await page.goto(url);
    await page.waitForTimeout(SETTLE_MS);
    const seen = (await page.evaluate(
      '({ ...window.seen, firstPaint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0 })',
    )) as Seen;
    const blocking = seen.tasks.filter(([start]) => start >= seen.firstPaint).map(([, duration]) => duration - 50);
    return {
      lcpMs: seen.lcp,
      cls: layoutShift(seen.shifts),
      tbtMs: blocking.reduce((sum, time) => sum + time, 0),
      scripts,
      scriptBytes: bytes.Script,
      styleBytes: bytes.Stylesheet,
    };
  } finally {
    await context.close();
  }
}
