/**
 * A newcomer's first hour, in a real browser against the real server with its simulated market: sign up with the
 * mailed code, take development funds, buy at market, sell with a limit order; then the process is killed with -9 and
 * everything is as it was.
 */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { complaintsOf, expectAccessible } from './browser.ts';
import { type MortalStage, setMortalStage } from './stage.ts';

const EMAIL = 'newcomer@example.test';
const PASSWORD = 'a newcomer walks in';
const TRANSACTION_PASSWORD = 'first order';

let stage: MortalStage;
let page: Page;
let complaints: string[];

beforeEach(async () => {
  // Nobody has set a mail server: the code is read where a developer reads it.
  stage = await setMortalStage({ MARKET: 'simulated', SMTP_URL: '' });
  page = await stage.open();
  complaints = complaintsOf(page);
});

afterEach(() => stage?.close());

const open = (path: string) => page.goto(path);
const button = (name: string | RegExp) => page.getByRole('button', { name });
const field = (label: string) => page.getByLabel(label, { exact: true });

async function codeInOutbox(): Promise<string> {
  const { messages } = await stage.call<{ messages: { subject: string }[] }>('GET', `/api/dev/outbox?to=${EMAIL}`);
  return messages[0]?.subject.slice(0, 6) ?? '';
}

async function confirmOrder(): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Transaction password', { exact: true }).fill(TRANSACTION_PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

/** The newcomer is met by the landing page, with live prices and a way in. */
async function meetTheLandingPage(): Promise<void> {
  const answer = await open('/');
  expect(answer?.status()).toBe(200);
  await page.getByRole('region', { name: 'Popular coins' }).getByText('Bitcoin').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Get started' }).click();
  await page.waitForURL('**/signup');
}

/** The newcomer shows a page that is not there as such, and keeps every other screen at its own address. */
async function findEveryScreen(): Promise<void> {
  await open('/nothing-here');
  await page.getByText("This page doesn't exist").waitFor();
  for (const path of ['/markets', '/signin', '/trades/trade-chart/ETH', '/dev/outbox']) {
    expect((await open(path))?.status()).toBe(200);
    await page.locator('main').waitFor();
  }
}

/** The newcomer signs up with the code from the mail and lands in the wallet. */
async function signUp(): Promise<void> {
  await open('/signup');
  await field('Email').fill(EMAIL);
  await page.getByRole('checkbox').first().check();
  await expectAccessible(page);
  await page.locator('form button[type=submit]').click();
  await field('Verification code').waitFor();
  // The sixth digit sends it.
  await field('Verification code').fill(await codeInOutbox());
  await field('Password').fill(PASSWORD);
  await field('Transaction password').fill(TRANSACTION_PASSWORD);
  await page.locator('form button[type=submit]').click();
  await page.waitForURL('**/wallet');
  await page.getByRole('region', { name: 'Total balance', exact: true }).waitFor();
}

/** The newcomer takes development funds and sees them, and is told that the market is simulated. */
async function takeFunds(): Promise<void> {
  await page.getByRole('button', { name: /^Simulated market/ }).waitFor();
  await button('Get development funds').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount', { exact: true }).fill('50000');
  await dialog.locator('button[type=submit]').click();
  await dialog.waitFor({ state: 'hidden' });
  await page
    .getByRole('region', { name: 'Total balance', exact: true })
    .getByText(/50,000/)
    .first()
    .waitFor();
  await expectAccessible(page);
}

/** The newcomer buys BTC at market after the transaction password. */
async function buyAtMarket(): Promise<void> {
  await open('/trades/spot');
  await page.waitForURL('**/trades/spot**');
  const form = page.getByRole('form', { name: 'Buy BTC' });
  await form.getByText('50,000').first().waitFor();
  await form.getByLabel('Amount in BTC').fill('0.1');
  await form.getByRole('button', { name: 'Buy BTC' }).click();
  await confirmOrder();
  await page.getByText('Order created successfully').waitFor();
  await expectAccessible(page);
}

/** The newcomer shows a wrong transaction password under its field and places nothing. */
async function mistakeThePassword(): Promise<void> {
  const form = page.getByRole('form', { name: 'Sell BTC' });
  await form.getByLabel('Amount in BTC').fill('0.01');
  await form.getByRole('button', { name: 'Sell BTC' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Transaction password', { exact: true }).fill('not this one');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByText('Wrong transaction password').first().waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
}

/** The newcomer sells with a limit order that rests among the open orders. */
async function sellWithALimit(): Promise<void> {
  await page.getByRole('region', { name: 'Order form' }).getByText('Limit', { exact: true }).click();
  const form = page.getByRole('form', { name: 'Sell BTC' });
  await form.getByLabel('Price', { exact: true }).fill('95000');
  await form.getByLabel('Amount in BTC').fill('0.05');
  await form.getByRole('button', { name: 'Sell BTC' }).click();
  await confirmOrder();
  await page
    .getByRole('region', { name: 'Your account' })
    .getByText(/95,000/)
    .first()
    .waitFor();
}

/** The newcomer is killed with -9 and comes back with everything as it was. */
async function surviveAKill(): Promise<void> {
  const terminal = page.url();
  await stage.restart();
  // What the page had asked of the server that was killed ends with the page, and is no complaint.
  await open('about:blank');
  complaints.length = 0;
  await open(terminal);
  await page
    .getByRole('region', { name: 'Your account' })
    .getByText(/95,000/)
    .first()
    .waitFor();
  await page
    .getByRole('region', { name: 'Your lists' })
    .or(page.getByLabel('Your lists'))
    .getByText('Trade history')
    .click();
  await page.getByRole('table', { name: 'Trade history' }).getByText('BTC').first().waitFor();
  await open('/wallet?tab=spot');
  await page.getByRole('table', { name: 'Coins' }).getByText('BTC').first().waitFor();
  expect(complaints.join('\n')).toBe('');
}

/** The newcomer cancels the order; the list empties and the history has it. */
async function cancelTheOrder(): Promise<void> {
  await open('/trades/spot/BTC');
  await button(/^Cancel /)
    .first()
    .click();
  await page.getByRole('table', { name: 'Open orders' }).waitFor({ state: 'hidden' });
  await page.getByLabel('Your lists').getByText('Order history').click();
  await page
    .getByRole('table', { name: 'Order history' })
    .getByText(/cancelled/i)
    .first()
    .waitFor();
}

it('a newcomer signs up, funds, trades, cancels, and finds everything as it was after a kill (T-spot-02, T-spot-17, T-spot-18, T-spot-20, T-spot-21, T-spot-34, T-spot-35, T-spot-43, T-spot-107)', {
  timeout: 240_000,
}, async () => {
  await meetTheLandingPage();
  await findEveryScreen();
  await signUp();
  await takeFunds();
  await buyAtMarket();
  await mistakeThePassword();
  await sellWithALimit();
  await surviveAKill();
  await cancelTheOrder();
});
