/** Transactions of TRON: what the signer writes is what another library reads, and what it refuses. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { utils } from 'tronweb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tronAddress } from '../funds/chains/addresses.ts';
import { readTron } from '../funds/chains/tron-transaction.ts';
import type { Intent } from './intent.ts';
import { SignedFile } from './signed-file.ts';
import { Signer } from './signer.ts';

const TOKEN = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const STRANGER = tronAddress('ab'.repeat(20));
const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

let folder: string;
let clock: { at: number; now(): number };
const open = (onlyTo?: string) => {
  const coins = [null, TOKEN].map((contract) => ({ contract, most_per_payment: 2n ** 60n, most_per_day: 2n ** 61n }));
  const trc20 = { format: 'tron' as const, fee_cap: 100_000_000n, most_fees_per_day: 10n ** 30n, coins };
  const policy = { networks: { TRC20: onlyTo === undefined ? trc20 : { ...trc20, only_to: onlyTo } } };
  return new Signer({
    seed: Buffer.alloc(32, 3),
    signed: new SignedFile(join(folder, 'signed.jsonl'), 'make'),
    policy: () => policy,
    clock,
  });
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cambist-signer-'));
  clock = { at: NOW, now: () => clock.at };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const terms = {
  ...{ format: 'tron' as const, referenceBytes: '0a1f', referenceHash: '00112233445566ff' },
  ...{ timestamp: NOW, expiration: NOW + 10 * MINUTE, feeLimit: 9_000_000n },
};
const intentOf = (change: Partial<Intent> = {}, payment: Partial<Intent['payment']> = {}): Intent => ({
  ...{ id: 'book:1', attempt: 1, source: null, terms },
  payment: { network: 'TRC20', contract: TOKEN, address: STRANGER, units: 60n, ...payment },
  ...change,
});
const code = async (signer: Signer, intent: Intent) => {
  const answer = await signer.sign(intent);
  return answer.ok ? 'signed' : answer.code;
};

describe('transactions of TRON', () => {
  it('say to another library exactly what was wanted, and are signed by the hot wallet', async () => {
    const signer = open();
    const digits = (length: number) =>
      fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes).toString('hex'));
    const drawn = fc.record({
      units: fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
      address: digits(20).map(tronAddress),
      isToken: fc.boolean(),
      feeLimit: fc.bigInt({ min: 0n, max: 90_000_000n }),
      reference: fc.tuple(digits(2), digits(8)),
    });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(drawn, async ({ units, address, isToken, feeLimit, reference }) => {
        count += 1;
        const [referenceBytes, referenceHash] = reference;
        const wanted = { ...terms, referenceBytes, referenceHash, feeLimit, timestamp: NOW + count };
        const payment = { contract: isToken ? TOKEN : null, address, units };
        const answer = await signer.sign(intentOf({ id: `book:${count}`, terms: wanted }, payment));
        if (!answer.ok) throw new Error(answer.code);
        const type = isToken ? 'TriggerSmartContract' : 'TransferContract';
        // An outer message of the raw data and of 65 bytes of a signature.
        const rawData = answer.raw.slice(answer.raw.startsWith('0a') ? 6 : 0, -134);
        const read = utils.deserializeTx.deserializeTransaction(type, rawData);
        expect(utils.transaction.txPbToTxID(utils.transaction.txJsonToPb({ raw_data: read }))).toBe(
          `0x${answer.transaction}`,
        );
        const { value } = read.contract[0].parameter;
        const hex = (text: string) => utils.address.toHex(text).toUpperCase();
        const call = `A9059CBB${hex(address).slice(2).padStart(64, '0')}${units.toString(16).toUpperCase().padStart(64, '0')}`;
        expect(value).toMatchObject({
          owner_address: hex(signer.hotAddress('TRC20')),
          ...(isToken
            ? { contract_address: hex(TOKEN), data: call }
            : { to_address: hex(address), amount: Number(units) }),
        });
        expect([read.expiration, read.timestamp, BigInt(read.fee_limit ?? 0)]).toEqual([
          terms.expiration,
          NOW + count,
          feeLimit,
        ]);
        expect(utils.crypto.ecRecover(answer.transaction, answer.raw.slice(-130)).toLowerCase()).toBe(
          hex(signer.hotAddress('TRC20')).toLowerCase(),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('are signed anew only once they have expired by the signer’s own clock, which counts as another payment', async () => {
    const signer = open();
    expect(await code(signer, intentOf({}, { units: 2n ** 60n }))).toBe('signed');
    const again = { ...terms, expiration: NOW + 25 * MINUTE };
    const second = intentOf({ attempt: 2, terms: again }, { units: 2n ** 60n });
    clock.at = NOW + 11 * MINUTE;
    expect(await code(signer, second)).toBe('NOT_A_REPLACEMENT');
    clock.at = NOW + 12 * MINUTE;
    expect(await code(signer, { ...second, terms: { ...again, timestamp: NOW + 1 } })).toBe('NOT_A_REPLACEMENT');
    expect(await code(signer, second)).toBe('signed');
    // Both together are the amount of a day.
    const other = intentOf({ id: 'book:2', terms: { ...terms, timestamp: NOW + 5, expiration: NOW + 20 * MINUTE } });
    expect(await code(signer, other)).toBe('DAY');
  });

  it('are the same bytes for ever under their id, which no other payment is signed under (faults 1, 3, 4)', async () => {
    const first = await open().sign(intentOf());
    // Twenty at once, of a signer that was started again.
    const signer = open();
    const answers = await Promise.all(Array.from({ length: 20 }, () => signer.sign(intentOf())));
    expect(answers).toEqual(answers.map(() => first));
    const others = [{ units: 61n }, { address: tronAddress('cd'.repeat(20)) }, { contract: null }];
    for (const other of others) expect(await code(signer, intentOf({}, other))).toBe('CHANGED');
    expect(await code(signer, intentOf({ source: 7 }))).toBe('CHANGED');
    expect(await code(signer, intentOf({ id: 'book:2' }))).toBe('CLAIMED');
  });

  it('come from the address of a client to the hot wallet alone, by the key of that address', async () => {
    const signer = open();
    const hot = signer.hotAddress('TRC20');
    const payment = intentOf({ id: 'book:sweep:1', source: 7 }, { address: hot });
    const answer = await signer.sign(payment);
    if (!answer.ok) throw new Error(answer.code);
    expect(utils.crypto.ecRecover(answer.transaction, answer.raw.slice(-130)).toLowerCase()).toBe(
      utils.address.toHex(signer.address('TRON', 7)).toLowerCase(),
    );
    expect(await code(signer, intentOf({ id: 'book:sweep:2', source: 9 }))).toBe('NOT_ALLOWED');
    expect(await code(signer, { ...payment, id: 'book:sweep:3' })).toBe('CLAIMED');
    // Each address has timestamps of its own, and what stays with the exchange is none of the day's amount.
    expect(await code(signer, intentOf({ id: 'book:sweep:4', source: 8 }, { address: hot, units: 2n ** 62n }))).toBe(
      'signed',
    );
    expect(await code(signer, intentOf({ id: 'book:5' }, { units: 2n ** 60n }))).toBe('signed');
  });

  it('are read again as what was signed, and as nothing once a bit of them is another', async () => {
    const signer = open();
    const answer = await signer.sign(intentOf());
    if (!answer.ok) throw new Error(answer.code);
    const from = signer.hotAddress('TRC20');
    const paid = { contract: TOKEN, address: STRANGER, units: 60n, from, transaction: answer.transaction };
    expect(await readTron(answer.raw)).toEqual({ ...paid, terms });
    const bytes = Buffer.from(answer.raw, 'hex');
    for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
      const other = Buffer.from(bytes);
      other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect([bit, await readTron(other.toString('hex'))]).toEqual([bit, undefined]);
    }
  });

  it('last a day at most where they are signed by a cold machine, which pays to the hot wallet alone', async () => {
    const signer = open(STRANGER);
    const day = { ...terms, expiration: NOW + 24 * 60 * MINUTE };
    expect(await code(signer, intentOf({ id: 'book:refill:1', terms: day }))).toBe('signed');
    const longer = { ...day, expiration: NOW + 24 * 60 * MINUTE + 1 };
    expect(await code(signer, intentOf({ id: 'book:refill:2', terms: longer }))).toBe('NOT_ALLOWED');
  });

  it('have a timestamp of their own, last an hour at most, and are of TRON alone', async () => {
    const signer = open();
    expect(await code(signer, intentOf())).toBe('signed');
    expect(await code(signer, intentOf({ id: 'book:2' }))).toBe('CLAIMED');
    const long = { ...terms, timestamp: NOW + 1, expiration: NOW + 61 * MINUTE };
    expect(await code(signer, intentOf({ id: 'book:2', terms: long }))).toBe('NOT_ALLOWED');
    const dear = { ...terms, timestamp: NOW + 1, feeLimit: 100_000_000n };
    expect(await code(signer, intentOf({ id: 'book:2', terms: dear }))).toBe('FEE');
    expect(await code(signer, intentOf({ id: 'book:2' }, { network: 'ERC20', contract: null }))).toBe('NOT_ALLOWED');
  });
});
