/** The proof of liabilities: a client checks the own balance in the browser, and again without it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataFolder } from '@cambist/server/test/pglite-template.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { complaintsOf, expectAccessible, expectFits } from './browser.ts';
import { makeColdMachine } from './cold-machine.ts';
import { confirmStepUp } from './people.ts';
import { DESK, OPERATOR, PHONE, type Session, type Stage, setStage, TRADER } from './stage.ts';

const script = join(import.meta.dirname, '../../web/public/verify-liabilities.mjs');

let stage: Stage;
let directory: string;
let data: string;
let made: Made;

beforeAll(async () => {
  data = makeDataFolder('cambist-proof-data-', 'migrated');
  stage = await setStage({ DATA_DIR: data });
  const operator = await stage.signIn(OPERATOR);
  made = await operator.call<Made>('POST', '/api/v3/admin/liabilities', {});
  directory = mkdtempSync(join(tmpdir(), 'cambist-proof-'));
});
afterAll(async () => {
  await stage?.close();
  for (const folder of [directory, data]) if (folder) rmSync(folder, { recursive: true, force: true });
});

interface Made {
  readonly run: { readonly commitment: string };
}

const own = ({ kept }: Session) => {
  const { user_unique_id: uid } = kept.user as { user_unique_id: string };
  return { uid };
};

it('a client finds the own balances counted, and the downloaded script says the same of the downloaded file', async () => {
  const { run } = made;
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
  await expectFits(page);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download your proof' }).click(),
  ]);
  const file = join(directory, 'proof.json');
  await download.saveAs(file);
  const { uid } = own(trader);
  await page.getByRole('definition').filter({ hasText: uid }).waitFor();
  await page.getByRole('definition').filter({ hasText: TRADER.username }).waitFor();
  const said = execFileSync(process.execPath, [script, file, uid, TRADER.username], { encoding: 'utf8' });
  expect(said).toContain(`: ${run.commitment}`);
  expect(said.match(/is counted/g)).toHaveLength(3);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('refuses a proof that is bound to another client, and explains an email that has changed', async () => {
  const trader = await stage.signIn(TRADER);
  const page = await stage.open({ as: trader, viewport: PHONE });
  interface Told {
    run: object;
    identity: object;
  }
  let changed: (told: Told) => Told;
  await page.route('**/api/v3/liabilities/own?**', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: changed((await answer.json()) as Told) });
  });
  const { uid } = own(trader);
  const identified = (identity: object) => (told: Told) => ({ ...told, identity: { ...told.identity, ...identity } });
  const refused: readonly (readonly [(told: Told) => Told, string | RegExp])[] = [
    [identified({ uid: '99999999999' }), `The proof is bound to the UID 99999999999, and yours is ${uid}`],
    [
      identified({ email: 'other@example.test' }),
      /bound to the email other@example\.test, and yours is trader@.*changed/,
    ],
    [identified({ email: '' }), /bound to no email, and yours is trader@cambist\.test\. If you added it after/],
    [identified({ salt: 'ab'.repeat(32) }), /does not lead to the root/],
    [(told) => ({ ...told, run: { ...told.run, commitment: 'ab' } }), /it has another commitment/],
  ];
  for (const [change, words] of refused) {
    changed = change;
    await page.goto('/proof');
    await page.getByRole('button', { name: 'Check my balance' }).click();
    const result = page.getByRole('status').filter({ hasText: 'Download your proof' });
    await result.getByText(words).waitFor();
    expect(await result.getByText('are counted').count()).toBe(0);
    await expectFits(page);
  }
  await expectAccessible(page);
  await page.context().close();
});

it('a run of version 1 keeps its totals, and says that it has no proof of the own balance', async () => {
  const page = await stage.open({ as: await stage.signIn(TRADER), viewport: DESK });
  await page.route('**/api/v3/liabilities', async (route) => {
    const answer = await route.fetch();
    const { runs } = (await answer.json()) as { runs: object[] };
    await route.fulfill({ json: { runs: runs.map((run) => ({ ...run, version: 1, is_open: false })) } });
  });
  await page.goto('/proof');
  await page.getByText(/^This run was made before proofs were bound to UID and email/).waitFor();
  const owed = page.getByRole('table', { name: 'Owed to clients' });
  await owed.getByRole('row', { name: /USDT/ }).waitFor();
  expect(await owed.getByRole('link').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Check my balance' }).count()).toBe(0);
  await expectAccessible(page);
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
  await expectFits(page);
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

it('has every digit of a large sum on one line of a phone', async () => {
  const page = await stage.open({ viewport: PHONE });
  await page.route('**/api/v3/liabilities', async (route) => {
    const answer = await route.fetch();
    const text = await answer.text();
    await route.fulfill({ body: text.replaceAll(/"total":"[^"]+"/g, '"total":"123456789012.00"') });
  });
  await page.goto('/proof');
  await page.getByText('123,456,789,012.00').first().waitFor();
  await expectFits(page);
  await page.context().close();
});

it('shows what a cold wallet holds apart, until an operator has carried a statement to its machine and back', async () => {
  const cold = makeColdMachine();
  const { address } = cold;
  cold.allow({});
  writeFileSync(join(data, 'development-cold.json'), JSON.stringify({ ERC20: address }));
  const trader = await stage.signIn(TRADER);
  const send = { network: 'ERC20', coin: 'ETH', amount: '2', address };
  await trader.call('POST', '/api/dev/chains/send', send);
  await trader.call('POST', '/api/dev/chains/mine', { network: 'ERC20', blocks: 1 });
  await trader.call('POST', '/api/dev/faucet', { coin: 'ETH', amount: '1' });
  const session = await stage.signIn(OPERATOR);
  await session.call('POST', '/api/v3/admin/liabilities', {});

  const page = await stage.open({ viewport: DESK });
  const complaints = complaintsOf(page);
  await page.goto('/proof');
  const held = page.getByRole('region', { name: 'What is held', exact: true });
  await held.getByText('Not signed for this run', { exact: true }).waitFor();
  const row = held.getByRole('row').filter({ hasText: address }).filter({ hasText: 'ETH' });
  await row.getByText('Cold, not signed').waitFor();
  expect(await held.getByRole('row').filter({ hasText: address }).count()).toBe(1);
  const owed = page.getByRole('table', { name: 'Owed to clients' });
  await owed.getByRole('columnheader', { name: 'With unsigned cold' }).waitFor();
  const ratios = (await owed.getByRole('row', { name: /^ETH/ }).innerText()).match(/[\d,.]+(?=%)/g) ?? [];
  const [signed = 0, withCold = 0] = ratios.map((ratio) => Number(ratio.replaceAll(',', '')));
  expect(withCold).toBeGreaterThan(signed);
  await held.getByRole('button', { name: 'Check the signatures' }).click();
  await held.getByText(`Cold wallets that have not signed for this run: ${address}`).waitFor();
  await expectAccessible(page);
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport);
    await expectFits(page);
  }

  const operator = await stage.open({ as: session, viewport: DESK, acceptDownloads: true });
  await operator.goto('/admin/treasury?tab=hot-cold');
  const wallets = operator.getByRole('region', { name: 'Cold wallets in the proof', exact: true });
  const [download] = await Promise.all([
    operator.waitForEvent('download'),
    wallets.getByRole('button', { name: `Download the statement of ${address}` }).click(),
  ]);
  const path = cold.at('statement.json');
  await download.saveAs(path);
  const words = cold.sign(path);
  expect(words).toContain('It moves nothing.');
  expect(words).toMatch(/Holds +2\.0+ ETH on ERC20, at block \d+/);
  await wallets.locator('input[type=file]').setInputFiles(path);
  await confirmStepUp(operator, OPERATOR.pin);
  await operator.getByText('This is not a signed statement of a cold wallet.').waitFor();
  await wallets.locator('input[type=file]').setInputFiles(path.replace('.json', '.signed.json'));
  await confirmStepUp(operator, OPERATOR.pin);
  await wallets.getByText(/^Signed for the run of /).waitFor();
  await expectAccessible(operator);
  await operator.context().close();

  await page.setViewportSize(DESK);
  await page.reload();
  await held.getByText('Signed by the cold wallets too').waitFor();
  expect(await owed.getByRole('columnheader', { name: 'With unsigned cold' }).count()).toBe(0);
  const ratio = (await owed.getByRole('row', { name: /^ETH/ }).innerText()).match(/[\d,.]+(?=%)/)?.[0] ?? '';
  expect(Number(ratio.replaceAll(',', ''))).toBe(withCold);
  await held.getByRole('button', { name: 'Check the signatures' }).click();
  await held.getByText('The keys of all hot wallets in it have signed this statement and this commitment.').waitFor();
  expect(await held.getByText(/^Cold wallets that have not signed/).count()).toBe(0);
  expect(complaints).toEqual([]);
  cold.remove();
  await page.context().close();
}, 120_000);
