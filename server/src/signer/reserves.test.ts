import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { LIABILITIES_VERSION, type ReserveStatement } from '@cambist/contract/liabilities.ts';
import { afterAll, describe, expect, it } from 'vitest';
import type { BitcoinNetwork } from '../funds/chains/bitcoin-addresses.ts';
import { commitmentOf } from '../funds/liabilities/tree.ts';
import { request } from './messages.ts';
import { type Holding, type Reserves, reserves, reservesText } from './reserves.ts';
import { SignedFile } from './signed-file.ts';
import { Signer } from './signer.ts';

interface Verified {
  readonly coins: readonly { coin: string; scale: number; owed: string; held: string; unread: readonly string[] }[];
  readonly signers: readonly string[];
}

/** What the page runs, and whoever distrusts it. */
const { verifyReserves } = (await import(new URL('../../../web/public/verify-reserves.mjs', import.meta.url).href)) as {
  verifyReserves(statement: ReserveStatement): Promise<Verified>;
};

const folder = mkdtempSync(join(tmpdir(), 'reserves-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function signerOf(seed: Uint8Array = randomBytes(32), bitcoin?: BitcoinNetwork): Signer {
  files += 1;
  const signed = new SignedFile(join(folder, `${files}.jsonl`), 'make');
  return new Signer({ seed, signed, bitcoin, policy: () => ({ networks: {} }), clock: { now: () => 0 } });
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function statementOf(signer: Signer): Reserves {
  const assets = [
    { coin: 'BTC', scale: 8, sum: 150_000_000n, root: hashOf('BTC') },
    { coin: 'ETH', scale: 8, sum: 2_000_000_000n, root: hashOf('ETH') },
    { coin: 'USDT', scale: 8, sum: 5_000_000_000n, root: hashOf('USDT') },
  ];
  const hot = (network: NetworkName, coin: string, scale: number, units: bigint): Holding => ({
    ...{ kind: 'hot', network, coin, scale, units, height: 100 + scale, address: signer.hotAddress(network) },
    hash: `${network === 'ERC20' ? '0x' : ''}${hashOf(network)}`,
  });
  const holdings: Holding[] = [
    hot('BTC', 'BTC', 8, 100_000_000n),
    hot('ERC20', 'ETH', 18, 10n ** 19n),
    hot('ERC20', 'USDT', 6, 20_000_000n),
    hot('TRC20', 'USDT', 6, 31_000_000n),
    { ...hot('BTC', 'BTC', 8, 50_000_000n), kind: 'clients', address: null },
  ];
  const commitment = commitmentOf(7, assets);
  return { batch: 7, time: 1_700_000_000_000, state: hashOf('state'), commitment, assets, holdings };
}

async function publish(signer: Signer, statement = statementOf(signer)): Promise<ReserveStatement> {
  const told = await signer.reserves(statement);
  if (!told.ok) throw new Error(told.code);
  const text = JSON.stringify(
    { version: LIABILITIES_VERSION, ...statement, signatures: told.signatures },
    (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part),
  );
  return JSON.parse(text) as ReserveStatement;
}

/** The same with one value changed, for each value that there is. */
function* tampered(value: unknown): Generator<readonly [path: string, value: unknown]> {
  if (value === null || typeof value !== 'object') {
    const changed = typeof value === 'number' ? value + 1 : value === null ? 'x' : changedText(value as string);
    yield ['', changed];
    return;
  }
  for (const [key, part] of Object.entries(value)) {
    for (const [path, changed] of tampered(part)) {
      const whole = Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
      yield [`${key}.${path}`, whole];
    }
  }
}

/** One letter of it, to another that may stand there. */
function changedText(text: string): string {
  const at = Math.floor(text.length / 2);
  const letter = text[at] === '1' ? '2' : '1';
  return text.slice(0, at) + letter + text.slice(at + 1);
}

describe('a statement of reserves', () => {
  it('is signed by the key of each hot wallet, as anybody finds out from the file alone', async () => {
    const signer = signerOf();
    const { coins, signers } = await verifyReserves(await publish(signer));
    expect([...signers].sort()).toEqual(
      [...(['BTC', 'ERC20', 'TRC20'] as const).map((n) => signer.hotAddress(n))].sort(),
    );
    expect(coins.map(({ coin, owed, held }) => [coin, owed, held])).toEqual([
      ['BTC', '150000000', '150000000'],
      ['ETH', '2000000000', '1000000000'],
      ['USDT', '5000000000', '5100000000'],
    ]);
  });

  it.each([
    ['regtest', 'bcrt1q'],
    ['testnet', 'tb1q'],
    ['signet', 'tb1q'],
    ['mainnet', 'bc1q'],
  ] as const)('on %s names the address of that network, by which it is checked', async (bitcoin, human) => {
    const signer = signerOf(randomBytes(32), bitcoin);
    const published = await publish(signer);
    const { signers } = await verifyReserves(published);
    expect(signers.find((address) => address.startsWith(human))).toBe(signer.hotAddress('BTC'));
    const swap = (of: string) => of.replace(human, human === 'bc1q' ? 'tb1q' : 'bc1q');
    const swapped = JSON.parse(swap(swap(JSON.stringify(published)))) as ReserveStatement;
    await expect(verifyReserves(swapped)).rejects.toThrow('is not of this statement');
  });

  it('does not hold once any value in it is another, or a signature is gone', async () => {
    const signer = signerOf();
    const unread = [{ network: 'BEP20' as const, coin: 'USDT', height: 7, hash: `0x${hashOf('BEP20')}` }];
    const published = await publish(signer, { ...statementOf(signer), unread });
    expect((await verifyReserves(published)).coins.map((coin) => coin.unread)).toEqual([[], [], ['BEP20']]);
    await expect(verifyReserves({ ...published, unread: [] })).rejects.toThrow('is not of this statement');
    const changes = [...tampered(published)];
    expect(changes.length).toBeGreaterThan(50);
    for (const [path, changed] of changes)
      await expect(verifyReserves(changed as ReserveStatement), path).rejects.toThrow();
    for (const [at] of published.signatures.entries())
      await expect(verifyReserves({ ...published, signatures: published.signatures.toSpliced(at, 1) })).rejects.toThrow(
        'has not signed',
      );
    for (const [at] of published.holdings.entries())
      await expect(verifyReserves({ ...published, holdings: published.holdings.toSpliced(at, 1) })).rejects.toThrow();
    // The other signature that the same key could have made is refused as well.
    const flipped = published.signatures.map(({ address, signature }) => {
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
      const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
      return { address, signature: `${signature.slice(0, 66)}${s}${signature.endsWith('1b') ? '1c' : '1b'}` };
    });
    await expect(verifyReserves({ ...published, signatures: flipped })).rejects.toThrow('out of range');
  });

  it('of another exchange, or of the same one at another batch, does not fit', async () => {
    const [one, other] = [signerOf(), signerOf()];
    const [published, foreign] = [await publish(one), await publish(other)];
    await expect(verifyReserves({ ...published, signatures: foreign.signatures })).rejects.toThrow();
    const later = await publish(one, {
      ...statementOf(one),
      batch: 8,
      commitment: commitmentOf(8, statementOf(one).assets),
    });
    await expect(verifyReserves({ ...published, signatures: later.signatures })).rejects.toThrow();
  });

  it('without signatures says what is held, and that no key has confirmed it', async () => {
    const published = await publish(signerOf());
    expect((await verifyReserves({ ...published, signatures: [] })).signers).toEqual([]);
  });
});

describe('the signer', () => {
  const refusalOf = async (signer: Signer, holdings: readonly Holding[]) =>
    signer.reserves({ ...statementOf(signer), holdings: [...holdings] });

  it('signs for no address but its own hot wallets, nothing twice, and nothing that is not owed', async () => {
    const signer = signerOf();
    const { holdings } = statementOf(signer);
    const [bitcoin, ether] = holdings as [Holding, Holding];
    const clients = { ...bitcoin, kind: 'clients' as const, address: null };
    const foreign = { ...bitcoin, address: signerOf().hotAddress('BTC') };
    expect(await refusalOf(signer, [foreign, ether])).toEqual({ ok: false, code: 'NOT_OWN' });
    expect(await refusalOf(signer, [{ ...ether, address: signer.address('EVM', 0) }])).toEqual({
      ...{ ok: false, code: 'NOT_OWN' },
    });
    expect(await refusalOf(signer, [clients])).toEqual({ ok: false, code: 'NOT_OWN' });
    expect(await refusalOf(signer, [{ ...clients, address: bitcoin.address }])).toEqual({ ok: false, code: 'NOT_OWN' });
    expect(await refusalOf(signer, [bitcoin, { ...bitcoin, height: 5 }])).toEqual({ ok: false, code: 'TWICE' });
    expect(await refusalOf(signer, [{ ...bitcoin, coin: 'DOGE' }])).toEqual({ ok: false, code: 'UNKNOWN_COIN' });
    const unread = { network: 'BEP20' as const, coin: 'USDT', height: 7, hash: bitcoin.hash };
    for (const [missing, code] of [
      [[{ ...unread, coin: 'DOGE' }], 'UNKNOWN_COIN'],
      [[unread, unread], 'TWICE'],
      [[{ ...unread, network: 'ERC20' as const }], 'TWICE'],
    ] as const)
      expect(await signer.reserves({ ...statementOf(signer), unread: [...missing] })).toEqual({ ok: false, code });
  });

  it('takes figures, and neither a text nor a hash: no field can begin a line of its own', () => {
    const signer = signerOf();
    const statement = JSON.parse(
      JSON.stringify(statementOf(signer), (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)),
    ) as Record<string, unknown>;
    const asked = (changed: object) => request.safeParse({ call: 'reserves', statement: { ...statement, ...changed } });
    expect(asked({}).success).toBe(true);
    for (const changed of [
      { text: 'anything' },
      { digest: hashOf('a transaction') },
      { commitment: '0x' },
      { state: `${hashOf('state')}\nheld` },
      { batch: '7' },
      { holdings: [] },
      { holdings: [{ ...statementOf(signer).holdings[0], units: '1', coin: 'BTC 8\nheld' }] },
      { holdings: [{ ...statementOf(signer).holdings[0], units: '1', address: 'bc1q 0' }] },
    ])
      expect(asked(changed).success, JSON.stringify(changed)).toBe(false);
    const text = reservesText(reserves.parse(statement));
    // Titles, what is owed and what is held: as many lines as there are figures.
    expect(text.split('\n')).toHaveLength(5 + 3 + 5);
  });
});
