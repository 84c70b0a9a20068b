/** Refills of the hot wallet as the cold machine signs them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseTransaction, recoverTransactionAddress } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { tronAddress } from '../funds/chains/addresses.ts';
import { signedRefill } from '../funds/chains/refill-files.ts';
import { readTron } from '../funds/chains/tron-transaction.ts';
import { ColdMachine, HOT, TERMS, TOKEN } from './test-cold-machine.ts';

const TRON_TOKEN = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const HOUR_MS = 3_600_000;

let machine: ColdMachine;
let own: string;

const path = (name: string) => machine.path(name);
const sign = (change?: object) => machine.sign(change);

beforeAll(() => {
  machine = new ColdMachine();
  ({ own } = machine);
});
beforeEach(() => machine.reset());
afterAll(() => machine.remove());

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
  const from = /Wallet of TRC20: (T\w+)/.exec(machine.shown)?.[1] ?? '';
  const coin = {
    contract: TRON_TOKEN,
    most_per_payment: '9000000',
    most_per_day: '90000000',
    name: 'USDT',
    decimals: 6,
  };
  const trc20 = {
    format: 'tron',
    fee_cap: '100000000',
    most_fees_per_day: '1000000000000000000000000',
    coins: [coin],
    only_to: hot,
  };
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
  await sign({ request: 'book:refill:2', terms: { ...TERMS, maxFeePerGas: 4n * 10n ** 9n } });
  expect(JSON.parse(readFileSync(path('refill-1.signed.json'), 'utf8'))).toMatchObject({ request: 'book:refill:2' });
});
