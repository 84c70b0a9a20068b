/** Bitcoin in the browser, on a real node: a person deposits, and withdraws to an address of another kind. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BitcoinTestNode, startBitcoinNode } from '@cambist/server/test/bitcoin-node.ts';
import { findBitcoinProgram, withoutBitcoinNode } from '@cambist/server/test/bitcoin-program.ts';
import { makeDataFolder } from '@cambist/server/test/pglite-template.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { complaintsOf } from './browser.ts';
import { confirmStepUp, newPerson, TRANSACTION_PASSWORD } from './people.ts';
import { OPERATOR, type Stage, setStage } from './stage.ts';
import { address, amount, details, fact, form, row, submit } from './withdrawing.ts';

const isMissing = (await findBitcoinProgram()) === undefined;

/** Pay to taproot; of no client. */
const TAPROOT = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6';
const TAPROOT_SCRIPT = '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

let bitcoin: BitcoinTestNode;
let stage: Stage;
let directory: string;
let people = 0;

beforeAll(async () => {
  if (isMissing) return;
  bitcoin = await startBitcoinNode();
  directory = makeDataFolder('cambist-bitcoin-stage-', 'migrated');
  stage = await setStage({
    DATA_DIR: directory,
    MARKET: 'simulated',
    BTC_RPC_URL: bitcoin.url,
    BTC_NETWORK: 'regtest',
  });
});
beforeEach(({ skip }) => skip(isMissing, withoutBitcoinNode()));
afterAll(async () => {
  await stage?.close();
  await bitcoin?.stop();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

interface Chains {
  readonly chains: { readonly network: string; readonly hot_wallet: { readonly address: string } | null }[];
}

it('is deposited to an address of the node’s network, and withdrawn to a taproot address once its blocks are there', async () => {
  people += 1;
  const person = await newPerson(stage, `bitcoiner${people}`);
  const { page } = person;
  const complaints = complaintsOf(page);
  await page.goto('/wallet/deposit?coin=BTC');
  const deposit = page.getByRole('region', { name: 'Deposit', exact: true });
  await deposit.getByRole('button', { name: 'Generate Address' }).click();
  await deposit.getByRole('button', { name: /Copy/ }).first().waitFor();
  const { wallet } = await person.call<{ wallet: { wallet_address: string } }>('POST', '/api/v3/generate-wallet', {
    wallet_type: 'BTC',
  });
  expect(wallet.wallet_address).toMatch(/^bcrt1q/);
  const operator = await stage.signIn(OPERATOR);
  const { chains } = await operator.call<Chains>('GET', '/api/v3/admin/chains');
  const hot = chains.find(({ network }) => network === 'BTC')?.hot_wallet?.address ?? '';
  await bitcoin.pay({ [wallet.wallet_address]: '0.002', [hot]: '1' });
  await bitcoin.mine(1);
  const recent = page.getByRole('region', { name: 'Recent Deposits' });
  await recent.getByText('0.002').first().waitFor();
  await bitcoin.mine(5);
  await page.getByText('Deposit Success').first().waitFor();

  await page.goto('/wallet/withdraw?coin=BTC');
  await fact(form(page), 'Withdrawable').getByText('0.002 BTC').waitFor();
  await address(page).fill('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
  await amount(page).fill('0.001');
  await form(page)
    .getByText(/^The withdrawal address format is wrong\./)
    .waitFor();
  await address(page).fill(TAPROOT);
  await fact(form(page), 'Receive amount').getByText('0.000932 BTC').waitFor();
  await submit(page).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm withdrawal' });
  await confirmation.getByLabel('Verification code').fill(await person.mailedCode());
  await confirmation.getByLabel('Transaction password', { exact: true }).fill(TRANSACTION_PASSWORD);
  await confirmation.getByRole('button', { name: 'Confirm', exact: true }).click();
  await row(page, '0.001').getByText('Pending', { exact: true }).waitFor();
  await row(page, '0.001').click();
  const step = (text: string) => details(page).getByRole('listitem').filter({ hasText: text });
  await step('Included in a block').and(page.locator('[aria-current=step]')).waitFor();
  await bitcoin.mine(1);
  await details(page).getByText('1 of 64 confirmations').waitFor();
  await bitcoin.mine(63);
  await row(page, '0.001').getByText('Completed', { exact: true }).waitFor();
  expect(await bitcoin.call('scantxoutset', 'start', [`raw(${TAPROOT_SCRIPT})`])).toMatchObject({
    unspents: expect.arrayContaining([expect.objectContaining({ amount: '0.00093200' })]),
  });
  // The address of another network was refused, and nothing else.
  expect(complaints.filter((text) => !/ 422 |withdrawal-check/.test(text))).toEqual([]);
});

it('is refilled from a cold wallet by a PSBT that an operator downloads, another wallet signs, and an operator uploads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cambist-psbt-'));
  // The wallet of the node knows nothing of us; it has the key of this address.
  const cold = String(await bitcoin.call('getnewaddress', '', 'bech32'));
  writeFileSync(join(directory, 'development-cold.json'), JSON.stringify({ BTC: cold }));
  await bitcoin.call('sendtoaddress', cold, '5');
  await bitcoin.mine(1);
  const session = await stage.signIn(OPERATOR);
  const page = await stage.open({ as: session });
  await page.goto('/admin/treasury?tab=hot-cold');
  await page.getByRole('button', { name: 'Change the bounds of BTC on BTC' }).click();
  const bounds = page.getByRole('dialog', { name: 'BTC in the hot wallet of BTC' });
  await bounds.getByLabel('Refill below').fill('3');
  await bounds.getByLabel('Target').fill('4');
  await bounds.getByLabel('Send to cold above').fill('9');
  await bounds.getByRole('button', { name: 'Change bounds' }).click();
  await confirmStepUp(page, OPERATOR.pin);
  await bounds.waitFor({ state: 'detached' });
  const asked = page.getByRole('region', { name: 'Between hot and cold', exact: true });
  await asked.getByText('Any wallet that reads a PSBT can sign it too.').waitFor({ timeout: 80_000 });
  const downloading = page.waitForEvent('download');
  await asked.getByRole('button', { name: /^Download the PSBT of refill/ }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^refill-\d+\.psbt$/);
  const path = join(folder, 'refill.psbt');
  await download.saveAs(path);
  const signed = await bitcoin.call('walletprocesspsbt', readFileSync(path).toString('base64'));
  const { psbt } = signed as { psbt: string };
  writeFileSync(path, Buffer.from(psbt, 'base64'));
  await asked.locator('input[type=file]').setInputFiles(path);
  await confirmStepUp(page, OPERATOR.pin);
  const sent = asked.getByRole('row').filter({ hasText: 'From the cold wallet' });
  await sent.getByText('Sent to the network').waitFor({ timeout: 30_000 });
  await bitcoin.mine(64);
  await sent.getByText('Final').waitFor({ timeout: 60_000 });
  rmSync(folder, { recursive: true });
}, 240_000);
