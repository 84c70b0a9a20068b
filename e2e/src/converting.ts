/** What the browser tests of conversions share: the screen on a page, and the balances behind it. */
import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import type { Session } from './stage.ts';

export const numberIn = (text: string) => Number(text.replace(/,/g, '').match(/\d+(\.\d+)?/)?.[0]);

export async function balanceOf({ call }: Session, coin: string): Promise<number> {
  const answer = await call<{ wallet: { wallet_balance: string } }>('GET', `/api/v3/wallet-balance?name=${coin}`);
  return Number(answer.wallet.wallet_balance);
}

export type ConvertScreen = ReturnType<typeof convertScreenOn>;

/** The controls of the screen and of its dialog. */
export function convertScreenOn(page: Page) {
  const field = (name: string) => page.getByRole(name.endsWith('coin') ? 'combobox' : 'textbox', { name, exact: true });
  const dialog = () => page.getByRole('dialog', { name: 'Confirm conversion' });
  const renew = () => dialog().getByRole('button', { name: 'Get a new price' });
  const confirmButton = () => dialog().getByRole('button', { name: 'Confirm', exact: true });
  const notice = () => page.locator('.mantine-Notification-root');
  return {
    field,
    dialog,
    renew,
    notice,
    password: () => dialog().getByLabel('Transaction password', { exact: true }),
    submit: () => page.locator('main form').getByRole('button', { name: 'Convert' }).click(),

    async open() {
      await page.goto('/wallet/convert');
      await page.locator('main form').waitFor();
    },

    async choose(name: string, coin: string) {
      await field(name).click();
      await field(name).fill(coin);
      await page.getByRole('option', { name: new RegExp(`^${coin}\\b`) }).click();
    },

    /** Confirms what the dialog shows. A price is held for ten seconds only: after them the next one is confirmed. */
    async confirm() {
      await vi.waitFor(
        async () => {
          if (await renew().isVisible()) await renew().click({ timeout: 1_000 });
          await confirmButton().click({ timeout: 1_000 });
        },
        { timeout: 30_000 },
      );
    },

    /** Confirms until it is converted: a market that moved by more than the margin refuses, and offers its new price. */
    async convert(converted: RegExp): Promise<{ pay: number; receive: number }> {
      const done = notice().getByText(converted);
      const shown = async (name: string) => {
        const line = dialog().locator('dl > div', { has: page.getByText(name, { exact: true }) });
        return numberIn(await line.locator('dd').innerText());
      };
      for (;;) {
        if (await renew().isVisible()) await renew().click();
        await renew().waitFor({ state: 'hidden' });
        const limits = { pay: await shown('You pay at most'), receive: await shown('You receive at least') };
        await confirmButton()
          .click({ timeout: 5_000 })
          .catch(async () => renew().waitFor());
        await done.or(renew()).first().waitFor();
        if (!(await renew().isVisible())) return limits;
      }
    },
  };
}
