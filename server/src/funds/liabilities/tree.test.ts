import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIABILITIES_VERSION, type OwnLiabilities } from '@cambist/contract/liabilities.ts';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { IdentityWriter, readIdentity } from './identities.ts';
import {
  type Balance,
  buildTree,
  commitmentOf,
  HASH_BYTES,
  identityHash,
  identityOf,
  identitySalt,
  NODE_BYTES,
} from './tree.ts';
import { leafLines, nodesFile, OWNER_BYTES, ownersFile, readProof } from './tree-files.ts';

/** What the page runs, and whoever distrusts it. */
const { verify } = (await import(new URL('../../../../web/public/verify-liabilities.mjs', import.meta.url).href)) as {
  verify(told: OwnLiabilities, own: { uid: string; email: string }): Promise<{ coin: string; sum: string }[]>;
};

const folder = mkdtempSync(join(tmpdir(), 'liabilities-'));
afterAll(() => rmSync(folder, { recursive: true }));

const COIN = { batch: 7, coin: 'BTC', scale: 8 };
const ASSET = 2;

const ownOf = (owner: number) => identityOf(String(10_000_000_000 + owner), `Client-${owner}@example.test`);

/** A tree on the disk, and what each client would be told. */
function publish(balances: readonly Balance[], secret = randomBytes(HASH_BYTES)) {
  const levels = buildTree(COIN, secret, ASSET, balances, (owner) =>
    identityHash(identitySalt(secret, owner), ownOf(owner)),
  );
  writeFileSync(nodesFile(folder, ASSET), Buffer.concat(levels));
  const owners = Buffer.alloc(balances.length * OWNER_BYTES);
  for (const [index, { owner, amount }] of balances.entries()) {
    owners.writeDoubleBE(owner, index * OWNER_BYTES);
    owners.writeBigInt64BE(amount, index * OWNER_BYTES + 8);
  }
  writeFileSync(ownersFile(folder, ASSET), owners);
  const root = levels.at(-1)!;
  const leaves = levels[0]!.length / NODE_BYTES;
  const sum = root.readBigUInt64BE(HASH_BYTES);
  const asset = { coin: COIN.coin, scale: COIN.scale, root: root.toString('hex', 0, HASH_BYTES), leaves };
  const commitment = commitmentOf(COIN.batch, [{ ...asset, sum }]);
  const assets = [{ ...asset, sum: String(sum), total: '' }];
  const run = {
    ...{ batch: COIN.batch, version: LIABILITIES_VERSION, made_at: 0, state_hash: '', is_open: true },
    ...{ commitment, assets, reserves: null },
  };
  async function told(owner: number): Promise<OwnLiabilities> {
    const identity = ownOf(owner);
    const proof = await readProof({ folder, asset: ASSET, leaves }, COIN, secret, { owner, identity });
    return {
      run,
      identity: { ...identity, salt: identitySalt(secret, owner).toString('hex') },
      proofs: proof ? [{ coin: COIN.coin, balance: '', parts: proof.parts }] : [],
    };
  }
  return { run, told, levels, leaves, sum };
}

const clients = fc.uniqueArray(
  fc.record({
    owner: fc.integer({ min: 102, max: 2 ** 30 - 1 }),
    amount: fc.oneof(fc.bigInt({ min: 1n, max: 50n }), fc.bigInt({ min: 1n, max: 10n ** 15n })),
  }),
  { selector: ({ owner }) => owner, minLength: 1, maxLength: 60 },
);
const sorted = (balances: readonly Balance[]) => [...balances].sort((one, other) => one.owner - other.owner);

describe('a tree of what is owed', () => {
  it('has every client’s whole balance, and nothing else, whoever checks', async () => {
    await fc.assert(
      fc.asyncProperty(clients, async (balances) => {
        const { told, sum } = publish(sorted(balances));
        expect(sum).toBe(balances.reduce((total, { amount }) => total + amount, 0n));
        for (const { owner, amount } of balances)
          expect(await verify(await told(owner), ownOf(owner))).toEqual([
            { coin: 'BTC', scale: 8, sum: String(amount) },
          ]);
        expect((await told(101)).proofs).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  it('has leaves that add up to root and total, as everybody can compute from the file', async () => {
    const { run, leaves } = publish([{ owner: 200, amount: 12_345n }]);
    let text = '';
    for await (const part of leafLines({ folder, asset: ASSET, leaves })) text += part;
    const lines = text.trim().split('\n');
    expect(lines).toHaveLength(leaves);
    expect(lines.reduce((total, line) => total + BigInt(line.split(' ')[1] ?? ''), 0n)).toBe(12_345n);
    expect(run.assets[0]?.sum).toBe('12345');
  });

  it('says nothing of how much others have to who is beside them: one balance is several leaves in no order', async () => {
    const balances = Array.from({ length: 300 }, (_, index) => ({ owner: 1_000 + index, amount: 1_000_000n }));
    const { told, levels } = publish(balances);
    const parts = await Promise.all(
      balances.slice(0, 50).map(async ({ owner }) => (await told(owner)).proofs[0]!.parts),
    );
    expect(new Set(parts.map(({ length }) => length))).toEqual(new Set([1, 2, 3]));
    const places = parts.flatMap((own) => own.map(({ index }) => index));
    expect(places).not.toEqual([...places].sort((one, other) => one - other));
    // The same clients at the same batch again, under another secret, are other leaves.
    expect(publish(balances).levels[0]?.equals(levels[0]!)).toBe(false);
  });

  it('is refused wherever one digit of what was told is another', async () => {
    const { told } = publish(
      sorted(Array.from({ length: 40 }, (_, at) => ({ owner: 500 + at, amount: BigInt(at + 3) }))),
    );
    const good = await told(511);
    await verify(good, ownOf(511));
    const spoil = (change: (told: OwnLiabilities) => void) => {
      const copy = structuredClone(good);
      change(copy);
      return copy;
    };
    const part = (copy: OwnLiabilities) => copy.proofs[0]!.parts[0]! as unknown as Record<string, unknown>;
    const beside = (copy: OwnLiabilities) => copy.proofs[0]!.parts[0]!.path[1]!;
    const other = (text: string) => (text.startsWith('a') ? 'b' : 'a') + text.slice(1);
    const asset = (copy: OwnLiabilities) => copy.run.assets[0]! as unknown as Record<string, unknown>;
    const spoilt: Record<string, (copy: OwnLiabilities) => void> = {
      uid: (copy) => Object.assign(copy.identity, { uid: ownOf(512).uid }),
      email: (copy) => Object.assign(copy.identity, { email: ownOf(512).email }),
      'the salt of the identity': (copy) => Object.assign(copy.identity, { salt: other(copy.identity.salt) }),
      sum: (copy) => Object.assign(part(copy), { sum: String(BigInt(String(part(copy).sum)) + 1n) }),
      'a negative sum': (copy) => Object.assign(beside(copy), { sum: '-1' }),
      salt: (copy) => Object.assign(part(copy), { salt: other(String(part(copy).salt)) }),
      index: (copy) => Object.assign(part(copy), { index: (Number(part(copy).index) + 1) % 8 }),
      'the sum beside': (copy) => Object.assign(beside(copy), { sum: String(BigInt(beside(copy).sum) + 1n) }),
      'the hash beside': (copy) => Object.assign(beside(copy), { hash: other(beside(copy).hash) }),
      'a part twice': (copy) => copy.proofs[0]!.parts.push(copy.proofs[0]!.parts[0]!),
      'a coin twice': (copy) => copy.proofs.push(copy.proofs[0]!),
      'the total': (copy) => Object.assign(asset(copy), { sum: '1' }),
      'the root': (copy) => Object.assign(asset(copy), { root: other(String(asset(copy).root)) }),
      'the version': (copy) => Object.assign(copy.run, { version: 1 }),
      'the batch': (copy) => Object.assign(copy.run, { batch: 8 }),
      'a coin that is not there': (copy) => Object.assign(copy.proofs[0]!, { coin: 'ETH' }),
    };
    for (const [name, change] of Object.entries(spoilt))
      await expect(verify(spoil(change), ownOf(511)), name).rejects.toThrow();
  });

  it('cannot prove 100 of 160 owed to two clients who both check, as a tree that hashes only the sum can', async () => {
    const sha = (text: string) => createHash('sha256').update(text).digest('hex');
    const naive = (one: string, other: string, sum: number) => sha(`${one}|${other}|${sum}`);
    // The exchange owes 60 to Alice and 100 to Bob and says the larger of the two to be all: each sees a sum beside that fits.
    const [alice, bob] = [sha('alice|60'), sha('bob|100')];
    const root = naive(alice, bob, 100);
    const aliceChecks = naive(sha('alice|60'), bob, 60 + 40) === root;
    const bobChecks = naive(alice, sha('bob|100'), 100 + 0) === root;
    expect([aliceChecks, bobChecks]).toEqual([true, true]);

    // The same lie in our tree: what stands beside is told as less than it is.
    const { told } = publish([
      { owner: 300, amount: 60n },
      { owner: 301, amount: 100n },
    ]);
    const lie = structuredClone(await told(300));
    expect(lie.run.assets[0]?.sum).toBe('160');
    const parts = lie.proofs[0]!.parts;
    for (const { path } of parts) {
      const largest = path.reduce((most, node) => (BigInt(node.sum) > BigInt(most.sum) ? node : most));
      Object.assign(largest, {
        sum: String(BigInt(largest.sum) - (BigInt(largest.sum) > 60n ? 60n : BigInt(largest.sum))),
      });
    }
    Object.assign(lie.run.assets[0]!, { sum: '100' });
    Object.assign(lie.run, {
      commitment: commitmentOf(COIN.batch, [{ ...lie.run.assets[0]!, sum: 100n }]),
    });
    await expect(verify(lie, ownOf(300))).rejects.toThrow('does not lead to the root');
  });
});

describe('the identities of a run', () => {
  it('are found again for each account, and are readable under the secret of the run alone', async () => {
    const run = mkdtempSync(join(folder, 'run-'));
    const secret = randomBytes(HASH_BYTES);
    const writer = new IdentityWriter(run, secret);
    const owners = Array.from({ length: 2_100 }, (_, at) => 1_000 + at * 3);
    const accountOf = (owner: number) => ({
      owner,
      uid: String(owner),
      email: owner % 2 ? '' : `A\u200b-${owner}@Example.test`,
    });
    for (let at = 0; at < owners.length; at += 700) writer.add(owners.slice(at, at + 700).map(accountOf));
    writer.finish();
    for (const owner of [1_000, 1_003, 4_072, 7_297]) {
      const identity = { uid: String(owner), email: owner % 2 ? '' : `a-${owner}@example.test` };
      expect(await readIdentity(run, secret, owner)).toEqual(identity);
      expect(writer.hashOf(owner)).toEqual(identityHash(identitySalt(secret, owner), identity));
    }
    expect(await readIdentity(run, secret, 1_001)).toBeUndefined();
    await expect(readIdentity(run, randomBytes(HASH_BYTES), 1_000)).rejects.toThrow();
  });

  it('are of every owner, and come in order', () => {
    const writer = new IdentityWriter(mkdtempSync(join(folder, 'run-')), randomBytes(HASH_BYTES));
    writer.add([{ owner: 7, uid: '7', email: '' }]);
    expect(() => writer.hashOf(8)).toThrow('Owner 8 has no account');
    expect(() => writer.add([{ owner: 7, uid: '7', email: '' }])).toThrow('another order');
    writer.finish();
  });
});
