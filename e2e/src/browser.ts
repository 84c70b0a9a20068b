/** A real Chromium, headless, with nothing of its own on the network. */
import { existsSync } from 'node:fs';
import axe, { type RunOptions } from 'axe-core';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // What we show is one site. With it, a process is kept warm for each page that may come, and each page has two.
  '--disable-site-isolation-trials',
];

/** Where a test is run by itself: `npm test` says which (scripts/chromium.mjs). */
const USUAL = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? USUAL.find((path) => existsSync(path)) ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: FLAGS });
}

/** The app logs this where service workers are blocked, as on the shared page of a stage. */
const BLOCKED_WORKER = /^The app is not kept on this device TypeError: .*'waiting'/;

/** What the page complained about; a test asks that it be empty. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !BLOCKED_WORKER.test(message.text())) complaints.push(message.text());
  });
  return complaints;
}

/** Whether keys go there. */
export const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Role, name and description that the browser gives to a screen reader. */
export async function readOut(target: Locator): Promise<Record<'role' | 'name' | 'description', string>> {
  const session = await target.page().context().newCDPSession(target.page());
  try {
    await target.evaluate((element) => Object.assign(window, { readOut: element }));
    const { result } = await session.send('Runtime.evaluate', { expression: 'window.readOut' });
    const objectId = result.objectId ?? '';
    const { nodes } = await session.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: false });
    const text = (part: 'role' | 'name' | 'description') => String(nodes[0]?.[part]?.value ?? '');
    return { role: text('role'), name: text('name'), description: text('description') };
  } finally {
    await session.detach();
  }
}

/**
 * Nothing that axe calls a violation of WCAG 2.2 A or AA, by all of its rules or by one of them. Asked until it holds: what
 * fades in or out, such as a notice, has too little contrast on its way.
 */
export async function expectAccessible(page: Page, rule?: string): Promise<void> {
  const options: RunOptions = {
    runOnly: rule ? { type: 'rule', values: [rule] } : { type: 'tag', values: WCAG },
    // What passes is not told in words, which is half of the work.
    resultTypes: ['violations'],
  };
  const violations = async () => {
    // A page that was opened anew has lost it.
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
    return page.evaluate(violationsFound, options);
  };
  await expect.poll(violations).toEqual([]);
}

/** In the page, where axe is of the window. */
async function violationsFound(options: RunOptions): Promise<string[]> {
  const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** The chart's share of the window's height, and whether the first row of a list is seen whole without scrolling. */
export async function roomFor(page: Page, list: string): Promise<{ readonly chart: number; readonly row: boolean }> {
  const row = page.getByRole('table', { name: list }).getByRole('row').nth(1);
  await row.waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
  const chart = await page.getByRole('region', { name: 'Chart', exact: true }).boundingBox();
  const { y, height } = (await row.boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
  const whole = page.viewportSize()?.height ?? Number.NaN;
  return { chart: (chart?.height ?? 0) / whole, row: y + height <= whole };
}

/**
 * Nothing lies beside the window. Asked until it holds: a list becomes cards in the frame after its window has become
 * narrow.
 */
export async function expectFits(page: Page, about = 'beside the window'): Promise<void> {
  const over = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(over, { message: about }).toBeLessThanOrEqual(0);
  const broken = () => page.evaluate(brokenFigures);
  await expect.poll(broken, { message: about }).toEqual([]);
}

/** Figures of lists on more than one line: one that is broken between its digits is read as another. */
function brokenFigures(): string[] {
  const lists = document.querySelectorAll('main dd, main td');
  const texts = Array.from(lists).flatMap((list) => {
    const walker = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
    const found: Node[] = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    return found;
  });
  const isBroken = (text: Node) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1;
  };
  return texts
    .filter((text) => /^[+−-]?[\d.,]+$/.test(text.textContent ?? '') && isBroken(text))
    .map((text) => text.textContent ?? '');
}

/** What a row has below a heading of its table. A heading of two lines is over cells of two lines, each with its own. */
export async function textUnder(table: Locator, row: Locator, heading: string): Promise<string> {
  const headings = (await table.getByRole('columnheader').allInnerTexts()).map((text) => text.split('\n'));
  const column = headings.findIndex((lines) => lines.includes(heading));
  const lines = headings[column];
  if (!lines) throw new Error(`No column is headed ${heading}, only ${headings.flat().join(', ')}`);
  const text = await row.getByRole('cell').nth(column).innerText();
  return lines.length === 1 ? text : (text.split('\n')[lines.indexOf(heading)] ?? '');
}

const SCALES: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };

/** What a figure is that is shown in whole or in short: `91,264.4`, `$1.2M`. */
export function amountOf(text: string): number {
  const [, figures = '', scale = ''] = /^\$?([\d,.]+)([KMBT]?)$/.exec(text.trim()) ?? [];
  return Number(figures.replaceAll(',', '')) * (SCALES[scale] ?? 1);
}

/** Opens an address and waits until its screen is there. */
export async function visit(page: Page, path: string): Promise<void> {
  const answer = await page.goto(path);
  expect(answer?.status()).toBe(200);
  await page.locator('main').locator('h1, h2, form, table, p').first().waitFor({ state: 'attached' });
}

/**
 * Goes to an address inside the app, as a link does: a ninth of the CPU time of loading the page again. The app must be
 * open. What its stores read from the device at the start is not read again.
 */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState({}, '', to);
    window.dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  }, path);
}

/** Goes to an address inside the app where it is open, and loads it on a page that was only made or reset. */
export async function walk(page: Page, path: string): Promise<void> {
  const isOpen = await page.evaluate(() => document.getElementById('root') !== null);
  await (isOpen ? go(page, path) : page.goto(path));
}

/** Closes all notices, so that the next test on the page does not find them. */
export async function dismissNotices(page: Page): Promise<void> {
  const notices = page.locator('.mantine-Notification-root');
  await notices.getByRole('button').evaluateAll((buttons) => {
    for (const button of buttons) (button as HTMLElement).click();
  });
  await expect.poll(() => notices.count()).toBe(0);
}
