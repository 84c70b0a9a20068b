/** What is credited, what is not, and what happens to a credit whose block leaves the chain. */
import { Wallet } from '@cambist/core/ledger/account.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { ASSETS, address, createDepositStage, type DepositStage } from '../../../test/deposit-stage.ts';
import { Killed } from '../../../test/mortal-database.ts';
import type { Database } from '../../platform/database.ts';
import { Crediting } from './crediting.ts';
import { CREDITS, type CreditingStore, createCreditingStore, type Movement } from './crediting-store.ts';
import { Debts } from './debts.ts';
import { createDepositStore } from './store.ts';

const [OWNER, OTHER] = [1001, 1002];
const [USDT, ETH] = ASSETS.map(({ id }) => id) as [number, number];
const ONE = 100_000_000n;

describe.each(databaseKinds)('credits of deposits (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let stage: DepositStage;

  beforeAll(async () => {
    ({ database, close } = await openMigrated(kind));
  });
  beforeEach(async () => {
    stage = await createDepositStage(database, [OWNER, OTHER]);
    await stage.sync();
  });
  afterEach(() => stage.remove());
  afterAll(() => close());

  const states = async () =>
    (await database.query<{ state: string }>('SELECT state FROM deposits ORDER BY id')).map(({ state }) => state);
  const count = async (table: string) =>
    (await database.query<{ n: number }>(`SELECT count(*)::int4 AS n FROM ${table}`))[0]?.n;
  const debts = () => database.query('SELECT owner, asset, amount::numeric FROM deposit_debts');

  async function mine(blocks: number): Promise<void> {
    stage.chain.mine(blocks);
    await stage.sync();
  }

  it('come at the sixth confirmation of ERC20 and are unlocked at the 64th (T-deposit-44, T-deposit-50, T-deposit-51)', async () => {
    stage.send('USDT', OWNER, '25');
    await mine(5);
    expect([await states(), stage.spot(OWNER, USDT)]).toEqual([['SEEN'], 0n]);
    await mine(1);
    expect([await states(), stage.spot(OWNER, USDT)]).toEqual([['CREDITED'], 25n * ONE]);
    await mine(57);
    expect(await states()).toEqual(['CREDITED']);
    await mine(1);
    expect([await states(), stage.spot(OWNER, USDT)]).toEqual([['UNLOCKED'], 25n * ONE]);
  });

  it('are told as they confirm, and what was too little while its block is new', async () => {
    const store = createDepositStore(database);
    const told = async () => (await store.open('ERC20')).map(({ amount, state }) => `${amount} ${state}`);
    stage.send('USDT', OWNER, '0.5');
    stage.send('USDT', OWNER, '25');
    await mine(1);
    expect(await told()).toEqual([`${25n * ONE} SEEN`, `${ONE / 2n} BELOW_MINIMUM`]);
    await mine(31);
    expect(await told()).toEqual([`${25n * ONE} CREDITED`, `${ONE / 2n} BELOW_MINIMUM`]);
    await mine(1);
    expect(await told()).toEqual([`${25n * ONE} CREDITED`]);
  });

  it('are for listed tokens of at least the minimum alone, each deposit by itself (T-deposit-34, T-deposit-35)', async () => {
    for (const amount of ['0.999999', '0.5', '0.5']) stage.send('USDT', OWNER, amount);
    stage.send('ETH', OWNER, '0.00129999');
    stage.send('USDT', OWNER, '1');
    stage.send('ETH', OWNER, '0.0013');
    stage.chain.send({
      contract: '0x00000000000000000000000000000000000bad70',
      address: address(OWNER),
      units: 10n ** 9n,
    });
    stage.chain.send({ contract: null, address: address(4000), units: 10n ** 18n });
    await mine(6);
    const below = Array.from({ length: 4 }, () => 'BELOW_MINIMUM');
    expect(await states()).toEqual([...below, 'CREDITED', 'CREDITED']);
    expect([stage.spot(OWNER, USDT), stage.spot(OWNER, ETH)]).toEqual([ONE, 130_000n]);
    expect(await database.query('SELECT owner, contract, units FROM unlisted_deposits')).toEqual([
      { owner: OWNER, contract: '0x00000000000000000000000000000000000bad70', units: 10n ** 9n },
    ]);
  });

  it('take each output of a transaction, two to one address too', async () => {
    const units = 2n * 10n ** 18n;
    stage.chain.send(...[OWNER, OWNER, OTHER].map((owner) => ({ contract: null, address: address(owner), units })));
    await mine(6);
    expect([stage.spot(OWNER, ETH), stage.spot(OTHER, ETH)]).toEqual([4n * ONE, 2n * ONE]);
  });

  it('keep what the ledger cannot hold, and add it to the next deposits of the address', async () => {
    for (const rest of ['6000000000', '6000000000', '6000000000'])
      stage.chain.send({ contract: null, address: address(OWNER), units: 10n ** 18n + BigInt(rest) });
    await mine(6);
    expect(stage.spot(OWNER, ETH)).toBe(3n * ONE + 1n);
    expect(await database.query('SELECT units FROM deposit_dust')).toEqual([{ units: 8_000_000_000n }]);
    stage.chain.send({ contract: null, address: address(OWNER), units: 10n ** 18n + 2_000_000_000n });
    await mine(6);
    expect(stage.spot(OWNER, ETH)).toBe(4n * ONE + 2n);
    expect(await database.query('SELECT units FROM deposit_dust')).toEqual([{ units: 0n }]);
  });

  it('are taken back when their block leaves the chain, and come again when another block has them', async () => {
    stage.send('USDT', OWNER, '25');
    await mine(6);
    stage.chain.reorganize(6, 'WAIT');
    await stage.sync();
    expect([await states(), stage.spot(OWNER, USDT)]).toEqual([['REVERSED'], 0n]);
    expect([await debts(), stage.alarms, stage.crediting.reversalCount]).toEqual([[], ['deposit-reversed'], 1]);
    await mine(6);
    expect([await states(), stage.spot(OWNER, USDT)]).toEqual([['CREDITED'], 25n * ONE]);
  });

  it('stay as they are when their transaction has only moved to another block', async () => {
    stage.send('USDT', OWNER, '25');
    await mine(6);
    stage.chain.reorganize(6, 'KEEP');
    await stage.sync();
    await mine(10);
    expect([await states(), stage.spot(OWNER, USDT)]).toEqual([['CREDITED'], 25n * ONE]);
    expect([await count('deposit_movements'), stage.alarms]).toEqual([1, []]);
  });

  it('are owed where they were spent, and taken from what is there and from later deposits', async () => {
    stage.send('USDT', OWNER, '25');
    await mine(6);
    stage.spend(OWNER, USDT, 20n * ONE);
    stage.chain.reorganize(6, 'DROP');
    await stage.sync();
    expect([stage.spot(OWNER, USDT), await debts()]).toEqual([0n, [{ owner: OWNER, asset: USDT, amount: 20n * ONE }]]);
    stage.send('USDT', OWNER, '12');
    await mine(6);
    expect([stage.spot(OWNER, USDT), await debts()]).toEqual([0n, [{ owner: OWNER, asset: USDT, amount: 8n * ONE }]]);
    stage.send('USDT', OWNER, '12');
    await mine(6);
    expect([stage.spot(OWNER, USDT), await debts()]).toEqual([4n * ONE, []]);
    expect(stage.custody(USDT)).toBe(-24n * ONE);
  });

  it('are taken back from spot, then funding, then what is free of futures, in one command', async () => {
    stage.send('USDT', OWNER, '30');
    await mine(6);
    stage.move(OWNER, USDT, Wallet.SPOT, Wallet.FUNDING, 8n * ONE);
    stage.move(OWNER, USDT, Wallet.SPOT, Wallet.FUTURE, 12n * ONE);
    stage.send('USDT', OTHER, '30');
    stage.send('USDT', OWNER, '7');
    await mine(6);
    stage.chain.reorganize(12, 'DROP');
    const before = stage.exchange.counters().lastTransferId;
    await stage.sync();
    // 37 of 37 go: 17 of spot, 8 of funding, 12 of futures.
    const wallets = () => [Wallet.SPOT, Wallet.FUNDING, Wallet.FUTURE].map((wallet) => stage.in(OWNER, wallet, USDT));
    expect([wallets(), await debts(), stage.stopped]).toEqual([[0n, 0n, 0n], [], []]);
    expect(stage.exchange.counters().lastTransferId - before).toBe(2);
    expect(
      await database.query(
        'SELECT amount::numeric, funding::numeric, future::numeric FROM deposit_movements WHERE source = 2 AND owner = $1',
        [OWNER],
      ),
    ).toEqual([{ amount: 37n * ONE, funding: 8n * ONE, future: 12n * ONE }]);
  });

  it('leave the later wallets alone where the earlier ones are enough', async () => {
    for (const amount of ['5', '30']) stage.send('USDT', OWNER, amount);
    await mine(6);
    stage.move(OWNER, USDT, Wallet.SPOT, Wallet.FUNDING, 20n * ONE);
    stage.move(OWNER, USDT, Wallet.SPOT, Wallet.FUTURE, 10n * ONE);
    const [first] = await database.query<{ id: number }>('SELECT min(id) AS id FROM deposits');
    await database.query('UPDATE deposits SET height = NULL WHERE id = $1', [first?.id ?? 0]);
    await stage.crediting.run();
    const wallets = [Wallet.SPOT, Wallet.FUNDING, Wallet.FUTURE].map((wallet) => stage.in(OWNER, wallet, USDT));
    expect(wallets).toEqual([0n, 20n * ONE, 10n * ONE]);
  });

  it('end the orders of a debtor once, and are known to be owed until they are paid', async () => {
    stage.send('USDT', OWNER, '25');
    await mine(6);
    stage.spend(OWNER, USDT, 20n * ONE);
    stage.chain.reorganize(6, 'DROP');
    await stage.sync();
    await stage.sync();
    expect([stage.stopped, stage.debts.has(OWNER), stage.debts.has(OTHER)]).toEqual([[OWNER], true, false]);
    expect(stage.debts.refusalOf(OWNER)?.detail.values).toEqual({ owed: '20 USDT' });
    stage.restart();
    await stage.sync();
    expect(stage.debts.has(OWNER)).toBe(true);
    for (const { transferId } of stage.exchange.pendingTransfers()) {
      stage.exchange.apply(0, { kind: 'void-pending', transferId });
      stage.exchange.takeEvents();
    }
    await stage.sync();
    expect([stage.debts.has(OWNER), stage.spot(OWNER, USDT), await debts()]).toEqual([false, 0n, []]);
  });

  it('are made once where the process ends between the row and the command, or between the command and its answer', async () => {
    for (const place of ['before the ledger', 'after the ledger', 'after a transaction', 'before a transaction']) {
      const before = stage.spot(OWNER, USDT);
      stage.send('USDT', OWNER, '25');
      await mine(5);
      stage.chain.mine(1);
      await stage.watcher.catchUp();
      let passed = 0;
      await stage.syncUnder((where) => {
        if (where !== place) return;
        passed += 1;
        throw new Killed(where);
      });
      expect(passed, place).toBeGreaterThan(0);
      stage.restart();
      await stage.sync();
      await stage.sync();
      expect(stage.spot(OWNER, USDT) - before, place).toBe(25n * ONE);
    }
    expect(await count('deposit_movements')).toBe(4);
  });

  it('are made once where two processes, or two rounds of one, are at it at the same time', async () => {
    for (let sent = 0; sent < 30; sent += 1) stage.send('USDT', sent % 2 === 0 ? OWNER : OTHER, '2');
    stage.chain.mine(6);
    await stage.watcher.catchUp();
    const rounds = [stage.crediting, stage.beside().crediting, stage.crediting, stage.beside().crediting];
    await Promise.allSettled(rounds.map((crediting) => crediting.run()));
    await stage.sync();
    expect([stage.spot(OWNER, USDT), stage.spot(OTHER, USDT)]).toEqual([30n * ONE, 30n * ONE]);
    expect([await count('deposit_movements'), stage.custody(USDT)]).toEqual([30, -60n * ONE]);
  });

  it('are not taken back where the chain is found to have them while that is decided', async () => {
    stage.send('USDT', OWNER, '25');
    await mine(6);
    stage.chain.reorganize(6, 'WAIT');
    await stage.watcher.catchUp();
    const store = createCreditingStore(database);
    await store.begin();
    const lost = await store.lost();
    expect(lost).toHaveLength(1);
    stage.chain.mine(1);
    await stage.watcher.catchUp();
    await expect(store.reverse(lost, [], 0, [])).rejects.toThrow('found again');
    await mine(6);
    expect([await states(), stage.spot(OWNER, USDT), await debts()]).toEqual([['CREDITED'], 25n * ONE, []]);
  });

  it('are looked for by an index in their order, however many wait or are done', async () => {
    const lookedFor = `SELECT id FROM deposits WHERE network = 'ERC20' AND coin = 'ETH' AND state = 'SEEN' AND NOT is_refused
      AND height <= 5 ORDER BY height, id LIMIT 20`;
    const plan = await database.transaction([
      { sql: 'SET LOCAL enable_seqscan = off' },
      { sql: `EXPLAIN ${lookedFor}` },
    ]);
    expect(JSON.stringify(plan)).toMatch(/deposits_due(?!.*Sort)/);
  });

  it('are of the oldest that are deep enough, of whatever coin', async () => {
    for (const [coin, amount] of [
      ['ETH', '1'],
      ['USDT', '2'],
      ['ETH', '3'],
      ['USDT', '4'],
    ] as const)
      stage.send(coin, OWNER, amount);
    stage.chain.mine(6);
    await stage.watcher.catchUp();
    stage.send('ETH', OWNER, '5');
    stage.chain.mine(1);
    await stage.watcher.catchUp();
    const due = async (limit: number) =>
      (await createCreditingStore(database).due(stage.coins, limit)).map(({ coin, units, id }) => ({
        coin,
        units,
        id,
      }));
    const all = await due(20);
    expect(all.map(({ coin }) => coin)).toEqual(['ETH', 'USDT', 'ETH', 'USDT']);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort((left, right) => left - right));
    expect(await due(3)).toEqual(all.slice(0, 3));
    await stage.sync();
  });

  it('go on behind one that the ledger refuses, which is left to an operator', async () => {
    const usdt = stage.coins.find(({ coin }) => coin === 'USDT')?.contract?.toLowerCase() ?? '';
    // The ledger issues 2^60 units at most: room is left for the small one alone.
    const units = (2n ** 58n - 50n * ONE) / 100n;
    for (let sent = 0; sent < 5; sent += 1) stage.chain.send({ contract: usdt, address: address(OTHER), units });
    stage.send('USDT', OWNER, '7');
    await mine(6);
    await stage.sync();
    expect(await states()).toEqual(['CREDITED', 'CREDITED', 'CREDITED', 'CREDITED', 'SEEN', 'CREDITED']);
    expect(stage.spot(OWNER, USDT)).toBe(7n * ONE);
    expect([await count('deposits WHERE is_refused'), stage.alarms]).toEqual([1, ['deposit-refused']]);
  });

  it('leave an amount that no account could hold to an operator', async () => {
    stage.chain.send({ contract: null, address: address(OWNER), units: 2n ** 250n });
    await mine(6);
    expect([await states(), await count('unlisted_deposits')]).toEqual([[], 1]);
  });
});

describe('a full block of deposits', () => {
  it('is credited a few at a time, with the most of the time left to orders', async () => {
    const [deposits, workMs] = [80, 30];
    let planned: Movement[] = [];
    let next = 0;
    const turns: { at: number; size: number }[] = [];
    const store = {
      begin: async () => {},
      due: async (_coins: unknown, limit: number) => {
        const ids = Array.from({ length: Math.min(limit, deposits - next) }, (_, index) => next + index);
        const about = { owner: OWNER, coin: 'ETH', asset: ETH, network: 'ERC20', address: '', dust: 0n };
        return ids.map((id) => ({ ...about, id, units: 10n ** 18n }));
      },
      debts: async () => [],
      undone: async () => planned,
      plan: async (credits: readonly Omit<Movement, 'sequence' | 'source'>[]) => {
        planned = credits.map((credit, index) => ({ ...credit, source: CREDITS, sequence: next + index + 1 }));
        next += credits.length;
      },
      byIds: async (ids: readonly number[]) =>
        ids.map((id) => ({
          id,
          owner: OWNER,
          coin: 'ETH',
          asset: ETH,
          network: 'ERC20',
          address: '',
          units: 10n ** 18n,
        })),
      credited: async () => {
        turns.push({ at: performance.now(), size: planned.length });
        planned = [];
        await new Promise((resolve) => setTimeout(resolve, workMs));
      },
      unlock: async () => [],
      lost: async () => [],
    } as unknown as CreditingStore;
    const crediting = new Crediting({
      store,
      ledger: { submit: async () => 'done', available: () => ({ spot: 0n, funding: 0n, future: 0n }) },
      debts: new Debts(() => undefined),
      stopOrders: async () => true,
      networks: { all: async () => [{ coin: 'ETH', network: 'ERC20', chain_scale: 18 }] as never },
      notices: { of: () => [] },
      erasedOf: async () => new Set(),
      alarms: { statement: () => ({ sql: '' }) },
      scaleOf: () => 8,
      onChange: async () => {},
      clock: { now: () => 0 },
    });
    await crediting.run();
    expect(turns.map(({ size }) => size)).toEqual([20, 20, 20, 20]);
    const apart = turns.slice(1).map(({ at }, index) => at - turns[index]!.at);
    // A timer may be early by less than a millisecond.
    expect(Math.min(...apart)).toBeGreaterThan(2 * workMs - 2);
  });
});
