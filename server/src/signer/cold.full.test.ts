/** Refusals of the cold machine. Each request decrypts the seed, which takes half a second. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { writeJson } from '../funds/chains/transactions.ts';
import { coldSign } from './cold.ts';
import { ColdMachine, HOT, TERMS } from './test-cold-machine.ts';

let machine: ColdMachine;

const path = (name: string) => machine.path(name);
const request = (change?: object) => machine.request(change);
const sign = (change?: object) => machine.sign(change);
const policy = (change?: object) => machine.policy(change);

beforeAll(() => {
  machine = new ColdMachine();
});
beforeEach(() => machine.reset());
afterAll(() => machine.remove());

it('signs nothing for another wallet, to another address, or that its own policy does not have', async () => {
  const stranger = HOT.replace(/bb$/, 'aa');
  await expect(sign({ to: stranger })).rejects.toThrow(/allows 0x[b0]+ alone/);
  await expect(sign({ from: stranger })).rejects.toThrow(/that of this machine is/);
  await expect(sign({ contract: stranger })).rejects.toThrow(/does not have this coin/);
  await expect(sign({ network: 'BEP20' })).rejects.toThrow(/names no hot wallet of BEP20/);
  await expect(sign({ units: 9_000_001n })).rejects.toThrow(/NOT_ALLOWED/);
  await expect(sign({ terms: { ...TERMS, maxFeePerGas: 10n ** 12n } })).rejects.toThrow(/FEE/);
  await expect(sign({ terms: { ...TERMS, chainId: 5 } })).rejects.toThrow(/NOT_ALLOWED/);
  policy({ only_to: undefined });
  await expect(sign()).rejects.toThrow(/set "only_to"/);
  policy();
  writeFileSync(path('refill-1.json'), writeJson({ ...request(), version: 2 }));
  await expect(coldSign(machine.settings, path('refill-1.json'))).rejects.toThrow();
  expect(readFileSync(path('cold/signed.jsonl'), 'utf8')).toBe('');
});
