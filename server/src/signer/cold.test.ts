/** Refills of the hot wallet as the cold machine signs them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTransaction, recoverTransactionAddress } from 'viem';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { signedRefill, writeRequest } from '../funds/chains/refill-files.ts';
import { writeJson } from '../funds/chains/transactions.ts';
import { coldSign } from './cold.ts';
import { initialize } from './folder.ts';

const HOT = '0x00000000000000000000000000000000000000bb';
const TOKEN = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const terms = {
  format: 'evm' as const,
  chainId: 1,
  nonce: 0,
  gas: 65_000n,
  maxFeePerGas: 3n * 10n ** 9n,
  maxPriorityFeePerGas: 8n,
};

let folder: string;
let own: string;
const path = (name: string) => join(folder, name);
const settings = () => ({
  folder: path('cold'),
  passphraseFile: path('passphrase'),
  listen: '',
  bitcoin: 'mainnet' as const,
});

const request = (change: object = {}) => ({
  ...{
    request: 'book:refill:1',
    network: 'ERC20' as const,
    from: own,
    to: HOT,
    contract: TOKEN,
    units: 5_000_000n,
    terms,
  },
  ...change,
});

async function sign(change: object = {}): Promise<string> {
  writeFileSync(path('refill-1.json'), writeRequest(request(change)));
  return coldSign(settings(), path('refill-1.json'));
}

function policy(change: object = {}): void {
  const coins = [
    { contract: null, most_per_payment: '100', most_per_day: '100' },
    { contract: TOKEN, most_per_payment: '9000000', most_per_day: '90000000', name: 'USDT', decimals: 6 },
  ];
  const erc20 = { format: 'evm', chain_id: 1, fee_cap: '10000000000000000', coins, only_to: HOT, ...change };
  writeFileSync(path('cold/policy.json'), JSON.stringify({ networks: { ERC20: erc20 } }));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cambist-cold-'));
  writeFileSync(path('passphrase'), 'a long passphrase\n');
  const shown = initialize(settings());
  own = (/Wallet of ERC20: (0x[0-9a-fA-F]{40})/.exec(shown)?.[1] ?? '').toLowerCase();
  policy();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('signs what is asked, says it in words, and writes it beside the request, the same each time', async () => {
  const words = await sign();
  expect(words).toMatch(/Pays +5\.000000 USDT\n/);
  expect(words).toContain(`From        ${own}`);
  expect(words).toContain(`To          ${HOT}`);
  expect(words).toContain('Costs       at most 0.000195000000000000 ETH');
  const first = readFileSync(path('refill-1.signed.json'), 'utf8');
  const { raw, request: id } = signedRefill.parse(JSON.parse(first));
  expect(id).toBe('book:refill:1');
  expect(parseTransaction(raw as `0x02${string}`)).toMatchObject({ to: TOKEN, gas: 65_000n, chainId: 1 });
  const signer = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
  expect(signer.toLowerCase()).toBe(own);
  await sign();
  expect(readFileSync(path('refill-1.signed.json'), 'utf8')).toBe(first);
});

it('signs a request that took the place of one that was given up, though both have one nonce', async () => {
  await sign();
  await sign({ request: 'book:refill:2', terms: { ...terms, maxFeePerGas: 4n * 10n ** 9n } });
  expect(JSON.parse(readFileSync(path('refill-1.signed.json'), 'utf8'))).toMatchObject({ request: 'book:refill:2' });
});

it('signs nothing for another wallet, to another address, or that its own policy does not have', async () => {
  const stranger = HOT.replace(/bb$/, 'aa');
  await expect(sign({ to: stranger })).rejects.toThrow(/allows 0x0+bb alone/);
  await expect(sign({ from: stranger })).rejects.toThrow(/that of this machine is/);
  await expect(sign({ contract: stranger })).rejects.toThrow(/does not have this coin/);
  await expect(sign({ network: 'BEP20' })).rejects.toThrow(/names no hot wallet of BEP20/);
  await expect(sign({ units: 9_000_001n })).rejects.toThrow(/NOT_ALLOWED/);
  await expect(sign({ terms: { ...terms, maxFeePerGas: 10n ** 12n } })).rejects.toThrow(/FEE/);
  await expect(sign({ terms: { ...terms, chainId: 5 } })).rejects.toThrow(/NOT_ALLOWED/);
  policy({ only_to: undefined });
  await expect(sign()).rejects.toThrow(/set "only_to"/);
  policy();
  writeFileSync(path('refill-1.json'), writeJson({ ...request(), version: 2 }));
  await expect(coldSign(settings(), path('refill-1.json'))).rejects.toThrow();
  expect(readFileSync(path('cold/signed.jsonl'), 'utf8')).toBe('');
});
