/** What chains hold against what the ledger owes. */
import { expect, it } from 'vitest';
import type { CoinNetwork, Sender } from '../chains/service.ts';
import { Custody, type CustodyDeps } from './custody.ts';

const usdt = { coin: 'USDT', network: 'ERC20', chain_scale: 6, contract: '0xAB' } as CoinNetwork;
const eth = { coin: 'ETH', network: 'ERC20', chain_scale: 18, contract: null } as CoinNetwork;

/** A hot wallet with 50 USDT and 2 ETH, 50 USDT at addresses of clients, and 100 USDT and 1 ETH owed. */
function createStage() {
  const told: string[] = [];
  const facts = {
    hot: new Map<string | null, bigint>([
      ['0xab', 50_000_000n],
      [null, 2n * 10n ** 18n],
    ]),
    owed: new Map([
      [0, 100_00000000n],
      [1, 1_00000000n],
    ]),
    pending: [] as { reason: string; reference: number; legs: [] }[],
    inBlocks: [] as { reference: number; network: 'ERC20'; coin: string; units: bigint }[],
    costs: [] as { network: 'ERC20'; units: bigint; booking: bigint }[],
    change: () => 1,
  };
  const kept = new Map<string, boolean>();
  const sender = { balance: async (_: string, contract: string | null) => facts.hot.get(contract) ?? 0n } as Sender;
  const custody = new Custody({
    chains: new Map([['ERC20', { sender } as never]]),
    networks: { all: async () => [usdt, eth] },
    store: {
      custody: async () => [],
      keepCustody: async ({ coin, is_stopped: isStopped }) => void kept.set(coin, isStopped),
      inBlocks: async () => facts.inBlocks,
      costsToCome: async () => facts.costs,
      lastChange: async () => facts.change(),
    },
    held: async () => [{ network: 'ERC20', coin: 'USDT', units: 50_000_000n }],
    hotAddress: () => '0x01',
    exchange: {
      balance: (account: number) => -(facts.owed.get(account % 2 ** 14) ?? 0n),
      pendingTransfers: () => facts.pending,
    },
    assetByCode: (code: string) => ({ id: code === 'USDT' ? 0 : 1, code, scale: 8 }),
    alarm: async (kind, detail) => void told.push(`${kind}: ${detail}`),
    clock: { now: () => 1 },
  } satisfies CustodyDeps);
  return { custody, facts, kept, told };
}

it('payouts of a coin stop where chains hold less than is owed at two comparisons, and go on once they hold it (fault 25)', async () => {
  const { custody, facts, kept, told } = createStage();
  await custody.check();
  expect([kept.get('USDT'), custody.isStopped('USDT'), told]).toEqual([false, false, []]);
  facts.hot.set('0xab', 49_000_000n);
  await custody.check();
  // A block may have come between two readings.
  expect(custody.isStopped('USDT')).toBe(false);
  await custody.check();
  await custody.check();
  expect([kept.get('USDT'), custody.isStopped('USDT'), custody.isStopped('ETH')]).toEqual([true, true, false]);
  expect(told).toEqual([
    'custody: Payouts of USDT stand still: chains hold 99.00000000 USDT, the ledger owes 100.00000000',
  ]);
  facts.hot.set('0xab', 51_000_000n);
  await custody.check();
  expect([kept.get('USDT'), custody.isStopped('USDT')]).toEqual([false, false]);
});

it('a payment that is in a block and not posted is no difference, and neither is a cost that is not booked', async () => {
  const { custody, facts } = createStage();
  facts.pending = [{ reason: 'withdrawal', reference: 7, legs: [] }];
  facts.inBlocks = [
    { reference: 7, network: 'ERC20', coin: 'USDT', units: 30_000_000n },
    { reference: 8, network: 'ERC20', coin: 'USDT', units: 5_000_000n },
  ];
  facts.costs = [{ network: 'ERC20', units: 10n ** 16n, booking: 2_000_000n }];
  expect(await custody.compare()).toEqual([
    { coin: 'USDT', scale: 8, ledger: 70_00000000n, chains: 100_00000000n },
    { coin: 'ETH', scale: 8, ledger: 97_000000n, chains: 2_00000000n },
  ]);
});

it('what moves while it is compared is compared another time', async () => {
  const { custody, facts, told } = createStage();
  facts.hot.set('0xab', 0n);
  let change = 0;
  facts.change = () => {
    change += 1;
    return change;
  };
  await custody.check();
  await custody.check();
  expect([custody.isStopped('USDT'), told]).toEqual([false, []]);
});
