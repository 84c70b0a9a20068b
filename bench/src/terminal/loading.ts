/** What the spot route weighs, and how long it takes to the first candle and until it can be used. */
import type { Browser, Page } from 'playwright-core';
import { weigh } from '../weigh.ts';

export interface Profile {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly cpu: number;
  /** Bits a second and milliseconds; undefined for the loopback itself. */
  readonly network?: { readonly bitsPerSecond: number; readonly latencyMs: number };
}

/** Lighthouse's own: slow 4G and a processor four times slower. */
export const PHONE: Profile = {
  name: 'throttled phone',
  width: 390,
  height: 844,
  cpu: 4,
  network: { bitsPerSecond: 1_638_400, latencyMs: 150 },
};

export const PROFILES: readonly Profile[] = [{ name: 'desktop', width: 1440, height: 900, cpu: 1 }, PHONE];

export interface Loading {
  readonly scriptBytes: number;
  readonly styleBytes: number;
  readonly firstCandleMs: number;
  /** The end of the last task above 50 ms, or the first paint where there is none. */
  readonly interactiveMs: number;
}

const OBSERVE = `(() => {
  window.lastLongTask = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.lastLongTask = entry.startTime + entry.duration;
  }).observe({ type: 'longtask', buffered: true });
})()`;

const READ = `({
  candle: performance.getEntriesByName('first-candle')[0]?.startTime ?? 0,
  paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  long: window.lastLongTask,
})`;

/** Gives the page the processor and the line of a profile. */
export async function slowDown(page: Page, { cpu, network }: Profile): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  if (network === undefined) return;
  const throughput = network.bitsPerSecond / 8;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: network.latencyMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput / 2,
  });
}

export async function measureLoading(browser: Browser, url: string, profile: Profile): Promise<Loading> {
  const context = await browser.newContext({ viewport: { width: profile.width, height: profile.height } });
  const page = await context.newPage();
  const urls = new Set<string>();
  page.on('request', (request) => urls.add(request.url()));
  await slowDown(page, profile);
  await page.addInitScript(OBSERVE);
  await page.goto(`${url}/trades/spot/BTC`);
  await page.locator('[data-status=full]').waitFor({ timeout: 60_000 });
  await page.waitForTimeout(3_000);
  const { candle, paint, long } = (await page.evaluate(READ)) as { candle: number; paint: number; long: number };
  await context.close();
  return {
    scriptBytes: weigh(urls, '.js').bytes,
    styleBytes: weigh(urls, '.css').bytes,
    firstCandleMs: candle,
    interactiveMs: Math.max(paint, long),
  };
}
