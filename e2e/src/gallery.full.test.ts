/**
 * The design system as a picture: every piece in every state, in both themes, against the picture that was last looked
 * at and kept. After a wanted change, `KEEP_PICTURES=1 npx vitest run --project browser e2e/src/gallery.full.test.ts` keeps
 * the new ones; look at them before you commit them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './browser.ts';
import { type Stage, setStage } from './stage.ts';

const KEPT = join(import.meta.dirname, '../pictures');
/** Fonts are drawn a little differently by each version of a browser: this share of the pixels may differ. */
const TOLERANCE = 0.01;

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});

afterAll(() => stage?.close());

async function gallery(scheme: 'dark' | 'light'): Promise<Page> {
  const page = await stage.open({ keeps: { preferences: { scheme } }, viewport: { width: 1280, height: 900 } });
  await page.goto('/dev/gallery');
  await page.getByRole('img', { name: 'Example' }).waitFor();
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState('networkidle');
  return page;
}

/** The share of pixels that differ; a picture of another size differs everywhere. */
function difference(taken: Buffer, kept: Buffer): number {
  const [one, other] = [PNG.sync.read(taken), PNG.sync.read(kept)];
  const { width, height } = one;
  if (other.width !== width || other.height !== height) return 1;
  return pixelmatch(one.data, other.data, undefined, width, height, { threshold: 0.2 }) / (width * height);
}

describe.each(['dark', 'light'] as const)('the gallery in the %s theme', (scheme) => {
  it('looks as it did when it was last looked at', async () => {
    const page = await gallery(scheme);
    const taken = await page.locator('main').screenshot({ animations: 'disabled' });
    const path = join(KEPT, `gallery-${scheme}.png`);
    if (process.env.KEEP_PICTURES || !existsSync(path)) {
      mkdirSync(KEPT, { recursive: true });
      writeFileSync(path, taken);
    }
    const share = difference(taken, readFileSync(path));
    if (share > TOLERANCE) writeFileSync(join(tmpdir(), `cambist-gallery-${scheme}.png`), taken);
    expect(share).toBeLessThanOrEqual(TOLERANCE);
    await page.context().close();
  });

  it('is accessible', async () => {
    const page = await gallery(scheme);
    await expectAccessible(page);
    await page.context().close();
  });
});

describe('a dialog that asks first', () => {
  it('says what will happen, in amounts, and names what its button does', async () => {
    const page = await gallery('dark');
    await page.getByRole('button', { name: 'Confirm' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel all orders?' });
    await dialog.getByText('1,250.00 USDT').waitFor();
    await dialog.getByRole('button', { name: 'Cancel 3 orders' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.context().close();
  });
});

describe('notices', () => {
  it.each([
    [
      'a success closes by itself after two seconds (A-shell-83)',
      'Success notice',
      'Order created successfully',
      2_000,
    ],
    ['any other stays for six (A-shell-82)', 'Error notice', 'Email not found', 6_000],
  ] as const)('%s', async (_title, button, text, afterMs) => {
    const page = await gallery('dark');
    await page.clock.install({ time: 0 });
    // Standing still: on a busy machine the test itself would take too long.
    await page.clock.pauseAt(1_000);
    await page.getByRole('button', { name: button }).click();
    await page.clock.runFor(200);
    const notice = page.getByText(text);
    await notice.waitFor();
    await page.clock.runFor(afterMs - 400);
    expect(await notice.count()).toBe(1);
    await page.clock.runFor(1_000);
    await notice.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('a copied text says so, and for two seconds', async () => {
    const page = await gallery('dark');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.clock.install();
    await page.getByRole('button', { name: 'Copy Address' }).click();
    await page.getByRole('button', { name: 'Copied!' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^0x8ba1/);
    await page.clock.runFor(2_100);
    await page.getByRole('button', { name: 'Copy Address' }).waitFor();
    await page.context().close();
  });
});
