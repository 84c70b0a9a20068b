/** The treasury's room in the console: approvals, refusals, paused chains, rules and figures, and what clients see of them. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataFolder } from '@cambist/server/test/pglite-template.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from './browser.ts';
import { makeColdMachine } from './cold-machine.ts';
import { confirmStepUp as confirmOn } from './people.ts';
import { OPERATOR, type Session, type Stage, setStage } from './stage.ts';
import { details, fact, form, newRichPerson, openForm, row, TRON, withdraw } from './withdrawing.ts';

/** A second operator, as the command makes one. */
const CHIEF = { username: 'chief@example.test', password: 'of-the-chief-alone', pin: 'chief-of-money' };
const command = join(import.meta.dirname, '../../server/src/operator.ts');

/** Of an exchange that does not list the coin. */
const UNBOOKED = { coin: 'ETH', amount: '0.250000000000000000' };

let stage: Stage;
let directory: string;

beforeAll(async () => {
  directory = makeDataFolder('cambist-treasury-', 'migrated');
  const env = { ...process.env, DATA_DIR: directory };
  const { stdout } = spawnSync(process.execPath, [command, 'add', CHIEF.username], { env, encoding: 'utf8' });
  // Blocks come when a test wants them.
  stage = await setStage({ DATA_DIR: directory, DEVELOPMENT_BLOCK_SECONDS: '0' });
  const token = /#([\w-]{43})/.exec(stdout)?.[1];
  await stage.call('POST', '/api/v3/operator-link/use', {
    token,
    password: CHIEF.password,
    transaction_password: CHIEF.pin,
  });
  return () => rmSync(directory, { recursive: true, force: true });
});
afterAll(() => stage?.close());

describe('the treasury', () => {
  let operator: Page;
  let session: Session;

  beforeEach(async () => {
    session = await stage.signIn(OPERATOR);
    operator = await stage.open({ as: session });
    return () => operator.context().close();
  });

  const inConsole = (name: string) => operator.getByRole('region', { name, exact: true });
  const review = () => operator.getByRole('dialog', { name: /^Withdrawal \d+$/ });

  const confirmStepUp = () => confirmOn(operator, OPERATOR.pin);

  async function signInChief(): Promise<Session> {
    const chief = await stage.signIn(CHIEF);
    await chief.call('POST', '/api/v3/step-up', { purpose: 'treasury', transaction_password: CHIEF.pin });
    return chief;
  }

  /** The second operator confirms what waits, and the first one sees it. */
  async function confirmChanges(): Promise<void> {
    const { call } = await signInChief();
    const path = '/api/v3/admin/pending-changes';
    const { changes } = await call<{ changes: { id: string; state: string }[] }>('GET', path);
    for (const { id } of changes.filter(({ state }) => state === 'WAITING')) {
      await call('POST', `${path}/${id}/confirm`, {});
    }
    await operator.reload();
  }

  /** On a small screen: whole where there is room, and with nothing beside the column of the buttons where there is none. */
  async function expectWaitingIsRead(locale: string): Promise<void> {
    const keeps = { preferences: { locale } };
    const small = await stage.open({ as: session, keeps, viewport: { width: 1024, height: 768 } });
    await small.goto('/admin/treasury');
    const list = small.locator('main section').filter({ hasText: '0/2' }).first();
    await list.waitFor();
    expect(await list.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await small.setViewportSize({ width: 800, height: 600 });
    const behind = () =>
      list.evaluate((box) => {
        const { right } = box.getBoundingClientRect();
        const end = box.querySelector('tbody td:last-child')?.getBoundingClientRect().right ?? 0;
        return [box.scrollWidth > box.clientWidth, right - end];
      });
    await expect.poll(behind).toEqual([true, 0]);
    await small.context().close();
  }

  it('approves a very large withdrawal with two operators, and refuses one with a reason that the client sees', async () => {
    const person = await newRichPerson(stage, 'whale', '200000');
    const large = await withdraw(person, '120000');
    await operator.goto('/admin/treasury');
    const waiting = inConsole('Waiting for approval').locator('tbody tr').filter({ hasText: '120,000 USDT' });
    await waiting.getByText('0/2').waitFor();
    await waiting.getByText('Needs two operators').waitFor();
    await waiting.getByRole('button', { name: `Review 120,000 USDT of ${person.email}` }).click();
    await expectAccessible(operator);
    await expectWaitingIsRead('german');
    await review().getByRole('button', { name: 'Approve (1 of 2)' }).click();
    await confirmStepUp();
    await review().waitFor({ state: 'detached' });
    await waiting.getByText('1/2').waitFor();
    const chief = await signInChief();
    await chief.call('POST', `/api/v3/admin/withdrawals/${large}/approve`, {});
    await operator.reload();
    await inConsole('Waiting for approval').getByText('Nothing waits for approval.').waitFor();

    const { page } = person;
    const other = await newRichPerson(stage, 'doubted', '20000');
    await withdraw(other, '11000');
    await other.page.goto('/wallet/withdraw?coin=USDT');
    await row(other.page, '11,000.000').getByText('Pending', { exact: true }).waitFor();
    await operator.reload();
    await operator
      .getByRole('button', { name: `Review 11,000 USDT of ${other.email}` })
      .first()
      .click();
    await expect.poll(() => review().getByRole('button', { name: 'Refuse' }).isDisabled()).toBe(true);
    await review().getByLabel('Note, or the reason to refuse').fill('The address belongs to a mixer');
    await review().getByRole('button', { name: 'Refuse' }).click();
    await confirmStepUp();
    await review().waitFor({ state: 'detached' });
    await row(other.page, '11,000.000').getByText('Refused', { exact: true }).waitFor();
    await row(other.page, '11,000.000').click();
    await details(other.page).getByRole('alert').getByText('The address belongs to a mixer').waitFor();
    await fact(form(other.page), 'Available').getByText('20,000 USDT').waitFor();
    await page.context().close();
    await other.page.context().close();
  });

  it('pauses payouts of a network with a reason, which clients see before they ask for one, and resumes them', async () => {
    const client = await newRichPerson(stage, 'patient', '500');
    await operator.goto('/admin/treasury?tab=chains');
    const chain = inConsole('ERC20');
    const decide = async (action: string) => {
      await chain.getByRole('button', { name: action }).click();
      const dialog = operator.getByRole('dialog', { name: `${action} by ERC20?` });
      await dialog.getByLabel('Reason').fill('A fork is on its way');
      await dialog.getByRole('button', { name: action }).click();
      return dialog;
    };
    await chain.getByText('Hot wallet', { exact: true }).waitFor();
    await inConsole('Custody against the ledger').getByRole('row').filter({ hasText: 'USDT' }).waitFor();
    await (await decide('Pause payouts')).waitFor({ state: 'detached' });
    await chain.getByText('Payouts are paused').waitFor();
    await openForm(client.page, 'Ethereum (ERC20)');
    await form(client.page)
      .getByText(/^Withdrawals by this network are paused\./)
      .waitFor();
    const dialog = await decide('Resume payouts');
    await confirmStepUp();
    await dialog.waitFor({ state: 'detached' });
    await chain.getByText('Payouts are paused').waitFor({ state: 'detached' });
    expect(await chain.getByText('Second node').count()).toBe(0);
    // As a network that has two nodes answers while one is away.
    await operator.route('**/api/v3/admin/chains', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { chains: { network: string; nodes: object[]; trouble: string | null }[] };
      const pair = { nodes: [{ head: 120 }, { head: null }], trouble: 'SPLIT', unbooked_cost: UNBOOKED };
      const chains = body.chains.map((one) => (one.network === 'ERC20' ? { ...one, ...pair } : one));
      await route.fulfill({ json: { ...body, chains } });
    });
    await operator.reload();
    await chain.getByText('Nodes disagree').waitFor();
    await fact(chain, 'First node').getByText('120').waitFor();
    await fact(chain, 'Second node').getByText('Not answering').waitFor();
    await fact(chain, 'Costs not in the ledger').getByText('0.25 ETH').waitFor();
    await client.page.context().close();
  });

  it('bounds a hot wallet, and refills it by a file that another machine signs', async () => {
    const cold = makeColdMachine();
    const { address } = cold;
    writeFileSync(join(directory, 'development-cold.json'), JSON.stringify({ ERC20: address }));
    const client = await newRichPerson(stage, 'sender', '1');
    const send = (coin: string, amount: string) =>
      client.call('POST', '/api/dev/chains/send', { network: 'ERC20', coin, amount, address });
    await send('ETH', '1');
    await send('USDC', '500000');
    await client.call('POST', '/api/dev/chains/mine', { network: 'ERC20', blocks: 1 });
    await operator.goto('/admin/treasury?tab=hot-cold');
    const wallets = inConsole('ERC20');
    await wallets.getByRole('button', { name: 'Change the sweeps of ERC20' }).click();
    const sweeps = operator.getByRole('dialog', { name: 'Sweeps of ERC20' });
    await sweeps.getByLabel('Least worth, as a multiple of the fee').fill('35');
    await sweeps.getByRole('button', { name: 'Change sweeps' }).click();
    await confirmStepUp();
    await sweeps.waitFor({ state: 'detached' });
    await wallets.getByText('Swept from 35 times the fee').waitFor();
    const tron = inConsole('TRC20');
    await tron.getByRole('button', { name: 'Change the sweeps of TRC20' }).click();
    const ofTron = operator.getByRole('dialog', { name: 'Sweeps of TRC20' });
    await ofTron.getByLabel('Price of TRX, where no market has one').fill('0.27');
    await expectAccessible(operator);
    await ofTron.getByRole('button', { name: 'Change sweeps' }).click();
    await confirmStepUp();
    await ofTron.waitFor({ state: 'detached' });
    await tron.getByText(/^1 TRX = 0\.27 USDT, set by hand on /).waitFor();
    await wallets.getByRole('button', { name: 'Change the bounds of USDC on ERC20' }).click();
    const bounds = operator.getByRole('dialog', { name: 'USDC in the hot wallet of ERC20' });
    await bounds.getByLabel('Refill below').fill('10000100');
    await bounds.getByLabel('Target').fill('10000200');
    await bounds.getByLabel('Send to cold above').fill('10000300');
    await bounds.getByRole('button', { name: 'Change bounds' }).click();
    await confirmStepUp();
    await bounds.waitFor({ state: 'detached' });
    const asked = inConsole('Between hot and cold');
    await asked.getByText('200 USDC').waitFor({ timeout: 60_000 });
    const downloading = operator.waitForEvent('download');
    await asked.getByRole('button', { name: /^Download refill/ }).click();
    const path = cold.at('refill.json');
    await (await downloading).saveAs(path);
    const { to, contract } = JSON.parse(readFileSync(path, 'utf8')) as { to: string; contract: string };
    const coin = { contract, most_per_payment: '1000000000', most_per_day: '1000000000', name: 'USDC', decimals: 6 };
    const erc20 = {
      format: 'development',
      fee_cap: '1000000000000000000',
      most_fees_per_day: '1000000000000000000000000',
      only_to: to,
      coins: [coin],
    };
    cold.allow({ ERC20: erc20 });
    expect(cold.sign(path)).toMatch(/Pays +200\.000000 USDC/);
    await asked.locator('input[type=file]').setInputFiles(cold.at('refill.signed.json'));
    await confirmStepUp();
    await asked
      .getByRole('row')
      .filter({ hasText: '200 USDC' })
      .getByText('Sent to the network')
      .waitFor({ timeout: 30_000 });
    cold.remove();
  }, 120_000);

  it('keeps the rules, the fraudulent addresses and the figures of networks', async () => {
    await operator.goto('/admin/treasury?tab=rules');
    const rules = inConsole('Manual review');
    const count = rules.getByLabel('Withdrawals an hour');
    const changed = String(Number(await count.inputValue()) + 1);
    await count.fill(changed);
    await rules.getByRole('button', { name: 'Change rules' }).click();
    await confirmStepUp();
    await operator.getByText('What loosens a protection waits under Operations', { exact: false }).first().waitFor();
    await confirmChanges();
    await expect.poll(() => count.inputValue()).toBe(changed);
    const frauds = inConsole('Fraudulent addresses');
    await frauds.getByLabel('Address', { exact: true }).fill(TRON);
    await frauds.getByLabel('Reason', { exact: true }).fill('Named by three clients');
    await frauds.getByRole('button', { name: 'Add address' }).click();
    await frauds.getByRole('row').filter({ hasText: TRON }).waitFor();
    await frauds.getByRole('button', { name: `Remove ${TRON}` }).click();
    await confirmStepUp();
    await operator.getByText('What loosens a protection waits under Operations', { exact: false }).first().waitFor();
    await confirmChanges();
    await frauds.getByRole('row').filter({ hasText: TRON }).waitFor({ state: 'detached' });
    const figures = inConsole('Coins and networks');
    await figures.getByRole('button', { name: 'Change USDC on TRC20' }).click();
    const dialog = operator.getByRole('dialog', { name: /^USDC on / });
    await dialog.getByLabel('Withdrawal fee').fill('1.5');
    await dialog.getByRole('button', { name: 'Change figures' }).click();
    await confirmStepUp();
    await dialog.waitFor({ state: 'detached' });
    await figures.getByRole('row').filter({ hasText: 'USDC' }).filter({ hasText: '1.5' }).waitFor();
    const { coins } = await stage.call<{ coins: { name: string; networks: { value: string; fee: string }[] }[] }>(
      'GET',
      '/api/v3/withdraw-networks',
    );
    const usdc = coins.find(({ name }) => name === 'USDC')?.networks.find(({ value }) => value === 'TRC20');
    expect(Number(usdc?.fee)).toBe(1.5);
  });
});
