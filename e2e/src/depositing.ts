/** What the browser tests of deposits share: the screen, and the chains of development behind it. */
import type { Locator, Page } from 'playwright-core';
import type { Person } from './people.ts';

export const form = (page: Page) => page.getByRole('region', { name: 'Deposit', exact: true });
export const recent = (page: Page) => page.getByRole('region', { name: 'Recent Deposits' });
export const rows = (page: Page) => page.locator('main table tbody tr');
export const details = (page: Page) => page.getByRole('dialog', { name: 'Deposit details' });

/** The value beside a name in a list of facts. */
export const fact = (within: Locator, name: string) =>
  within
    .locator('dl > div')
    .filter({ has: within.page().getByText(name, { exact: true }) })
    .locator('dd');

export const mine = ({ call }: Person, network: string, blocks: number) =>
  call('POST', '/api/dev/chains/mine', { network, blocks });

interface WalletAnswer {
  readonly wallet: { readonly wallet_address: string };
}

/** The person's address, made where there is none. */
export async function addressOn({ call }: Person, network: string): Promise<string> {
  const { wallet } = await call<WalletAnswer>('POST', '/api/v3/generate-wallet', { wallet_type: network });
  return wallet.wallet_address;
}

export async function send(person: Person, coin: string, network: string, amount: string): Promise<void> {
  const address = await addressOn(person, network);
  await person.call('POST', '/api/dev/chains/send', { network, coin, address, amount });
}

export async function statesOf({ call }: Person): Promise<string[]> {
  const { deposit } = await call<{ deposit: { state: string }[] }>('GET', '/api/v3/deposit-history');
  return deposit.map(({ state }) => state);
}
