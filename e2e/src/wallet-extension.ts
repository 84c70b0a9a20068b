/** An extension in software: it announces itself (EIP-6963), gives its account, and signs with a real key. */
import type { Page } from 'playwright-core';
import type { PrivateKeyAccount } from 'viem/accounts';

/** An error of EIP-1193, which a wallet gives in the place of what a method asks for. */
interface Refusal {
  readonly method: string;
  readonly code: number;
}

/** @returns the methods that pages have asked for */
export async function installWallet(page: Page, account: PrivateKeyAccount, refusal?: Refusal): Promise<string[]> {
  const methods: string[] = [];
  await page.exposeFunction('walletRequest', async (method: string, params: unknown[]) => {
    methods.push(method);
    if (method === refusal?.method) return { refused: refusal.code };
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [account.address];
    if (method === 'eth_chainId') return '0x1';
    return account.signMessage({ message: { raw: params[0] as `0x${string}` } });
  });
  await page.addInitScript(() => {
    const ask = window as unknown as { walletRequest(method: string, params: unknown[]): Promise<unknown> };
    const provider = {
      request: async ({ method, params = [] }: { method: string; params?: unknown[] }) => {
        const answer = await ask.walletRequest(method, params);
        const code = (answer as { refused?: number } | null)?.refused;
        if (code !== undefined) throw Object.assign(new Error('The wallet refuses'), { code });
        return answer;
      },
      on: () => undefined,
      removeListener: () => undefined,
    };
    const info = {
      uuid: '350670db-19fa-4704-a166-e52e178b59d2',
      name: 'Test Wallet',
      icon: 'data:image/svg+xml,',
      rdns: 'test.wallet',
    };
    const announce = () =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
    window.addEventListener('eip6963:requestProvider', announce);
    announce();
  });
  return methods;
}
