/** Whether the terminal keeps what it has shown: the heap after garbage collection, early and late in an hour. */
import type { Browser } from 'playwright-core';
import type { Host } from './host.ts';

/** An ordinary hour: what a lively pair sends, per second. */
export const HOUR = { bookUpdatesPerSecond: 20, tradesPerSecond: 5 } as const;

export interface Memory {
  readonly messages: number;
  /** Megabytes, after a quarter of the hour and at its end. */
  readonly early: number;
  readonly late: number;
}

/** The hour's messages, `speed` times faster than they would come. */
export async function measureMemory(browser: Browser, host: Host, speed: number): Promise<Memory> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
  const page = await context.newPage();
  await page.goto(`${host.url}/trades/spot/BTC`);
  await page.waitForTimeout(3_000);
  const session = await context.newCDPSession(page);
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return usedSize / 1_048_576;
  };
  const quarterMs = (3_600_000 / speed) * 0.25;
  const before = host.sent();
  host.setPace({
    bookUpdatesPerSecond: HOUR.bookUpdatesPerSecond * speed,
    tradesPerSecond: HOUR.tradesPerSecond * speed,
  });
  await page.waitForTimeout(quarterMs);
  const early = await heap();
  await page.waitForTimeout(quarterMs * 3);
  host.setPace({ bookUpdatesPerSecond: 0, tradesPerSecond: 0 });
  await page.waitForTimeout(1_000);
  const late = await heap();
  const messages = host.sent() - before;
  await context.close();
  return { messages, early, late };
}
