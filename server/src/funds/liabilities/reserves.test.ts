import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { SignerAway, type SignerLink, signerInProcess } from '../../signer/service.ts';
import { type BlockHeader, type Chain, type CoinNetwork, NodeFailure, type Sender } from '../chains/service.ts';
import type { KeptReserves, ReserveSignature, ReserveStore } from './reserve-store.ts';
import { publishedOf, ReserveStatements } from './reserves.ts';
import type { Run } from './store.ts';
import { commitmentOf } from './tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'reserve-statements-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hashOf = (height: number, branch = 'a') => `0x${branch}${height.toString(16).padStart(63, '0')}`;

function storeInMemory(): ReserveStore {
  const rows = new Map<number, KeptReserves>();
  return {
    of: async (batches) => new Map(batches.flatMap((batch) => (rows.has(batch) ? [[batch, rows.get(batch)!]] : []))),
    add: async (batch, madeAt, holdings) => {
      if (!rows.has(batch)) rows.set(batch, { madeAt, holdings, signatures: undefined });
    },
    sign: async (batch, signatures: readonly ReserveSignature[]) => {
      const row = rows.get(batch);
      if (row && row.signatures === undefined) rows.set(batch, { ...row, signatures });
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

  constructor(network: Chain['network'], knowsBlocks: boolean) {
    const at = async (height: number): Promise<BlockHeader> => {
      if (this.isAway) throw new NodeFailure('away');
      return { height, hash: hashOf(height), parent: hashOf(height - 1), time: height };
    };
    const sender = {
      balance: async () => {
        if (this.isRestless) this.head += 1;
        return BigInt(this.head);
      },
      ...(knowsBlocks && {
        balanceAt: async (address: string, contract: string | null, { height }: BlockHeader) => {
          this.asked.push(`${address} ${contract ?? 'coin'} ${height}`);
          return BigInt(height);
        },
      }),
    } as unknown as Sender;
    this.chain = { network, sender, head: () => at(this.head), header: at } as unknown as Chain;
  }
}

const way = (network: Chain['network'], coin: string, change: Partial<CoinNetwork> = {}) =>
  ({ network, coin, chain_scale: 8, contract: null, credited_at: 6, ...change }) as CoinNetwork;

const assets = ['BTC', 'ETH', 'USDT'].map((coin, asset) => ({
  ...{ asset, coin, scale: 8, sum: 1n, leaves: 16, clients: 1, root: hashOf(asset).slice(2) },
}));
const RUN: Run = {
  ...{ batch: 9, stateHash: 'ab', commitment: commitmentOf(9, assets), madeAt: 1, secret: undefined, assets },
};

describe('what is held, beside a run', () => {
  let ethereum: FakeChain;
  let bitcoin: FakeChain;
  let signer: SignerLink;
  let isSignerAway: boolean;
  let store: ReserveStore;
  let credited: { network: Chain['network']; coin: string; units: bigint }[];

  beforeEach(() => {
    ethereum = new FakeChain('ERC20', true);
    bitcoin = new FakeChain('BTC', false);
    isSignerAway = false;
    store = storeInMemory();
    credited = [{ network: 'ERC20', coin: 'USDT', units: 500n }];
    const parts = { seed: randomBytes(32), policy: () => ({ networks: {} }), clock: { now: () => 0 } };
    const own = signerInProcess(folder, parts);
    const away = () => Promise.reject(new SignerAway('away'));
    signer = { ...own, reserves: (statement) => (isSignerAway ? away() : own.reserves(statement)) };
  });

  const statements = (given: Pick<SignerLink, 'hotAddress' | 'reserves'> | undefined = signer) =>
    new ReserveStatements({
      ...{ store, signer: given, clock: { now: () => 5 }, logger: createLogger('silent') },
      chains: new Map([ethereum.chain, bitcoin.chain].map((chain) => [chain.network, chain])),
      networks: {
        all: async () => [
          way('ERC20', 'ETH'),
          way('ERC20', 'USDT', { chain_scale: 6, contract: '0xDA' }),
          way('BTC', 'BTC'),
          way('TRC20', 'USDT'),
        ],
      },
      held: async () => credited,
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

  it('without a signer has the addresses of clients alone, and no signature', async () => {
    const none = new ReserveStatements({
      ...{ store, signer: undefined, clock: { now: () => 5 }, logger: createLogger('silent') },
      chains: new Map([[ethereum.chain.network, ethereum.chain]]),
      networks: { all: async () => [way('ERC20', 'USDT')] },
      held: async () => credited,
    });
    await none.complete(RUN);
    expect(await lines()).toEqual(['clients ERC20 USDT 100 500']);
    expect((await kept())?.signatures).toBeUndefined();
  });
});
