/** What the signer signs, and what it refuses. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeFunctionData, erc20Abi, keccak256, parseTransaction, recoverTransactionAddress } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDevelopment } from '../funds/chains/development-transaction.ts';
import type { Intent, SignAnswer } from './intent.ts';
import type { Policy } from './policy.ts';
import { fromWrittenDown, readSeed, writeSeed, writtenDown } from './seed-file.ts';
import { SignedFile } from './signed-file.ts';
import { Signer } from './signer.ts';

const SEED = Buffer.alloc(32, 1);
const TOKEN = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const STRANGER = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

let folder: string;
let policy: Policy;
let clock: { at: number; now(): number };
const path = () => join(folder, 'signed.jsonl');
const open = () => new Signer({ seed: SEED, signed: new SignedFile(path(), 'make'), policy: () => policy, clock });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cambist-signer-'));
  clock = { at: 0, now: () => clock.at };
  const coins = [
    { contract: null, most_per_payment: 100n, most_per_day: 250n },
    { contract: TOKEN, most_per_payment: 10n ** 12n, most_per_day: 10n ** 12n },
  ];
  policy = {
    networks: {
      ERC20: { format: 'evm', chain_id: 1, fee_cap: 10n ** 16n, most_fees_per_day: 10n ** 30n, coins },
      TRC20: {
        format: 'development',
        fee_cap: 1000n,
        most_fees_per_day: 10n ** 30n,
        coins: [{ ...coins[0], contract: null }] as typeof coins,
      },
    },
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const evm = {
  format: 'evm' as const,
  chainId: 1,
  nonce: 0,
  gas: 65_000n,
  maxFeePerGas: 3n * 10n ** 9n,
  maxPriorityFeePerGas: 8n,
};
const intentOf = (change: Partial<Intent> = {}, payment: Partial<Intent['payment']> = {}): Intent => ({
  ...{ id: 'book:1', attempt: 1, source: null, terms: evm },
  payment: { network: 'ERC20', contract: null, address: STRANGER, units: 60n, ...payment },
  ...change,
});
const bytes = (answer: SignAnswer) => {
  if (!answer.ok) throw new Error(`Refused: ${answer.code}`);
  return answer;
};
const code = (answer: SignAnswer) => (answer.ok ? 'signed' : answer.code);

describe('the signer', () => {
  it('builds an EIP-1559 transaction of its own from what is to be paid, in Ether and in a token', async () => {
    const signer = open();
    const coin = bytes(await signer.sign(intentOf()));
    const from = signer.hotAddress('ERC20');
    expect(parseTransaction(coin.raw as `0x02${string}`)).toMatchObject({
      to: STRANGER,
      value: 60n,
      gas: 65_000n,
      chainId: 1,
    });
    expect(await recoverTransactionAddress({ serializedTransaction: coin.raw as `0x02${string}` })).toBe(from);
    expect(coin.transaction).toBe(keccak256(coin.raw as `0x${string}`));
    const other = intentOf({ id: 'book:2', terms: { ...evm, nonce: 1 } }, { contract: TOKEN, units: 12_500_000n });
    const token = parseTransaction(bytes(await signer.sign(other)).raw as `0x02${string}`);
    expect(token).toMatchObject({ to: TOKEN, nonce: 1 });
    expect(token.value ?? 0n).toBe(0n);
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: token.data ?? '0x' });
    expect([functionName, args?.[0]?.toLowerCase(), args?.[1]]).toEqual(['transfer', STRANGER, 12_500_000n]);
  });

  it('keeps hot wallets apart from the addresses of clients', () => {
    const signer = open();
    const indices = [0, 1, 2, 3];
    expect(indices.map((index) => signer.address('EVM', index))).not.toContain(signer.hotAddress('ERC20'));
    expect(signer.hotAddress('ERC20')).toBe(signer.hotAddress('BEP20'));
  });

  it('answers the same bytes for the same id and attempt, also after it was killed before or after they were kept (fault 1)', async () => {
    const first = bytes(await open().sign(intentOf()));
    const whole = readFileSync(path());
    // Killed after: the line is there. Killed within: it is cut off, and was never answered.
    expect(bytes(await open().sign(intentOf()))).toEqual(first);
    for (const kept of [0, 1, whole.length - 1]) {
      writeFileSync(path(), whole.subarray(0, kept));
      expect(bytes(await open().sign(intentOf()))).toEqual(first);
      expect(readFileSync(path(), 'utf8').trim().split('\n')).toHaveLength(1);
    }
    // What it once signed it answers whatever the policy is by now, and it was only ever asked for once.
    policy = { networks: {} };
    expect(bytes(await open().sign(intentOf()))).toEqual(first);
  });

  it('does not start without a record, which only init and restore make', () => {
    expect(() => new SignedFile(path(), 'refuse')).toThrow(/is missing.*Restore it from a backup/);
    expect(existsSync(path())).toBe(false);
    expect(new SignedFile(path(), 'make').attempts('book:1')).toEqual([]);
    expect(new SignedFile(path(), 'refuse').attempts('book:1')).toEqual([]);
  });

  it('does not start on a record of which a line was changed, left out or put elsewhere', async () => {
    const signer = open();
    for (const nonce of [0, 1, 2])
      bytes(await signer.sign(intentOf({ id: `book:${nonce}`, terms: { ...evm, nonce } })));
    const [one = '', two = '', three = ''] = readFileSync(path(), 'utf8').split('\n');
    const changed = two.replace('"units":"60"', '"units":"61"');
    const unchained = three.replace(/,"chain":"[0-9a-f]+"/, '');
    expect([changed, unchained]).not.toEqual([two, three]);
    for (const lines of [
      [one, changed, three],
      [one, three],
      [two, three],
      [one, three, two],
      [one, two, unchained],
    ]) {
      writeFileSync(path(), `${lines.join('\n')}\n`);
      expect(open).toThrow(/does not follow those before it/);
    }
    writeFileSync(path(), `${[one, two, three].join('\n')}\n`);
    expect(code(await open().sign(intentOf({ id: 'book:1' })))).toBe('signed');
  });

  it('goes on from a record of before there were hashes, and holds it by the first one', async () => {
    bytes(await open().sign(intentOf()));
    const old = readFileSync(path(), 'utf8').replace(/,"chain":"[0-9a-f]+"/, '');
    writeFileSync(path(), old);
    bytes(await open().sign(intentOf({ id: 'book:2', terms: { ...evm, nonce: 1 } })));
    const whole = readFileSync(path(), 'utf8');
    expect(code(await open().sign(intentOf({ id: 'book:2', terms: { ...evm, nonce: 1 } })))).toBe('signed');
    writeFileSync(path(), whole.replace('"units":"60"', '"units":"61"'));
    expect(open).toThrow(/does not follow those before it/);
  });

  it('signs nothing new while its record lacks what the server knows to be signed', async () => {
    const signer = open();
    const first = bytes(await signer.sign(intentOf(), null));
    const second = intentOf({ id: 'book:2', terms: { ...evm, nonce: 1 } });
    const whole = readFileSync(path());
    bytes(await signer.sign(second, 'book:1'));
    // The backup of before the second: the same name with another amount would be signed again.
    writeFileSync(path(), whole);
    const setBack = open();
    const other = intentOf({ ...second, payment: { ...second.payment, units: 99n } });
    for (const asked of [second, other, intentOf({ id: 'book:3', terms: { ...evm, nonce: 2 } })])
      expect(code(await setBack.sign(asked, 'book:2'))).toBe('RECORD_BEHIND');
    expect(bytes(await setBack.sign(intentOf(), 'book:2'))).toEqual(first);
    expect(code(await setBack.sign(second, 'book:1'))).toBe('signed');
  });

  it('bounds what the transactions of a day may cost, sweeps among them, and a replacement by what it adds', async () => {
    const cost = evm.gas * evm.maxFeePerGas;
    const allowed = policy.networks.ERC20;
    if (allowed !== undefined) allowed.most_fees_per_day = (cost * 7n) / 2n;
    const signer = open();
    const wei = (nonce: number) => intentOf({ id: `book:${nonce}`, terms: { ...evm, nonce } }, { units: 1n });
    const dearer = { ...evm, maxFeePerGas: (evm.maxFeePerGas * 5n) / 4n, maxPriorityFeePerGas: 16n };
    for (const nonce of [0, 1]) bytes(await signer.sign(wei(nonce)));
    bytes(await signer.sign({ ...wei(1), attempt: 2, terms: { ...dearer, nonce: 1 } }));
    const hot = signer.hotAddress('ERC20').toLowerCase();
    const sweep = intentOf({ id: 'book:sweep:1', source: 4 }, { address: hot, units: 1n });
    bytes(await signer.sign(sweep));
    expect(code(await signer.sign(wei(2)))).toBe('FEES_OF_DAY');
    expect(code(await signer.sign({ ...sweep, id: 'book:sweep:2', source: 5 }))).toBe('FEES_OF_DAY');
    expect(code(await open().sign(wei(2)))).toBe('FEES_OF_DAY');
    clock.at += 86_400_000;
    expect(code(await open().sign(wei(2)))).toBe('signed');
  });

  it('does not start on a record that it cannot read', () => {
    writeFileSync(path(), '{"id":\n{}\n');
    expect(open).toThrow(/Line 1 .* restore it from a backup/);
  });

  it('refuses another payment under a used id, and another payment under a used nonce (fault 4)', async () => {
    const signer = open();
    bytes(await signer.sign(intentOf()));
    for (const change of [{ units: 61n }, { address: `${STRANGER.slice(0, -1)}b` }, { contract: TOKEN }])
      expect(code(await signer.sign(intentOf({}, change)))).toBe('CHANGED');
    expect(code(await signer.sign(intentOf({ attempt: 2 }, { units: 61n })))).toBe('CHANGED');
    expect(code(await signer.sign(intentOf({ id: 'book:2' })))).toBe('CLAIMED');
    expect(code(await open().sign(intentOf({ id: 'book:2' })))).toBe('CLAIMED');
  });

  it('signs a replacement only with each fee raised by an eighth, below the cap, and nothing else changed', async () => {
    const signer = open();
    bytes(await signer.sign(intentOf()));
    const raised = { ...evm, maxFeePerGas: 3_375_000_000n, maxPriorityFeePerGas: 9n };
    for (const change of [
      { maxFeePerGas: 3_374_999_999n },
      { maxPriorityFeePerGas: 8n },
      { nonce: 1 },
      { gas: 70_000n },
      { chainId: 5 },
    ])
      expect(code(await signer.sign(intentOf({ attempt: 2, terms: { ...raised, ...change } })))).toBe(
        'NOT_A_REPLACEMENT',
      );
    expect(code(await signer.sign(intentOf({ attempt: 3, terms: raised })))).toBe('NOT_A_REPLACEMENT');
    const dear = { ...raised, maxFeePerGas: 10n ** 12n };
    expect(code(await signer.sign(intentOf({ attempt: 2, terms: dear })))).toBe('FEE');
    const second = bytes(await signer.sign(intentOf({ attempt: 2, terms: raised })));
    expect(parseTransaction(second.raw as `0x02${string}`)).toMatchObject({
      to: STRANGER,
      value: 60n,
      maxFeePerGas: 3_375_000_000n,
    });
    // Asked again with other fees, it answers what it has signed.
    expect(bytes(await signer.sign(intentOf({ attempt: 2, terms: dear })))).toEqual(second);
  });

  it('refuses what its policy does not have: network, chain, format, coin, amount, fee', async () => {
    const signer = open();
    const refused = async (intent: Intent) => code(await signer.sign(intent));
    expect(await refused(intentOf({}, { network: 'BEP20' }))).toBe('NOT_ALLOWED');
    expect(await refused(intentOf({ terms: { ...evm, chainId: 56 } }))).toBe('NOT_ALLOWED');
    expect(await refused(intentOf({ terms: { format: 'development', nonce: 0, fee: 1n } }))).toBe('NOT_ALLOWED');
    expect(await refused(intentOf({}, { contract: STRANGER }))).toBe('NOT_ALLOWED');
    expect(await refused(intentOf({}, { units: 101n }))).toBe('NOT_ALLOWED');
    expect(await refused(intentOf({}, { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }))).toBe('NOT_ALLOWED');
    // From which no key spends.
    expect(await refused(intentOf({}, { address: `0x${'0'.repeat(36)}dead` }))).toBe('NOT_ALLOWED');
    expect(await refused(intentOf({ terms: { ...evm, maxFeePerGas: 10n ** 12n } }))).toBe('FEE');
    expect(readFileSync(path(), 'utf8')).toBe('');
  });

  it('adds up what it signs of a coin in a day, replacements once, also over a restart and twenty at once', async () => {
    const signer = open();
    const asked = Array.from({ length: 20 }, (_, nonce) => intentOf({ id: `book:${nonce}`, terms: { ...evm, nonce } }));
    const answers = await Promise.all(asked.map((intent) => signer.sign(intent)));
    expect(answers.map(code).filter((one) => one === 'signed')).toHaveLength(4);
    const raised = { ...evm, maxFeePerGas: 2n * evm.maxFeePerGas, maxPriorityFeePerGas: 16n };
    expect(code(await signer.sign(intentOf({ id: 'book:0', attempt: 2, terms: raised })))).toBe('signed');
    const next = intentOf({ id: 'book:next', terms: { ...evm, nonce: 30 } });
    expect(code(await open().sign(next))).toBe('DAY');
    clock.at += 86_400_000;
    expect(code(await open().sign(next))).toBe('signed');
  });

  it('signs for chains of development what their owner alone can have signed', async () => {
    const address = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
    const terms = { format: 'development' as const, nonce: 3, fee: 9n };
    const signer = open();
    const { raw, transaction } = bytes(await signer.sign(intentOf({ terms }, { network: 'TRC20', address })));
    const read = readDevelopment(raw);
    expect(read).toMatchObject({ id: transaction, from: signer.hotAddress('TRC20'), nonce: 3, fee: 9n });
    for (const changed of [raw.replace('"60"', '"61"'), raw.replace(':3,', ':4,'), `${raw} `, raw.slice(1)])
      expect(readDevelopment(changed)).toBeUndefined();
  });

  it('pays from the address of a client to its own hot wallet alone, whatever coin the policy has and however much', async () => {
    const signer = open();
    const hot = signer.hotAddress('ERC20').toLowerCase();
    const sweep = (change: Partial<Intent> = {}, payment: Partial<Intent['payment']> = {}) =>
      intentOf({ id: 'book:sweep', source: 7, ...change }, { address: hot, ...payment });
    const own = bytes(await signer.sign(sweep({}, { units: 10n ** 20n })));
    const read = parseTransaction(own.raw as `0x02${string}`);
    expect([read.to, read.value]).toEqual([hot, 10n ** 20n]);
    const from = await recoverTransactionAddress({ serializedTransaction: own.raw as `0x02${string}` });
    expect(from).toBe(signer.address('EVM', 7));
    // No amount of the day is used up: all of it is there for what leaves.
    for (const nonce of [0, 1]) bytes(await signer.sign(intentOf({ id: `book:${nonce}`, terms: { ...evm, nonce } })));
    const token = sweep({ id: 'book:token', terms: { ...evm, nonce: 1 } }, { contract: TOKEN, units: 10n ** 15n });
    expect(parseTransaction(bytes(await signer.sign(token)).raw as `0x02${string}`)).toMatchObject({ to: TOKEN });
    const next = { ...evm, nonce: 2 };
    for (const [change, payment] of [
      [{}, { address: STRANGER }],
      [{}, { address: signer.address('EVM', 8).toLowerCase() }],
      [{}, { contract: STRANGER }],
      [{ terms: { ...next, chainId: 56 } }, {}],
    ] as const)
      expect(code(await signer.sign(sweep({ id: 'book:next', terms: next, ...change }, payment)))).toBe('NOT_ALLOWED');
    const dear = { ...next, maxFeePerGas: 10n ** 12n };
    expect(code(await signer.sign(sweep({ id: 'book:next', terms: dear })))).toBe('FEE');
  });

  it('keeps the nonces of each address apart, and never signs one name from two addresses', async () => {
    const hot = open().hotAddress('ERC20').toLowerCase();
    const from = (id: string, source: number | null) => intentOf({ id, source }, { address: hot, units: 5n });
    const first = bytes(await open().sign(from('book:1', 7)));
    expect(bytes(await open().sign(from('book:1', 7)))).toEqual(first);
    for (const source of [8, null]) expect(code(await open().sign(from('book:1', source)))).toBe('CHANGED');
    expect(code(await open().sign(from('book:2', 7)))).toBe('CLAIMED');
    expect(code(await open().sign(from('book:2', 8)))).toBe('signed');
    expect(code(await open().sign(from('book:3', null)))).toBe('signed');
    const raised = { ...evm, maxFeePerGas: 2n * evm.maxFeePerGas, maxPriorityFeePerGas: 16n };
    const replaced = bytes(await open().sign({ ...from('book:1', 7), attempt: 2, terms: raised }));
    expect(parseTransaction(replaced.raw as `0x02${string}`)).toMatchObject({ to: hot, value: 5n });
  });

  it('reads what was written before payments had a source as of the hot wallet', async () => {
    const first = bytes(await open().sign(intentOf()));
    const { source, leaves, chain, ...before } = JSON.parse(readFileSync(path(), 'utf8')) as Record<string, unknown>;
    expect([source, leaves, chain]).toEqual([null, true, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    writeFileSync(path(), `${JSON.stringify(before)}\n`);
    expect(bytes(await open().sign(intentOf()))).toEqual(first);
    expect(code(await open().sign(intentOf({ id: 'book:2' })))).toBe('CLAIMED');
    const nonces = [1, 2, 3, 4].map((nonce) => intentOf({ id: `book:${nonce + 1}`, terms: { ...evm, nonce } }));
    const signer = open();
    const answers = await Promise.all(nonces.map((intent) => signer.sign(intent)));
    expect(answers.map(code)).toContain('signed');
    expect(code(await open().sign(intentOf({ id: 'book:9', terms: { ...evm, nonce: 9 } })))).toBe('DAY');
  });

  it('pays to the cold wallet of its policy beyond all amounts, and to nothing else', async () => {
    const cold = `${STRANGER.slice(0, -2)}cc`;
    const to = (id: string, nonce: number, address = cold, units = 10n ** 21n) =>
      intentOf({ id, terms: { ...evm, nonce } }, { address, units });
    expect(await open().coldAddress('ERC20')).toBeNull();
    expect(code(await open().sign(to('book:1', 0)))).toBe('NOT_ALLOWED');
    policy.networks.ERC20 = {
      ...(policy.networks.ERC20 as NonNullable<typeof policy.networks.ERC20>),
      cold_address: cold,
    };
    expect(await open().coldAddress('ERC20')).toBe(cold);
    expect(code(await open().sign(to('book:1', 0)))).toBe('signed');
    expect(code(await open().sign(to('book:2', 1, STRANGER)))).toBe('NOT_ALLOWED');
    // It has used up nothing of the day's amount, and does not once the policy has another cold wallet.
    policy.networks.ERC20.cold_address = `${STRANGER.slice(0, -2)}cd`;
    expect(code(await open().sign(to('book:2', 1, STRANGER, 100n)))).toBe('signed');
    expect(code(await open().sign(to('book:3', 2)))).toBe('NOT_ALLOWED');
  });

  it('of a cold machine pays to the hot wallet that its policy names alone', async () => {
    const hot = `${STRANGER.slice(0, -2)}bb`;
    policy.networks.ERC20 = { ...(policy.networks.ERC20 as NonNullable<typeof policy.networks.ERC20>), only_to: hot };
    expect(code(await open().sign(intentOf()))).toBe('NOT_ALLOWED');
    expect(code(await open().sign(intentOf({}, { address: hot })))).toBe('signed');
  });

  it('signs nothing more once its record could not be written', async () => {
    const signed = new SignedFile(path(), 'make');
    const signer = new Signer({ seed: SEED, signed, policy: () => policy, clock });
    bytes(await signer.sign(intentOf()));
    rmSync(folder, { recursive: true });
    const next = intentOf({ id: 'book:2', terms: { ...evm, nonce: 1 } });
    await expect(signer.sign(next)).rejects.toThrow();
    await expect(signer.sign(next)).rejects.toThrow(/start the signer again/);
  });
});

describe('the seed of the signer', () => {
  it('is encrypted by its passphrase alone, and never written over', () => {
    const file = join(folder, 'seed.json');
    writeSeed(file, SEED, 'a long passphrase');
    expect(readSeed(file, 'a long passphrase')).toEqual(SEED);
    expect(() => readSeed(file, 'another passphrase')).toThrow(/another passphrase/);
    expect(readFileSync(file, 'utf8')).not.toContain(SEED.toString('hex'));
    expect(() => writeSeed(file, SEED, 'a long passphrase')).toThrow(/EEXIST/);
    appendFileSync(file, ' ');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"tag":"../, '"tag":"00'));
    expect(() => readSeed(file, 'a long passphrase')).toThrow();
  });

  it('comes back from paper, and a wrong digit is noticed', () => {
    const paper = writtenDown(SEED);
    expect(fromWrittenDown(`${paper.toUpperCase()}\n`)).toEqual(SEED);
    for (const wrong of [paper.replace('01', '10'), paper.slice(0, -1), `${paper}0`, '', 'not a seed'])
      expect(() => fromWrittenDown(wrong)).toThrow(/compare every digit/);
  });
});
