import { expect, it } from 'vitest';
import type { CoinNetwork } from '../chains/service.ts';
import { Custody, type CustodyDeps } from './custody.ts';

const way = { coin: 'USDT', network: 'ERC20', chain_scale: 6, contract: '0xdac17f958d2ee523a2206206994597c13d831ec7' };

interface Stage {
  readonly coins?: readonly object[];
  /** Smallest units of chains, of each wallet. */
  readonly held: bigint;
  /** Smallest units of the ledger. */
  readonly owed: () => bigint;
  readonly pending?: () => readonly object[];
  readonly inBlocks?: (references: readonly number[]) => readonly object[];
  readonly open?: () => readonly object[];
  readonly alarm?: (kind: string) => void;
}

/** With one hot wallet for each network, and nothing at the addresses of clients. */
function custodyOf(stage: Stage): Custody {
  const { coins = [way], held, owed, pending = () => [], inBlocks = () => [], open = () => [], alarm } = stage;
  const chain = { sender: { balance: async () => held } };
  return new Custody({
    chains: new Map((coins as CoinNetwork[]).map(({ network }) => [network, chain])),
    networks: { all: async () => coins as readonly CoinNetwork[] },
    store: {
      costsToCome: async () => [],
      betweenWallets: async () => [],
      networks: async () => new Map(),
      keepCustody: async () => undefined,
      inBlocks: async (references: readonly number[]) => inBlocks(references),
      open: async () => open(),
    },
    held: async () => [],
    hotAddress: () => '0xhot',
    exchange: { balance: () => -owed(), pendingTransfers: pending },
    assetByCode: (code: string) => ({ id: code === 'BTC' ? 1 : 0, code, scale: 8 }),
    alarm: async (kind: string) => alarm?.(kind),
    clock: { now: () => 0 },
  } as unknown as CustodyDeps);
}

async function compareFor(minutes: number, custody: Custody): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) await custody.check();
}

it('counts a withdrawal that is posted while it looks once', async () => {
  // The ledger owes 500, of which 80 have left the chain and are not posted yet.
  let [owed, isPosted] = [50_000_000_000n, false];
  const custody = custodyOf({
    held: 420_000_000n,
    owed: () => owed,
    pending: () => (isPosted ? [] : [{ reason: 'withdrawal', reference: 7, legs: [] }]),
    inBlocks(references) {
      [owed, isPosted] = [42_000_000_000n, true];
      return references.map((reference) => ({ reference, network: 'ERC20', coin: 'USDT', units: 80_000_000n }));
    },
  });
  const even = [{ coin: 'USDT', scale: 8, ledger: 42_000_000_000n, chains: 42_000_000_000n, underway: 0n }];
  expect(await custody.compare()).toEqual(even);
  expect(await custody.compare()).toEqual(even);
});

it('stops no coin for payments that are on their way and may be in a block by now', async () => {
  const alarms: string[] = [];
  let underway = [{ state: 'BROADCAST', coin: 'USDT', units: 80_000_000n, attempts: [] }];
  const custody = custodyOf({
    held: 420_000_000n,
    owed: () => 50_000_000_000n,
    open: () => underway,
    alarm: (kind) => alarms.push(kind),
  });
  await compareFor(3, custody);
  expect([custody.isStopped('USDT'), alarms]).toEqual([false, []]);
  underway = [];
  await compareFor(2, custody);
  expect([custody.isStopped('USDT'), alarms]).toEqual([true, ['custody']]);
});

/** One coin on two networks: payments by the first go into blocks without end, the second one stands still. */
it('compares a coin beside others whose payments never rest, and stops it where its chains hold too little', async () => {
  const alarms: string[] = [];
  let mined = 0n;
  const custody = custodyOf({
    coins: [way, { ...way, coin: 'BTC', network: 'BTC', chain_scale: 8, contract: null }],
    held: 1_000n,
    owed: () => 5_000n,
    pending: () => [{ reason: 'withdrawal', reference: 7, legs: [] }],
    inBlocks() {
      mined += 1n;
      return [{ reference: 7, network: 'ERC20', coin: 'USDT', units: 1_000_000n * mined }];
    },
    alarm: (kind) => alarms.push(kind),
  });
  await compareFor(2, custody);
  expect([custody.isStopped('BTC'), custody.isStopped('USDT'), alarms]).toEqual([true, false, ['custody']]);
});

it('stops a coin at once, and raises its alarm in the next comparison where it could not be written', async () => {
  const alarms: string[] = [];
  let isAway = true;
  const custody = custodyOf({
    held: 1n,
    owed: () => 50_000_000_000n,
    alarm(kind) {
      if (isAway) throw new Error('away');
      alarms.push(kind);
    },
  });
  await custody.check();
  await expect(custody.check()).rejects.toThrow('away');
  expect(custody.isStopped('USDT')).toBe(true);
  isAway = false;
  await compareFor(3, custody);
  expect([custody.isStopped('USDT'), alarms]).toEqual([true, ['custody']]);
});
