import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIABILITIES_VERSION, type ReserveStatement } from '@cambist/contract/liabilities.ts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Authority } from '../../platform/authority.ts';
import { createLogger } from '../../platform/logger.ts';
import { signColdReserves } from '../../signer/cold.ts';
import { coldReserves } from '../../signer/reserves.ts';
import { SignerAway, type SignerLink, signerInProcess } from '../../signer/service.ts';
import { SignedFile } from '../../signer/signed-file.ts';
import { Signer } from '../../signer/signer.ts';
import { type BlockHeader, type Chain, type CoinNetwork, NodeFailure, type Sender } from '../chains/service.ts';
import type { KeptReserves, ReserveSignature, ReserveStore } from './reserve-store.ts';
import { publishedOf, ReserveStatements, readSignedCold, shownReserves } from './reserves.ts';
import type { Run } from './store.ts';
import { commitmentOf } from './tree.ts';

const { verifyReserves } = (await import(
  new URL('../../../../web/public/verify-reserves.mjs', import.meta.url).href
)) as {
  verifyReserves(statement: ReserveStatement): Promise<{
    readonly coins: readonly { coin: string; held: string; unsigned: string; unread: readonly string[] }[];
    readonly signers: readonly string[];
    readonly isSigned: boolean;
    readonly unsigned: readonly string[];
  }>;
};

const folder = mkdtempSync(join(tmpdir(), 'reserve-statements-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hashOf = (height: number, branch = 'a') => `0x${branch}${height.toString(16).padStart(63, '0')}`;

function storeInMemory(): ReserveStore {
  const rows = new Map<number, KeptReserves>();
  return {
    of: async (batches) => new Map(batches.flatMap((batch) => (rows.has(batch) ? [[batch, rows.get(batch)!]] : []))),
    add: async (batch, madeAt, read) => {
      if (!rows.has(batch)) rows.set(batch, { madeAt, ...read, signatures: undefined, cold: [] });
    },
    sign: async (batch, signatures: readonly ReserveSignature[]) => {
      const row = rows.get(batch);
      if (row && row.signatures === undefined) rows.set(batch, { ...row, signatures });
    },
    addCold: async (_by, batch, signed) => {
      const row = rows.get(batch);
      if (row === undefined || row.cold.some(({ address }) => address === signed.address)) return false;
      rows.set(batch, { ...row, cold: [...row.cold, signed] });
      return true;
    },
  };
}

/** A chain with a block for each number, and balances that grow with it. */
class FakeChain {
  head = 100;
  isAway = false;
  /** Moves on with each reading of the newest balance. */
  isRestless = false;
  readonly asked: string[] = [];
  readonly chain: Chain;
  /** Contracts that do not say what anybody has, and how often they are asked before they do. */
  readonly broken = new Map<string, number>();

  constructor(network: Chain['network'], knowsBlocks: boolean) {
    const at = async (height: number): Promise<BlockHeader> => {
      if (this.isAway) throw new NodeFailure('away');
      return { height, hash: hashOf(height), parent: hashOf(height - 1), time: height };
    };
    const sender = {
      balance: async (_address: string, contract: string | null) => {
        this.#fail(contract);
        if (this.isRestless) this.head += 1;
        return BigInt(this.head);
      },
      ...(knowsBlocks && {
        balanceAt: async (address: string, contract: string | null, { height }: BlockHeader) => {
          this.#fail(contract);
          this.asked.push(`${address} ${contract ?? 'coin'} ${height}`);
          return BigInt(height);
        },
      }),
    } as unknown as Sender;
    this.chain = { network, sender, head: () => at(this.head), header: at } as unknown as Chain;
  }

  #fail(contract: string | null): void {
    const left = this.broken.get(contract ?? '') ?? 0;
    if (left === 0) return;
    this.broken.set(contract ?? '', left - 1);
    throw new NodeFailure(`${contract} does not say it`);
  }
}

const way = (network: Chain['network'], coin: string, change: Partial<CoinNetwork> = {}) =>
  ({ network, coin, chain_scale: 8, contract: null, credited_at: 6, ...change }) as CoinNetwork;

const assets = ['BTC', 'ETH', 'USDT'].map((coin, asset) => ({
  ...{ asset, coin, scale: 8, sum: 1n, leaves: 16, clients: 1, root: hashOf(asset).slice(2) },
}));
const RUN: Run = {
  ...{
    batch: 9,
    version: LIABILITIES_VERSION,
    stateHash: 'ab',
    commitment: commitmentOf(9, assets),
    madeAt: 1,
    secret: undefined,
    assets,
  },
};

describe('what is held, beside a run', () => {
  let ethereum: FakeChain;
  let bitcoin: FakeChain;
  let signer: SignerLink;
  let isSignerAway: boolean;
  let store: ReserveStore;
  let coldAddresses: Partial<Record<Chain['network'], string>>;
  let credited: { network: Chain['network']; coin: string; units: bigint }[];

  beforeEach(() => {
    ethereum = new FakeChain('ERC20', true);
    bitcoin = new FakeChain('BTC', false);
    isSignerAway = false;
    coldAddresses = {};
    store = storeInMemory();
    credited = [{ network: 'ERC20', coin: 'USDT', units: 500n }];
    const parts = { seed: randomBytes(32), policy: () => ({ networks: {} }), clock: { now: () => 0 } };
    const own = signerInProcess(folder, parts);
    const away = () => Promise.reject(new SignerAway('away'));
    const coldAddress = async (network: Chain['network']) => coldAddresses[network] ?? null;
    signer = { ...own, coldAddress, reserves: (statement) => (isSignerAway ? away() : own.reserves(statement)) };
  });

  const atAddresses = async (network: Chain['network']) => async () =>
    credited.filter((one) => one.network === network);
  const statements = (given: Pick<SignerLink, 'hotAddress' | 'coldAddress' | 'reserves'> | undefined = signer) =>
    new ReserveStatements({
      ...{ store, signer: given, bitcoin: 'mainnet', clock: { now: () => 5 }, logger: createLogger('silent') },
      chains: new Map([ethereum.chain, bitcoin.chain].map((chain) => [chain.network, chain])),
      networks: {
        all: async () => [
          way('ERC20', 'ETH'),
          way('ERC20', 'USDT', { chain_scale: 6, contract: '0xDA' }),
          way('BTC', 'BTC'),
          way('TRC20', 'USDT'),
        ],
      },
      atAddresses,
    });
  const kept = async () => (await store.of([9])).get(9);
  const lines = async () =>
    (await kept())?.holdings.map(
      ({ kind, network, coin, height, units }) => `${kind} ${network} ${coin} ${height} ${units}`,
    );

  it('is read at a block that stays, for a chain that knows what was there, and else at the newest', async () => {
    await statements().complete(RUN);
    expect(await lines()).toEqual([
      'hot ERC20 ETH 95 95',
      'hot ERC20 USDT 95 95',
      'clients ERC20 USDT 95 500',
      'hot BTC BTC 100 100',
    ]);
    const hot = (await signer.hotAddress('ERC20')).toLowerCase();
    expect(ethereum.asked).toEqual([`${hot} coin 95`, `${hot} 0xda 95`]);
    expect(publishedOf(RUN, (await kept())!).signatures).toHaveLength(2);
  });

  it('waits for a node that is away, and is read once: what was signed stays as it is', async () => {
    bitcoin.isAway = true;
    await statements().complete(RUN);
    expect(await kept()).toBeUndefined();
    bitcoin.isAway = false;
    await statements().complete(RUN);
    const signed = await kept();
    ethereum.head = 300;
    await statements().complete(RUN);
    expect(await kept()).toEqual(signed);
  });

  it('states all others where a contract does not answer, and says that it was not read, as is signed', async () => {
    ethereum.broken.set('0xda', Number.POSITIVE_INFINITY);
    await statements().complete(RUN);
    expect(await lines()).toEqual(['hot ERC20 ETH 95 95', 'hot BTC BTC 100 100']);
    const statement = publishedOf(RUN, (await kept())!);
    expect(statement.unread).toEqual([{ network: 'ERC20', coin: 'USDT', height: 95, hash: hashOf(95) }]);
    expect(shownReserves((await kept())!).unread).toEqual(statement.unread);
    const { coins, isSigned } = await verifyReserves(statement);
    expect(isSigned).toBe(true);
    expect(coins.map(({ coin, held, unread }) => [coin, held, unread])).toEqual([
      ...[
        ['BTC', '100', []],
        ['ETH', '95', []],
      ],
      ['USDT', '0', ['ERC20']],
    ]);
    const [missing] = statement.unread;
    for (const unread of [[], [{ ...missing!, coin: 'ETH' }], [{ ...missing!, height: 94 }], [missing!, missing!]])
      await expect(verifyReserves({ ...statement, unread }), JSON.stringify(unread)).rejects.toThrow();
  });

  it('is tried again of a contract, and waits where the chain does not even say what it has of its own coin', async () => {
    ethereum.broken.set('0xda', 4);
    await statements().complete(RUN);
    expect((await kept())?.unread).toEqual([]);
    store = storeInMemory();
    ethereum.broken.set('0xda', Number.POSITIVE_INFINITY);
    ethereum.broken.set('', 2);
    await statements().complete(RUN);
    expect(await kept()).toBeUndefined();
  });

  it('is of two nodes what both say of a block that is the newest of both', async () => {
    const heads: number[] = [100, 99];
    Object.assign(bitcoin.chain, { pair: { heads, isSplit: false } });
    await statements().complete(RUN);
    expect(await kept()).toBeUndefined();
    heads[1] = 100;
    await statements().complete(RUN);
    expect(await lines()).toContain('hot BTC BTC 100 100');
  });

  it('is no statement while the newest block changes with each reading', async () => {
    bitcoin.isRestless = true;
    await statements().complete(RUN);
    expect(await kept()).toBeUndefined();
  });

  it('stands without a signature while the signer is away, and is signed as it was read', async () => {
    isSignerAway = true;
    await statements().complete(RUN);
    const unsigned = await kept();
    expect(unsigned).toMatchObject({ signatures: undefined });
    expect(publishedOf(RUN, unsigned!).signatures).toEqual([]);
    isSignerAway = false;
    ethereum.head = 300;
    await statements().complete(RUN);
    expect((await kept())?.holdings).toEqual(unsigned?.holdings);
    expect((await kept())?.signatures).toHaveLength(2);
  });

  it('has the cold wallet at the same block, signed elsewhere, by its own key and for this run alone', async () => {
    const files = {
      signed: new SignedFile(join(folder, `cold-${randomBytes(4).toString('hex')}`), 'make'),
      clock: Date,
    };
    const [cold, thief] = [randomBytes(32), randomBytes(32)].map(
      (seed) => new Signer({ seed, ...files, policy: () => ({ networks: {} }) }),
    ) as [Signer, Signer];
    coldAddresses = { ERC20: cold.hotAddress('ERC20').toLowerCase(), BTC: cold.hotAddress('BTC') };
    const made = statements();
    await made.complete(RUN);
    expect(await lines()).toEqual([
      ...['hot ERC20 ETH 95 95', 'cold ERC20 ETH 95 95', 'hot ERC20 USDT 95 95', 'cold ERC20 USDT 95 95'],
      ...['clients ERC20 USDT 95 500', 'hot BTC BTC 100 100', 'cold BTC BTC 100 100'],
    ]);
    const address = cold.hotAddress('ERC20');
    const { file = '' } = (await made.coldFile(RUN, address)) ?? {};
    expect(await made.coldFile(RUN, thief.hotAddress('ERC20'))).toBeUndefined();
    const { statement } = coldReserves.parse(JSON.parse(file));
    await expect(signColdReserves({ signer: thief }, statement)).rejects.toThrow('of another wallet');
    const { signed } = await signColdReserves({ signer: cold }, statement);
    const by = { clientId: 1 } as Authority;
    const take = (text: string, run: Run | undefined = RUN) => made.takeCold(run, readSignedCold(text)!, by);
    const change = (values: object) => JSON.stringify({ ...JSON.parse(signed), ...values });
    expect(readSignedCold('{}')).toBeUndefined();
    expect(readSignedCold(file)).toBeUndefined();
    expect(await made.takeCold(undefined, readSignedCold(signed)!, by)).toBe('OTHER_RUN');
    expect(await take(signed, { ...RUN, batch: 8 })).toBe('OTHER_RUN');
    expect(await take(change({ commitment: 'a'.repeat(64) }))).toBe('OTHER_RUN');
    expect(await take(change({ address: signer && (await signer.hotAddress('ERC20')) }))).toBe('OTHER_ADDRESS');
    expect(await take(change({ address: cold.hotAddress('BTC') }))).toBe('NOT_SIGNED');
    // By another key, of another run, and with the other s that fits.
    const holdings = statement.holdings.map((one) => ({ ...one, address: thief.hotAddress('ERC20') }));
    const stolen = await signColdReserves({ signer: thief }, { ...statement, holdings });
    expect(await take(change({ signature: JSON.parse(stolen.signed).signature }))).toBe('NOT_SIGNED');
    const earlier = await signColdReserves({ signer: cold }, { ...statement, batch: 8 });
    expect(await take(change({ signature: JSON.parse(earlier.signed).signature }))).toBe('NOT_SIGNED');
    const { signature } = JSON.parse(signed) as { signature: string };
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const higher = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const flipped = `${signature.slice(0, 66)}${higher}${signature.endsWith('1b') ? '1c' : '1b'}`;
    expect(await take(change({ signature: flipped }))).toBe('NOT_SIGNED');

    const before = await verifyReserves(publishedOf(RUN, (await kept())!));
    expect(before.unsigned).toEqual([address, cold.hotAddress('BTC')]);
    expect(before.coins.find(({ coin }) => coin === 'BTC')).toMatchObject({ held: '100', unsigned: '100' });
    const two = await Promise.all([take(signed), take(signed)]);
    expect(two.toSorted()).toEqual(['TWICE', undefined]);
    expect(await take(signed)).toBe('TWICE');
    const published = publishedOf(RUN, (await kept())!);
    const after = await verifyReserves(published);
    expect(after).toMatchObject({ isSigned: true, unsigned: [cold.hotAddress('BTC')] });
    expect(after.signers).toContain(address);
    expect(shownReserves((await kept())!).cold).toEqual([
      { address, signed_at: 5 },
      { address: cold.hotAddress('BTC'), signed_at: null },
    ]);
    // Every amount, block and address of a wallet that has signed is as it was signed.
    for (const [at, one] of published.holdings.entries()) {
      if (one.address === cold.hotAddress('BTC')) continue;
      for (const changed of [{ units: '7' }, { height: 3 }, { kind: one.kind === 'cold' ? 'hot' : 'cold' } as const])
        await expect(
          verifyReserves({ ...published, holdings: published.holdings.with(at, { ...one, ...changed }) }),
        ).rejects.toThrow();
    }
    const swapped = published.signatures.map((one) => ({ ...one, signature }));
    await expect(verifyReserves({ ...published, signatures: swapped })).rejects.toThrow('not of this statement');
  });

  it('counts one address once, though the policy names the hot wallet as the cold one', async () => {
    coldAddresses = { ERC20: (await signer.hotAddress('ERC20')).toLowerCase() };
    await statements().complete(RUN);
    expect((await lines())?.filter((line) => line.startsWith('cold'))).toEqual([]);
  });

  it('without a signer has the addresses of clients alone, and no signature', async () => {
    const none = new ReserveStatements({
      ...{ store, signer: undefined, bitcoin: 'mainnet', clock: { now: () => 5 }, logger: createLogger('silent') },
      chains: new Map([[ethereum.chain.network, ethereum.chain]]),
      networks: { all: async () => [way('ERC20', 'USDT')] },
      atAddresses,
    });
    await none.complete(RUN);
    expect(await lines()).toEqual(['clients ERC20 USDT 100 500']);
    expect((await kept())?.signatures).toBeUndefined();
  });
});
