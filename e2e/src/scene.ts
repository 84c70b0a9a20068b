/**
 * After a test that failed: says with the failure what its pages showed, since a locator that timed out does not, and closes
 * what it left open, so that neither its second try nor the tests after it meet its dialog.
 */
import type { Page } from 'playwright-core';
import { afterEach } from 'vitest';
import { SCENE } from '../../scripts/second-tries.ts';
import { openPages } from './stage.ts';

const LEFT_OPEN = '[role=dialog], [role=alertdialog], [role=menu]';
const SHOWN = `${LEFT_OPEN}, [role=alert]`;
const ENOUGH_CHARACTERS = 600;
/** Dialogs one above the other; nothing opens more. */
const DEEPEST = 3;
const FADED_MS = 1_000;

async function sceneOf(page: Page): Promise<string> {
  const texts = await page.locator(SHOWN).filter({ visible: true }).allInnerTexts();
  const shown = texts.map((text) => `"${text.replace(/\s+/g, ' ').slice(0, ENOUGH_CHARACTERS)}"`);
  return `${SCENE}${page.url()} ${shown.join(', ') || 'neither dialog nor notice'}`;
}

async function closeWhatIsOpen(page: Page): Promise<void> {
  const open = page.locator(LEFT_OPEN).filter({ visible: true });
  for (let tries = 0; tries < DEEPEST && (await open.count()) > 0; tries += 1) {
    const top = open.last();
    await page.keyboard.press('Escape');
    await top.waitFor({ state: 'hidden', timeout: FADED_MS }).catch(() => undefined);
  }
}

afterEach(async ({ task }) => {
  const failure = task.result?.state === 'fail' ? task.result.errors?.at(-1) : undefined;
  if (failure === undefined) return;
  for (const page of openPages()) {
    // A page that hangs or has crashed shows nothing; the failure itself is what counts.
    failure.message += `\n${await sceneOf(page).catch(() => `${SCENE}${page.url()} does not answer`)}`;
    await closeWhatIsOpen(page).catch(() => undefined);
  }
});
