import { expect, it } from 'vitest';
import type { CoinNetwork } from '../chains/service.ts';
import { Custody, type CustodyDeps } from './custody.ts';

const way = { coin: 'USDT', network: 'ERC20', chain_scale: 6, contract: '0xdac17f958d2ee523a2206206994597c13d831ec7' };

it('counts a withdrawal that is posted while it looks once', async () => {
  // The ledger owes 500, of which 80 have left the chain and are not posted yet.
  let [owed, isPosted] = [50_000_000_000n, false];
  const chain = { sender: { balance: async () => 420_000_000n } };
  const deps = {
    chains: new Map([['ERC20', chain]]),
    networks: { all: async () => [way as CoinNetwork] },
    store: {
      lastChange: async () => 1,
      costsToCome: async () => [],
      betweenWallets: async () => [],
      networks: async () => new Map(),
      async inBlocks(references: readonly number[]) {
        [owed, isPosted] = [42_000_000_000n, true];
        return references.map((reference) => ({ reference, network: 'ERC20', coin: 'USDT', units: 80_000_000n }));
      },
    },
    held: async () => [],
    hotAddress: () => '0xhot',
    exchange: {
      balance: () => -owed,
      pendingTransfers: () => (isPosted ? [] : [{ reason: 'withdrawal', reference: 7, legs: [] }]),
    },
    assetByCode: () => ({ id: 0, code: 'USDT', scale: 8 }),
  };
  const custody = new Custody(deps as unknown as CustodyDeps);
  const even = [{ coin: 'USDT', scale: 8, ledger: 42_000_000_000n, chains: 42_000_000_000n }];
  expect(await custody.compare()).toEqual(even);
  expect(await custody.compare()).toEqual(even);
});
