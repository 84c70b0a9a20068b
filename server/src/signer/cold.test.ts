/** Refills of the hot wallet as the cold machine signs them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTransaction, recoverTransactionAddress } from 'viem';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tronAddress } from '../funds/chains/addresses.ts';
import { signedRefill, writeRequest } from '../funds/chains/refill-files.ts';
import { writeJson } from '../funds/chains/transactions.ts';
import { readTron } from '../funds/chains/tron-transaction.ts';
import { coldSign } from './cold.ts';
import { initialize } from './folder.ts';

const HOT = '0x00000000000000000000000000000000000000bb';
const TOKEN = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const TRON_TOKEN = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const HOUR_MS = 3_600_000;
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
/** What was said as the wallet was made. */
let shown: string;
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
  shown = initialize(settings());
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

it('says until when a payment of TRON is good, and signs none that has lapsed or outlasts a day', async () => {
  const hot = tronAddress('bb'.repeat(20));
  const from = /Wallet of TRC20: (T\w+)/.exec(shown)?.[1] ?? '';
  const coin = {
    contract: TRON_TOKEN,
    most_per_payment: '9000000',
    most_per_day: '90000000',
    name: 'USDT',
    decimals: 6,
  };
  const trc20 = { format: 'tron', fee_cap: '100000000', coins: [coin], only_to: hot };
  writeFileSync(path('cold/policy.json'), JSON.stringify({ networks: { TRC20: trc20 } }));
  const asked = (expiration: number) => ({
    ...{ network: 'TRC20', from, to: hot, contract: TRON_TOKEN },
    terms: {
      ...{ format: 'tron', referenceBytes: '0a1f', referenceHash: '00112233445566ff', feeLimit: 8_571_333n },
      ...{ timestamp: Date.now(), expiration },
    },
  });
  const until = Date.now() + 20 * HOUR_MS;
  const words = await sign({ ...asked(until), back_by: new Date(until - 60_000).toISOString() });
  expect(words).toMatch(/Pays +5\.000000 USDT\n/);
  expect(words).toContain('Costs       at most 8.971333 TRX');
  const moment = new Date(until).toISOString().slice(0, 16).replace('T', ' ');
  expect(words).toContain(`Good until  ${moment} UTC: upload it before`);
  const { raw } = signedRefill.parse(JSON.parse(readFileSync(path('refill-1.signed.json'), 'utf8')));
  expect(await readTron(raw)).toMatchObject({ from, address: hot, contract: TRON_TOKEN, units: 5_000_000n });
  await expect(sign(asked(Date.now() - 1))).rejects.toThrow(/take the next one/);
  await expect(sign(asked(Date.now() + 25 * HOUR_MS))).rejects.toThrow(/more than a day from now/);
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
