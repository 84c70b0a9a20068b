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
      costsToCome: async () => [],
      betweenWallets: async () => [],
      open: async () => [],
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
  const even = [{ coin: 'USDT', scale: 8, ledger: 42_000_000_000n, chains: 42_000_000_000n, underway: 0n }];
  expect(await custody.compare()).toEqual(even);
  expect(await custody.compare()).toEqual(even);
});

it('stops no coin for payments that are on their way and may be in a block by now', async () => {
  const alarms: string[] = [];
  const payment = { state: 'BROADCAST', coin: 'USDT', units: 80_000_000n, attempts: [] };
  let underway = [payment];
  const custody = new Custody({
    chains: new Map([['ERC20', { sender: { balance: async () => 420_000_000n } }]]),
    networks: { all: async () => [way as CoinNetwork] },
    store: {
      costsToCome: async () => [],
      betweenWallets: async () => [],
      inBlocks: async () => [],
      networks: async () => new Map(),
      keepCustody: async () => undefined,
      open: async () => underway,
    },
    held: async () => [],
    hotAddress: () => '0xhot',
    exchange: { balance: () => -50_000_000_000n, pendingTransfers: () => [] },
    assetByCode: () => ({ id: 0, code: 'USDT', scale: 8 }),
    alarm: async (kind: string) => void alarms.push(kind),
    clock: { now: () => 0 },
  } as unknown as CustodyDeps);
  for (let minute = 0; minute < 3; minute += 1) await custody.check();
  expect([custody.isStopped('USDT'), alarms]).toEqual([false, []]);
  underway = [];
  for (let minute = 0; minute < 2; minute += 1) await custody.check();
  expect([custody.isStopped('USDT'), alarms]).toEqual([true, ['custody']]);
});

/** One coin on two networks: payments by the first go into blocks without end, the second one stands still. */
it('compares a coin beside others whose payments never rest, and stops it where its chains hold too little', async () => {
  const coins = [way, { ...way, coin: 'BTC', network: 'BTC', chain_scale: 8, contract: null }] as CoinNetwork[];
  const alarms: string[] = [];
  let mined = 0n;
  const deps = {
    chains: new Map(coins.map(({ network }) => [network, { sender: { balance: async () => 1_000n } }])),
    networks: { all: async () => coins },
    store: {
      costsToCome: async () => [],
      betweenWallets: async () => [],
      open: async () => [],
      networks: async () => new Map(),
      keepCustody: async () => undefined,
      async inBlocks() {
        mined += 1n;
        return [{ reference: 7, network: 'ERC20', coin: 'USDT', units: 1_000_000n * mined }];
      },
    },
    held: async () => [],
    hotAddress: () => 'hot',
    exchange: {
      balance: () => -5_000n,
      pendingTransfers: () => [{ reason: 'withdrawal', reference: 7, legs: [] }],
    },
    assetByCode: (code: string) => ({ id: code === 'BTC' ? 1 : 0, code, scale: 8 }),
    alarm: async (kind: string) => void alarms.push(kind),
    clock: { now: () => 0 },
  };
  const custody = new Custody(deps as unknown as CustodyDeps);
  await custody.check();
  await custody.check();
  expect([custody.isStopped('BTC'), custody.isStopped('USDT'), alarms]).toEqual([true, false, ['custody']]);
});

it('stops a coin at once, and raises its alarm in the next comparison where it could not be written', async () => {
  const alarms: string[] = [];
  let isAway = true;
  const custody = new Custody({
    chains: new Map([['ERC20', { sender: { balance: async () => 1n } }]]),
    networks: { all: async () => [way as CoinNetwork] },
    store: {
      costsToCome: async () => [],
      betweenWallets: async () => [],
      inBlocks: async () => [],
      networks: async () => new Map(),
      keepCustody: async () => undefined,
      open: async () => [],
    },
    held: async () => [],
    hotAddress: () => '0xhot',
    exchange: { balance: () => -50_000_000_000n, pendingTransfers: () => [] },
    assetByCode: () => ({ id: 0, code: 'USDT', scale: 8 }),
    async alarm(kind: string) {
      if (isAway) throw new Error('away');
      alarms.push(kind);
    },
    clock: { now: () => 0 },
  } as unknown as CustodyDeps);
  await custody.check();
  await expect(custody.check()).rejects.toThrow('away');
  expect(custody.isStopped('USDT')).toBe(true);
  isAway = false;
  for (let minute = 0; minute < 3; minute += 1) await custody.check();
  expect([custody.isStopped('USDT'), alarms]).toEqual([true, ['custody']]);
});
