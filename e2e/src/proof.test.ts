/** The proof of liabilities: a client checks the own balance in the browser, and again without it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { complaintsOf, expectAccessible } from './browser.ts';
import { OPERATOR, PHONE, type Stage, setStage, TRADER } from './stage.ts';

const script = join(import.meta.dirname, '../../web/public/verify-liabilities.mjs');

let stage: Stage;
let directory: string;

beforeAll(async () => {
  stage = await setStage();
  directory = mkdtempSync(join(tmpdir(), 'cambist-proof-'));
});
afterAll(async () => {
  await stage?.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Made {
  readonly run: { readonly commitment: string };
}

it('a client finds the own balances counted, and the downloaded script says the same of the downloaded file', async () => {
  const operator = await stage.signIn(OPERATOR);
  const { run } = await operator.call<Made>('POST', '/api/v3/admin/liabilities', {});
  const trader = await stage.signIn(TRADER);
  const page = await stage.open({ as: trader, viewport: PHONE, acceptDownloads: true });
  const complaints = complaintsOf(page);
  await page.goto('/');
  await page.getByRole('link', { name: 'Proof of liabilities' }).first().click();
  await page.getByText(run.commitment).waitFor();
  await page.getByRole('button', { name: 'Check my balance' }).click();
  const result = page.getByRole('status').filter({ hasText: 'are counted' });
  await expect.poll(() => result.innerText()).toMatch(/Your balances of .* are counted\. Checked in \d+ ms\./);
  const rows = await page.getByRole('table', { name: 'Your balances in the run' }).getByRole('row').allInnerTexts();
  expect(rows.map((row) => row.split(/\s+/)[0])).toEqual(['Coin', 'USDT', 'BTC', 'ETH']);
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download your proof' }).click(),
  ]);
  const file = join(directory, 'proof.json');
  await download.saveAs(file);
  const said = execFileSync(process.execPath, [script, file], { encoding: 'utf8' });
  expect(said).toContain(`: ${run.commitment}`);
  expect(said.match(/is counted/g)).toHaveLength(3);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('anybody finds what is held beside what is owed, signed by the hot wallets, and the script says the same of the file', async () => {
  const page = await stage.open({ viewport: { width: 1024, height: 900 }, acceptDownloads: true });
  const complaints = complaintsOf(page);
  await page.goto('/proof');
  const held = page.getByRole('region', { name: 'What is held', exact: true });
  await held.getByText('Signed by the hot wallets').waitFor();
  const ether = held.getByRole('row').filter({ hasText: 'ETH' }).first();
  expect((await ether.getByRole('cell').allInnerTexts())[2]).toMatch(/^0x[0-9a-fA-F]{40}$/);
  const owed = page.getByRole('table', { name: 'Owed to clients' });
  expect(await owed.getByRole('row', { name: /^ETH/ }).innerText()).toMatch(/\d%/);
  await held.getByRole('button', { name: 'Check the signatures' }).click();
  await held.getByText('The keys of all hot wallets in it have signed this statement and this commitment.').waitFor();
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    held.getByRole('link', { name: 'Download the statement' }).click(),
  ]);
  const file = join(directory, 'reserves.json');
  await download.saveAs(file);
  const checked = execFileSync(process.execPath, [script.replace('liabilities.mjs', 'reserves.mjs'), file], {
    encoding: 'utf8',
  });
  expect(checked).toMatch(/Signed by 0x/);
  await page.route('**/api/v3/liabilities/reserves?**', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { time: number };
    await route.fulfill({ json: { ...body, time: body.time + 1 } });
  });
  await page.reload();
  await held.getByRole('button', { name: 'Check the signatures' }).click();
  await held.getByText(/^The statement does not hold: The signature of .* is not of this statement\./).waitFor();
  await page.setViewportSize(PHONE);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a visitor sees what is owed and can take the leaves, but has nothing to check', async () => {
  const page = await stage.open();
  await page.goto('/proof');
  await page.getByRole('table', { name: 'Owed to clients' }).waitFor();
  expect(await page.getByRole('button', { name: 'Check my balance' }).count()).toBe(0);
  const [leaves] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('table', { name: 'Owed to clients' }).getByRole('row', { name: /USDT/ }).getByRole('link').click(),
  ]);
  expect(leaves.suggestedFilename()).toMatch(/^liabilities-\d+-USDT\.txt$/);
  await page.context().close();
});
