/** Accounts that are there from the first start, so that a newcomer can look around at once. Never in production. */
import { issue } from '@cambist/core/ledger/issue.ts';
import { parseAmount } from '@cambist/core/money/amount.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import type { WalletService } from '../../funds/overview/service.ts';
import type { AccountService } from '../../identity/accounts/service.ts';
import { demoAccounts } from './service.ts';

/** What a demo trader starts with, so that the first order needs no errand. */
const FUNDS = { USDT: '100000', BTC: '1', ETH: '10' };

export interface DemoDeps {
  readonly accounts: AccountService;
  readonly engine: Pick<Engine, 'exchange' | 'sequencer'>;
  readonly wallets: Pick<WalletService, 'assetByCode'>;
  readonly withdrawals: {
    warnOf(network: 'TRC20' | 'ERC20', address: string, note: string): Promise<void>;
  };
}

/** Addresses without a key, made of a pattern. */
const FRAUDULENT = [
  ['TRC20', 'TT1DrH6tftFBACG5xq5vRhmcxjp4Vost1g'],
  ['ERC20', '0xbadbadbadbadbadbadbadbadbadbadbadbadbad0'],
] as const;

async function fund(owner: number, { engine, wallets }: DemoDeps): Promise<void> {
  if (engine.exchange.accountsOf(owner).length > 0) return;
  for (const [coin, text] of Object.entries(FUNDS)) {
    const asset = wallets.assetByCode(coin)?.asset;
    const amount = parseAmount(text, asset?.scale ?? 0);
    if (asset === undefined || !amount.ok) continue;
    await engine.sequencer.submit(issue('development-credit', owner, asset.id, amount.value));
  }
}

/** Makes what is missing: accounts, and the addresses that stand for those of known frauds. */
export async function ensureDemoAccounts(deps: DemoDeps): Promise<void> {
  for (const { email, password, pin, role } of demoAccounts) {
    const id = await deps.accounts.ensure(email, password, pin, role);
    if (id !== undefined && role === 'client') await fund(id, deps);
  }
  for (const [network, address] of FRAUDULENT) await deps.withdrawals.warnOf(network, address, 'Sample of development');
}

/** By name: a browser makes no passkey for an address in figures, and `localhost` is a safe place to it without TLS. */
export function addressToOpen(listening: string): string {
  const url = new URL(listening);
  if (/^(127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)) url.hostname = 'localhost';
  return url.origin;
}

/** How to sign in. */
export function printDemoAccounts(listening: string): void {
  const address = addressToOpen(listening);
  const lines = demoAccounts.map(
    ({ who, email, password, pin }) =>
      `  ${who.padEnd(12)} ${email}  password ${password}  transaction password ${pin}`,
  );
  process.stdout.write(
    `\nCambist is at ${address}\n\n${lines.join('\n')}\n  mailbox      ${address}/dev/outbox\n  every call   ${address}/docs\n\n`,
  );
}
