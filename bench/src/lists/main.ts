/**
 * Five hundred pairs, all on one page, live, scrolled from top to bottom: frames that were not drawn in time, beside a
 * table of as many rows of the same text that never changes and is all there. In the same browser and in turn;
 * `BENCH_ROUNDS` times each; medians.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServerProcess } from '@cambist/server/test/server-process.ts';
import type { Page } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import { median } from '../statistics.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const PAIRS = 500;
const VIEWPORT = { width: 1440, height: 900 } as const;

interface Scroll {
  readonly frames: number;
  readonly dropped: number;
  readonly longestMs: number;
}

/** 45 px a frame is fast reading; text, so that no build tool touches it. */
const SCROLL = `new Promise((resolve) => {
  const FRAME_MS = 1000 / 60;
  const result = { frames: 0, dropped: 0, longestMs: 0 };
  let last;
  const tick = (now) => {
    if (last !== undefined) {
      result.frames += 1;
      result.dropped += Math.max(0, Math.round((now - last) / FRAME_MS) - 1);
      result.longestMs = Math.max(result.longestMs, now - last);
    }
    last = now;
    const before = scrollY;
    scrollBy(0, 45);
    if (scrollY === before) resolve(result);
    else requestAnimationFrame(tick);
  };
  scrollTo(0, 0);
  requestAnimationFrame(() => requestAnimationFrame(tick));
})`;

/** The answer of the market's own call, with its pairs again and again under other names. */
async function openList(page: Page, url: string): Promise<void> {
  await page.route('**/api/v3/all-pairs*', async (route) => {
    const answer = await route.fetch();
    const { coinpair } = (await answer.json()) as { coinpair: Record<string, unknown>[] };
    const many = Array.from({ length: PAIRS }, (_, index) => {
      const pair = coinpair[index % coinpair.length];
      // The first of each keep their names, and so their prices move.
      return index < coinpair.length ? pair : { ...pair, coin: `C${index}`, pair_name: `C${index}-USDT` };
    });
    await route.fulfill({ response: answer, json: { coinpair: many } });
  });
  await page.goto(`${url}/markets/prices`);
  await page.getByRole('combobox', { name: 'Rows per page' }).click();
  await page.getByRole('option', { name: 'Everything' }).click();
}

const PLAIN_ROW = '<tr><td>1<td>Bitcoin BTC<td>61,234.50<td>+1.24%<td>62,000.00<td>60,100.00<td>1,234,567';
const PLAIN_PAGE = `<!doctype html><meta charset="utf-8"><style>td{height:52px}table{width:100%}</style>
<table>${PLAIN_ROW.repeat(PAIRS)}</table>`;

const openPlain = (page: Page) => page.setContent(PLAIN_PAGE);

function report(name: string, scrolls: readonly Scroll[]): void {
  const of = (field: keyof Scroll) => median(scrolls.map((one) => one[field]));
  process.stdout.write(
    `${name.padEnd(28)} ${of('frames')} frames, ${of('dropped')} dropped, longest ${of('longestMs').toFixed(1)} ms\n`,
  );
}

const directory = mkdtempSync(join(tmpdir(), 'cambist-bench-lists-'));
const server = await startServerProcess({ DATA_DIR: directory, MARKET: 'simulated' });
const browser = await launchChromium();
const SETTLE_MS = 3_000;
const places = [
  { name: `table of ${PAIRS} rows, still`, open: openPlain, scrolls: [] as Scroll[] },
  { name: `Cambist, ${PAIRS} pairs, live`, open: (page: Page) => openList(page, server.url), scrolls: [] as Scroll[] },
];
try {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { open, scrolls } of places) {
      const context = await browser.newContext({ viewport: VIEWPORT });
      const page = await context.newPage();
      await open(page);
      await page.waitForTimeout(SETTLE_MS);
      scrolls.push((await page.evaluate(SCROLL)) as Scroll);
      await context.close();
    }
  }
  for (const { name, scrolls } of places) report(name, scrolls);
} finally {
  await browser.close();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}
