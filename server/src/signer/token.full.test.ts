/** Hot wallets whose keys are in a PKCS #11 token: what is signed in it, and what is refused. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transaction } from '@scure/btc-signer';
import { utils } from 'tronweb';
import { parseTransaction, recoverTransactionAddress, type TransactionSerializedEIP1559 } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findTokenProgram, makeToken, type TokenOfTests, withoutToken } from '../../test/token-program.ts';
import { publicKeyOf } from '../funds/chains/addresses.ts';
import { keyHashAddress, scriptOf } from '../funds/chains/bitcoin-addresses.ts';
import { readTransaction } from '../funds/chains/bitcoin-block.ts';
import { initialize, initializeToken, openKept, readPolicy } from './folder.ts';
import type { Intent } from './intent.ts';
import { SignedFile } from './signed-file.ts';
import { Signer } from './signer.ts';
import { TokenFailure } from './token.ts';
import { openTokenKeys } from './token-keys.ts';

const isMissing = (await findTokenProgram()) === undefined;
const LOWEST = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const STRANGER = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const MINUTE = 60_000;

let folder: string;
let token: TokenOfTests;
const path = (name: string) => join(folder, name);
const settings = (name = 'signer') => ({
  ...{ folder: path(name), passphraseFile: path('passphrase'), listen: path('socket'), bitcoin: 'mainnet' as const },
  token: token.settings,
});
const open = async (name = 'signer') => (await openKept(settings(name), Date)).signer;

function prepare(name: string): void {
  const own = { contract: null, most_per_payment: '10000000', most_per_day: '1000000000' };
  const network = { fee_cap: '10000000000000000', most_fees_per_day: '1000000000000000000000000', coins: [own] };
  const networks = {
    ERC20: { ...network, format: 'evm', chain_id: 1 },
    BTC: { ...network, format: 'bitcoin' },
    TRC20: { ...network, format: 'tron' },
  };
  initialize(settings(name));
  writeFileSync(path(`${name}/policy.json`), JSON.stringify({ networks }));
}

const evm = (number: number): Intent => ({
  ...{ id: `book:${number}`, attempt: 1, source: null },
  payment: { network: 'ERC20', contract: null, address: STRANGER, units: 5n },
  terms: { format: 'evm', chainId: 1, nonce: number, gas: 21_000n, maxFeePerGas: 3n, maxPriorityFeePerGas: 1n },
});

async function rawOf(signer: Signer, intent: Intent): Promise<string> {
  const answer = await signer.sign(intent);
  if (!answer.ok) throw new Error(answer.code);
  return answer.raw;
}
const recorded = () => readFileSync(path('signer/signed.jsonl'), 'utf8').split('\n').length - 1;

describe('keys in a token', () => {
  beforeEach(async ({ skip }) => {
    skip(isMissing, withoutToken());
    folder = mkdtempSync(join(tmpdir(), 'cambist-token-'));
    token = await makeToken(path('token'));
    writeFileSync(path('passphrase'), 'a long passphrase\n');
    prepare('signer');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are made in it once, for three families, and it never lets them out; the PIN is in no argument', async () => {
    await expect(open()).rejects.toThrow('token-keys');
    const shown = await initializeToken(settings(), false);
    const signer = await open();
    for (const network of ['ERC20', 'BTC', 'TRC20'] as const) expect(shown).toContain(signer.hotAddress(network));
    expect(signer.hotAddress('BTC')).toMatch(/^bc1q/);
    const listed = token.run('--list-objects', '--type', 'privkey');
    expect(listed.match(/Access: +sensitive, always sensitive, never extractable, local/g)).toHaveLength(3);
    await expect(initializeToken(settings(), false)).rejects.toThrow('names the keys of this signer already');
    await expect(initializeToken(settings(), true)).rejects.toThrow('names the keys of this signer already');
    expect(readFileSync(token.asked, 'utf8')).toContain('--pin=env:');
    expect(readFileSync(token.asked, 'utf8')).not.toContain(token.pin);
    // A kill before the names were written down, or their file lost.
    rmSync(path('signer/token-keys.json'));
    await expect(initializeToken(settings(), false)).rejects.toThrow('has a key of EVM already');
    expect(await initializeToken(settings(), true)).toBe(shown);
  });

  it('sign payments by each kind of chain, that other libraries find to be of the wallet', async () => {
    await initializeToken(settings(), false);
    const signer = await open();
    for (let number = 0; number < 12; number += 1) {
      const raw = (await rawOf(signer, evm(number))) as TransactionSerializedEIP1559;
      expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(signer.hotAddress('ERC20'));
      expect(parseTransaction(raw)).toMatchObject({ to: STRANGER, value: 5n, nonce: number });
      expect(BigInt(parseTransaction(raw).s ?? '0x0')).toBeLessThanOrEqual(LOWEST);
    }

    const terms = { format: 'tron', referenceBytes: '0a1f', referenceHash: '00112233445566ff', feeLimit: 0n } as const;
    const times = { timestamp: Date.now(), expiration: Date.now() + 10 * MINUTE };
    const payment = { network: 'TRC20', contract: null, address: TRON, units: 7n } as const;
    const paid = { id: 'book:100', attempt: 1, source: null, payment, terms: { ...terms, ...times } };
    const tron = await signer.sign(paid);
    if (!tron.ok) throw new Error(tron.code);
    const recovered = utils.crypto.ecRecover(tron.transaction, tron.raw.slice(-130));
    expect(recovered.toLowerCase()).toBe(utils.address.toHex(signer.hotAddress('TRC20')).toLowerCase());
  });

  /** Whose key has signed each input, each of which spends as much, by another library. */
  function payersOf(raw: string, units: bigint): string[] {
    const read = Transaction.fromRaw(Buffer.from(raw, 'hex'), { allowUnknownOutputs: true });
    expect(read.id).toBe(readTransaction(raw).id);
    return Array.from({ length: read.inputsLength }, (_, at) => {
      const [signature, key] = (read.getInput(at).finalScriptWitness ?? []).map((part) => Buffer.from(part));
      const { identifier } = publicKeyOf(key ?? Buffer.of());
      const code = Buffer.concat([Buffer.of(0x76, 0xa9, 20), identifier ?? Buffer.of(), Buffer.of(0x88, 0xac)]);
      const digest = read.preimageWitnessV0(at, code, 1, units);
      const half = (signature?.[3] ?? 0) + 4;
      const parts = [signature?.subarray(4, half), signature?.subarray(half + 2, -1)];
      const numbers = parts.map((part) => Buffer.concat([Buffer.alloc(33), part ?? Buffer.of()]).subarray(-32));
      expect(publicKeyOf(key ?? Buffer.of()).verify(digest, Buffer.concat(numbers))).toBe(true);
      return keyHashAddress(identifier ?? Buffer.of(), 'mainnet');
    });
  }

  it('sign each input of a payment by Bitcoin, and receive what a client’s own key sweeps', async () => {
    await initializeToken(settings(), false);
    const signer = await open();
    const hot = signer.hotAddress('BTC');
    const input = (digit: string, index: number | null) => ({
      ...{ transaction: digit.repeat(64), output: 1, units: 1_000_000n, index },
    });
    const paid = await rawOf(signer, {
      ...{ id: 'book:1', attempt: 1, source: null },
      payment: { network: 'BTC', contract: null, address: '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH', units: 1_500_000n },
      terms: {
        format: 'bitcoin',
        inputs: [input('a', null), input('b', null)],
        ...{ others: [], change: 499_000n, fee: 1_000n },
      },
    });
    expect(payersOf(paid, 1_000_000n)).toEqual([hot, hot]);
    const swept = await rawOf(signer, {
      ...{ id: 'book:sweep:1', attempt: 1, source: 4 },
      payment: { network: 'BTC', contract: null, address: hot, units: 1_000_000n },
      terms: { format: 'bitcoin', inputs: [input('c', 4)], others: [], change: 0n, fee: 1_000n },
    });
    expect(payersOf(swept, 1_000_000n)).toEqual([signer.address('BTC', 4)]);
    expect(readTransaction(swept).outputs).toEqual([{ script: scriptOf(hot, 'mainnet'), units: 999_000n }]);
  });

  it('refuse while the token is gone or hangs, with nothing recorded, and go on when it is back', async () => {
    await initializeToken(settings(), false);
    const signer = await open();
    await signer.sign(evm(1));
    token.takeAway();
    await expect(signer.sign(evm(2))).rejects.toThrow('There is no token cambist');
    await expect(open()).rejects.toThrow('There is no token cambist');
    expect(recorded()).toBe(1);
    // What it has signed before is answered without it.
    const known = await rawOf(signer, evm(1));
    token.bringBack();
    const raw = await rawOf(signer, evm(2));
    token.hang();
    await expect(signer.sign(evm(3))).rejects.toThrow('has not answered');
    expect(await rawOf(signer, evm(1))).toBe(known);
    expect(await rawOf(signer, evm(2))).toBe(raw);
    expect(recorded()).toBe(2);
  });

  it('tell the token a wrong PIN once, and ask again when its file was written anew', async () => {
    await initializeToken(settings(), false);
    const signer = await open();
    token.writePin('a wrong one');
    const calls = () => readFileSync(token.asked, 'utf8').split('\n').length;
    const asked = calls();
    const both = await Promise.allSettled([signer.sign(evm(1)), signer.sign(evm(2))]);
    for (const one of both) expect(one).toMatchObject({ status: 'rejected', reason: expect.any(TokenFailure) });
    expect(both.map((one) => (one.status === 'rejected' ? String(one.reason) : ''))).toEqual([
      expect.stringContaining('has refused the PIN'),
      expect.stringContaining('has refused the PIN'),
    ]);
    expect(String(both.map((one) => (one.status === 'rejected' ? one.reason : '')))).not.toContain('a wrong one');
    // Also whatever starts it again.
    await expect(open()).rejects.toThrow('has refused the PIN');
    expect(calls()).toBe(asked + 1);
    token.writePin();
    expect(await rawOf(await open(), evm(1))).toMatch(/^0x02/);
  });

  it('answer what was recorded, and sign anew what was signed and not recorded', async () => {
    await initializeToken(settings(), false);
    const hot = await openTokenKeys(settings());
    if (hot === undefined) throw new Error('No keys');
    let dies = true;
    const seen: string[] = [];
    const signer = () =>
      new Signer({
        ...{ seed: Buffer.alloc(32, 1), policy: () => readPolicy(path('signer/policy.json')), clock: Date },
        signed: new SignedFile(path('signer/signed.jsonl'), 'make'),
        hot: (family) => ({
          publicKey: hot(family).publicKey,
          sign: async (digest) => {
            const signature = await hot(family).sign(digest);
            seen.push(signature.compact.toString('hex'));
            if (dies) throw new Error('killed');
            return signature;
          },
        }),
      });
    await expect(signer().sign(evm(1))).rejects.toThrow('killed');
    expect(recorded()).toBe(0);
    dies = false;
    const raw = await rawOf(signer(), evm(1));
    expect(new Set(seen).size).toBe(2);
    expect(await rawOf(signer(), evm(1))).toBe(raw);
    expect(await rawOf(await open(), evm(1))).toBe(raw);
    expect(seen).toHaveLength(2);
  });

  it('are refused where they are others than those of the signer, or where the token is no longer named', async () => {
    await initializeToken(settings(), false);
    const own = (await open()).hotAddress('ERC20');
    const other = { ...settings('second'), token: { ...token.settings, token: 'second' } };
    token.add('second');
    prepare('second');
    await initializeToken(other, false);
    const theirs = (await openKept(other, Date)).signer.hotAddress('ERC20');
    expect(theirs).not.toBe(own);
    copyFileSync(path('second/token-keys.json'), path('signer/token-keys.json'));
    await expect(open()).rejects.toThrow(`has the key of ${own} where this signer's wallet is ${theirs}`);
    const { token: _, ...unnamed } = settings();
    await expect(openKept(unnamed, Date)).rejects.toThrow('set SIGNER_PKCS11_MODULE');
    token.run('--delete-object', '--type', 'privkey', '--id', Buffer.from('cambist-EVM').toString('hex'));
    rmSync(path('signer/token-keys.json'));
    await expect(initializeToken(settings(), true)).rejects.toThrow('does not say of the key');
    expect(existsSync(path('signer/token-keys.json'))).toBe(false);
  });

  it('do not take the place of wallets that have paid already', async () => {
    const { token: _, ...bySeed } = settings();
    const { signer } = await openKept(bySeed, Date);
    await signer.sign(evm(1));
    await expect(initializeToken(settings(), false)).rejects.toThrow('has signed already');
  });
});
