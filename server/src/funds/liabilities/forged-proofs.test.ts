/**
 * Forged proofs: an exchange owes 5, 3 and 7 to three clients and publishes a total of 7. At most what it has published may
 * be counted by all clients together, whatever each is shown; the page's code and the script must refuse the rest.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIABILITIES_VERSION, type OwnLiabilities } from '@cambist/contract/liabilities.ts';
import { afterAll, describe, expect, it } from 'vitest';
import {
  commitmentOf,
  domainOf,
  HASH_BYTES,
  type Identity,
  identityHash,
  leafHash,
  levelsOf,
  NODE_BYTES,
  type Part,
} from './tree.ts';

const SCRIPT = new URL('../../../../web/public/verify-liabilities.mjs', import.meta.url);
/** What the page runs. */
const { verify } = (await import(SCRIPT.href)) as {
  verify(told: OwnLiabilities, own: Identity): Promise<{ coin: string; sum: string }[]>;
};

const folder = mkdtempSync(join(tmpdir(), 'forged-'));
afterAll(() => rmSync(folder, { recursive: true }));

const COIN = { batch: 7, coin: 'USDT', scale: 0 };
const ann: Identity = { uid: '10000000001', email: 'ann@example.test' };
const ben: Identity = { uid: '10000000002', email: 'ben@example.test' };
const cleo: Identity = { uid: '10000000003', email: 'cleo@example.test' };
const owed = [
  [ann, 5n],
  [ben, 3n],
  [cleo, 7n],
] as const;

type Proof = OwnLiabilities['proofs'][number];
type ShownPart = Proof['parts'][number];

interface Leaf extends Part {
  /** The client whom the leaf is bound to. */
  readonly of: Identity;
}

const salts = new Map<Identity, Buffer>();
function saltOf(identity: Identity): Buffer {
  const salt = salts.get(identity) ?? randomBytes(HASH_BYTES);
  salts.set(identity, salt);
  return salt;
}

const leaf = (of: Identity, sum: bigint, part = 0): Leaf => ({ of, sum, part, salt: randomBytes(HASH_BYTES) });

/** A tree of these leaves, as an exchange makes it that has full control of it. Empty leaves fill it up. */
function forge(leaves: readonly Leaf[]) {
  const domain = domainOf(COIN);
  const width = 2 ** Math.ceil(Math.log2(leaves.length));
  const all = [...leaves, ...Array.from({ length: width - leaves.length }, () => leaf(cleo, 0n))];
  const nodes = Buffer.alloc(width * NODE_BYTES);
  for (const [at, one] of all.entries()) {
    leafHash(domain, identityHash(saltOf(one.of), one.of), one).copy(nodes, at * NODE_BYTES);
    nodes.writeBigUInt64BE(one.sum, at * NODE_BYTES + HASH_BYTES);
  }
  const levels = levelsOf(domain, nodes);
  const root = levels.at(-1)!;
  const sum = root.readBigUInt64BE(HASH_BYTES);
  const asset = { coin: COIN.coin, scale: COIN.scale, leaves: width, root: root.toString('hex', 0, HASH_BYTES) };
  const run = {
    ...{ batch: COIN.batch, version: LIABILITIES_VERSION, made_at: 0, state_hash: '', is_open: true, reserves: null },
    commitment: commitmentOf(COIN.batch, [{ ...asset, sum }]),
    assets: [{ ...asset, sum: String(sum), total: String(sum) }],
  };
  /** The leaf at an index, as any client can be shown it. */
  function shown(index: number): ShownPart {
    const { part, sum: amount, salt } = all[index]!;
    const path = levels.slice(0, -1).map((level, height) => {
      const at = (Math.floor(index / 2 ** height) ^ 1) * NODE_BYTES;
      const hash = level.toString('hex', at, at + HASH_BYTES);
      return { hash, sum: String(level.readBigUInt64BE(at + HASH_BYTES)) };
    });
    return { part, sum: String(amount), salt: salt.toString('hex'), index, path };
  }
  /** The proof that a client is shown. @param of the client to whom it binds the leaves */
  function told(of: Identity, parts: readonly ShownPart[], salt = saltOf(of)): OwnLiabilities {
    const proofs = [{ coin: COIN.coin, balance: '', parts: [...parts] }];
    return { run, identity: { ...of, salt: salt.toString('hex') }, proofs };
  }
  return { shown, told, run };
}

function byScript(told: OwnLiabilities, ...own: readonly string[]) {
  const file = join(folder, 'proof.json');
  writeFileSync(file, JSON.stringify(told));
  const ended = spawnSync(process.execPath, [SCRIPT.pathname, file, ...own], { encoding: 'utf8' });
  return { code: ended.status, said: ended.stdout, wrong: /Error: (.*)/.exec(ended.stderr)?.[1] };
}

const expectRefused = (told: OwnLiabilities, own: Identity, reason: RegExp) =>
  expect(verify(told, own)).rejects.toThrow(reason);

const renumbered = (parts: readonly ShownPart[]): ShownPart[] => parts.map((one, part) => ({ ...one, part }));

describe('clients who are owed 5, 3 and 7, against a published total of 7', () => {
  // 3 + 2 + 2: each client could be shown the leaves that add up to what is owed.
  const forged = forge([leaf(cleo, 3n, 0), leaf(cleo, 2n, 1), leaf(cleo, 2n, 2)]);
  const [three, two, last] = [0, 1, 2].map((index) => forged.shown(index)) as [ShownPart, ShownPart, ShownPart];
  const shown = new Map([
    [ann, [three, two]],
    [ben, [three]],
    [cleo, [three, two, last]],
  ]);

  it('convinces the one whose leaves they are', async () => {
    const told = forged.told(cleo, [three, two, last]);
    expect(await verify(told, cleo)).toEqual([{ coin: 'USDT', scale: 0, sum: '7' }]);
    expect(byScript(told, cleo.uid, ' CLEO@Example.test')).toMatchObject({
      code: 0,
      said: expect.stringMatching(
        /^Bound to the UID 10000000003 and the email cleo@example\.test\nUSDT 7 is counted\n/,
      ),
    });
  });

  it.each(owed.slice(0, 2))('refuses leaves that are shared with %o', async (own) => {
    const parts = shown.get(own)!;
    await expectRefused(forged.told(cleo, parts), own, /bound to the UID 10000000003, not to yours/);
    // The proof names the client, and the leaves are still another's: under either salt.
    await expectRefused(forged.told(own, parts), own, /does not lead to the root/);
    await expectRefused(forged.told(own, parts, saltOf(cleo)), own, /does not lead to the root/);
    await expectRefused(
      forged.told({ uid: own.uid, email: cleo.email }, parts),
      own,
      /bound to the email cleo@example\.test, not to yours/,
    );
    await expectRefused(forged.told({ uid: cleo.uid, email: own.email }, parts), own, /bound to the UID/);
    await expectRefused(forged.told({ uid: own.uid, email: '' }, parts), own, /bound to no email/);
  });

  it('refuses one leaf of 7 that everybody is shown', async () => {
    const whole = forge([leaf(cleo, 7n), leaf(cleo, 0n)]);
    for (const [own] of owed.slice(0, 2)) {
      await expectRefused(whole.told(cleo, [whole.shown(0)]), own, /bound to the UID/);
      await expectRefused(whole.told(own, [whole.shown(0)]), own, /does not lead to the root/);
    }
  });

  it('counts no more than 7 in all, where each client has leaves of the own', async () => {
    const mixed = forge([leaf(ann, 2n), leaf(ben, 3n), leaf(cleo, 2n)]);
    let counted = 0n;
    for (const [at, [own]] of owed.entries()) {
      const [{ sum } = { sum: '0' }] = await verify(mixed.told(own, [mixed.shown(at)]), own);
      counted += BigInt(sum);
      const others = [0, 1, 2].filter((index) => index !== at).map((index) => mixed.shown(index));
      await expectRefused(mixed.told(own, renumbered([mixed.shown(at), ...others])), own, /does not lead to the root/);
    }
    expect(counted).toBe(7n);
  });

  it('refuses a part twice, under its own number, under the next one, and at another index', async () => {
    const own = ann;
    const { told, shown: at } = forge([leaf(own, 3n, 0), leaf(own, 2n, 1), leaf(cleo, 2n, 0)]);
    const [first, second] = [at(0), at(1)];
    expect(await verify(told(own, [first, second]), own)).toMatchObject([{ sum: '5' }]);
    await expectRefused(told(own, [first, first]), own, /not numbered from 0 on/);
    await expectRefused(told(own, [first, { ...first, part: 1 }]), own, /has a part twice/);
    await expectRefused(told(own, [first, { ...first, part: 1, index: 2 }]), own, /does not lead to the root/);
    await expectRefused(told(own, [first, { ...first, part: 256 }]), own, /not numbered from 0 on/);
    await expectRefused(told(own, [second, first]), own, /not numbered from 0 on/);
    await expectRefused(told(own, [second]), own, /not numbered from 0 on/);
    await expectRefused(told(own, [first, { ...second, part: '1' as never }]), own, /not numbered from 0 on/);
  });

  it('refuses more than three parts, or none', async () => {
    const own = cleo;
    const { told, shown: at } = forge([1n, 2n, 2n, 2n].map((sum, part) => leaf(own, sum, part)));
    await expectRefused(told(own, [0, 1, 2, 3].map(at)), own, /has not one to three parts/);
    await expectRefused(told(own, []), own, /has not one to three parts/);
    const coinTwice = told(own, [at(0), at(1), at(2)]);
    await expectRefused({ ...coinTwice, proofs: [...coinTwice.proofs, ...coinTwice.proofs] }, own, /is there twice/);
  });

  it('refuses sums that are negative, overflow, or are written in another way', async () => {
    const own = cleo;
    const { told, shown: at } = forge([leaf(own, 7n), leaf(own, 0n, 1)]);
    const good = at(0);
    const [beside] = good.path;
    for (const sum of ['-2', String(2n ** 63n), String(2n ** 64n + 7n), '07', ' 7', '0x7', '7.0', '', '+7'])
      await expectRefused(told(own, [{ ...good, sum }]), own, /is not a sum/);
    for (const sum of ['-2', String(2n ** 63n), String(2n ** 64n)])
      await expectRefused(told(own, [{ ...good, path: [{ ...beside!, sum }] }]), own, /is not a sum/);
    // Both fit, and what they add up to does not.
    const most = String(2n ** 63n - 1n);
    await expectRefused(told(own, [{ ...good, sum: most, path: [{ ...beside!, sum: most }] }]), own, /is not a sum/);
    await expectRefused(told(own, [{ ...good, sum: 7 as never }]), own, /is not a sum/);
  });

  it('refuses a tree that was made with a negative balance among the others', async () => {
    const domain = domainOf(COIN);
    const nodes = Buffer.alloc(2 * NODE_BYTES);
    nodes.writeBigUInt64BE(7n, HASH_BYTES);
    nodes.writeBigInt64BE(-2n, NODE_BYTES + HASH_BYTES);
    expect(() => levelsOf(domain, nodes)).toThrow(RangeError);
  });

  it('refuses totals that one commitment could be read as in two ways', async () => {
    const [coin] = forged.run.assets;
    const good = forged.told(cleo, [three, two, last]);
    const withAssets = (assets: readonly object[]) => ({ ...good, run: { ...good.run, assets: assets as never } });
    await expectRefused(withAssets([{ ...coin, coin: `USDT 0 5 ${coin!.root}\nUSDT` }]), cleo, /A coin has no name/);
    await expectRefused(withAssets([{ ...coin, scale: `0 5 ${coin!.root}\nUSDT 0` }]), cleo, /has no scale/);
    await expectRefused(withAssets([{ ...coin, root: `${coin!.root}\nUSDT 0 5` }]), cleo, /not 32 bytes/);
    await expectRefused(withAssets([{ ...coin, sum: `7 ${coin!.root}\nUSDT 0 5` }]), cleo, /is not a sum/);
    await expectRefused(withAssets([coin!, { ...coin, sum: '5' }]), cleo, /two totals/);
  });

  it('refuses an identity whose fields could be another’s', async () => {
    const own = cleo;
    const parts = [three, two, last];
    const withIdentity = (changed: object) => {
      const good = forged.told(own, parts);
      return { ...good, identity: { ...good.identity, ...changed } };
    };
    await expectRefused(withIdentity({ uid: `${own.uid}\n${own.email}`, email: '' }), own, /has no UID/);
    await expectRefused(withIdentity({ uid: 10_000_000_003 }), own, /has no UID/);
    await expectRefused(withIdentity({ uid: '' }), own, /has no UID/);
    await expectRefused(withIdentity({ email: 'Cleo@example.test' }), own, /not in lower case/);
    await expectRefused(withIdentity({ email: 'сleo@example.test' }), own, /bound to the email/);
    await expectRefused(withIdentity({ salt: 'ab' }), own, /not 32 bytes/);
    await expectRefused({ ...forged.told(own, parts), identity: undefined as never }, own, /has no UID/);
    await expectRefused({ ...forged.told(own, parts), client: 1 } as never, ben, /bound to the UID/);
  });

  it('refuses a run of version 1, and one of version 1 that says it is newer', async () => {
    const good = forged.told(cleo, [three, two, last]);
    await expectRefused({ ...good, run: { ...good.run, version: 1 } }, cleo, /not bound to a client/);
    await expectRefused({ ...good, run: { ...good.run, version: undefined as never } }, cleo, /not bound to a client/);
  });

  it('binds an account without an email to its UID alone, and says so', async () => {
    const own: Identity = { uid: '10000000009', email: '' };
    const { told, shown: at } = forge([leaf(own, 7n), leaf(cleo, 0n)]);
    const good = told(own, [at(0)]);
    expect(await verify(good, own)).toMatchObject([{ sum: '7' }]);
    expect(byScript(good, own.uid, '-')).toMatchObject({
      code: 0,
      said: expect.stringContaining('Without an email nothing but the UID tells you from other clients'),
    });
    await expectRefused(good, { ...own, email: 'ann@example.test' }, /bound to no email, not to yours/);
  });

  it('refuses them in the script too, with the reason', () => {
    const all = [three, two, last];
    const good = forged.told(cleo, all);
    const negative = { ...three, path: [{ ...three.path[0]!, sum: '-2' }, three.path[1]!] };
    const refused: readonly (readonly [OwnLiabilities, Identity, string])[] = [
      [forged.told(cleo, [three, two]), ann, 'bound to the UID 10000000003, not to yours'],
      [forged.told({ uid: ben.uid, email: cleo.email }, [three]), ben, 'bound to the email cleo@example.test'],
      [forged.told(ann, [three, two]), ann, 'does not lead to the root'],
      [forged.told(cleo, [three, { ...three, part: 1 }]), cleo, 'has a part twice'],
      [forged.told(cleo, renumbered([...all, last])), cleo, 'has not one to three parts'],
      [forged.told(cleo, [negative, two, last]), cleo, '-2 is not a sum'],
      [{ ...good, run: { ...good.run, version: 1 } }, cleo, 'not bound to a client'],
    ];
    for (const [told, own, reason] of refused)
      expect(byScript(told, own.uid, own.email)).toMatchObject({
        ...{ code: 1, said: '', wrong: expect.stringContaining(reason) },
      });
  });

  it('is checked by the script for a UID and an email that are named, and by nothing less', () => {
    const good = forged.told(cleo, [three, two, last]);
    for (const own of [[], [cleo.uid], [cleo.uid, '']])
      expect(byScript(good, ...own)).toMatchObject({ code: 1, said: '', wrong: expect.stringContaining('Usage') });
    expect(byScript(good, cleo.uid, '-')).toMatchObject({ code: 1, said: '' });
  });
});
