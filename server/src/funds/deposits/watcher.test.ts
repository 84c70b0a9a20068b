/** How far a chain is read, and what stops it. */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { ASSETS, address, createDepositStage, type DepositStage } from '../../../test/deposit-stage.ts';
import type { Database } from '../../platform/database.ts';
import { DevelopmentChain } from '../chains/development-chain.ts';
import { KEPT_BLOCKS } from './chain-store.ts';

const OWNER = 1001;
const USDT = ASSETS[0]?.id ?? 0;
const ONE = 100_000_000n;

describe.each(databaseKinds)('reading a chain (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let stage: DepositStage;

  beforeAll(async () => {
    ({ database, close } = await openMigrated(kind));
  });
  beforeEach(async () => {
    stage = await createDepositStage(database, [OWNER]);
  });
  afterEach(() => stage.remove());
  afterAll(() => close());

  const states = async () =>
    (await database.query<{ state: string }>('SELECT state FROM deposits ORDER BY id')).map(({ state }) => state);

  it('begins at the newest block, and goes on from there after any pause', async () => {
    stage.send('USDT', OWNER, '2');
    stage.chain.mine(1);
    expect(stage.watcher.trouble).toBe('AWAY');
    await stage.sync();
    expect([await states(), stage.watcher.trouble]).toEqual([[], null]);
    stage.send('USDT', OWNER, '3');
    stage.chain.mine(100);
    stage.restart();
    await stage.sync();
    expect([await states(), stage.spot(OWNER, USDT)]).toEqual([['UNLOCKED'], 3n * ONE]);
    const kept = await database.query<{ n: number }>('SELECT count(*)::int4 AS n FROM chain_blocks');
    expect(kept[0]?.n).toBe(101);
  });

  it('keeps the hashes of the last blocks alone', async () => {
    await stage.sync();
    stage.chain.mine(KEPT_BLOCKS + 50);
    await stage.sync();
    const kept = await database.query<{ n: number }>('SELECT count(*)::int4 AS n FROM chain_blocks');
    expect(kept[0]?.n).toBe(KEPT_BLOCKS);
  });

  it('stops with an alarm where a branch begins below all that is known, and credits nothing until it is looked at', async () => {
    await stage.sync();
    stage.chain.mine(KEPT_BLOCKS + 50);
    stage.send('USDT', OWNER, '2');
    stage.chain.mine(5);
    await stage.sync();
    stage.chain.reorganize(KEPT_BLOCKS + 20, 'KEEP');
    await stage.sync();
    stage.chain.mine(50);
    await stage.sync();
    expect([stage.watcher.trouble, stage.alarms, await states()]).toEqual(['SPLIT', ['chain-split'], ['SEEN']]);
    // What an operator does who has found the new branch to be right.
    const block = await stage.chain.header(20);
    const values = [block?.height ?? 0, block?.hash ?? ''];
    await database.query(
      `UPDATE chain_cursors SET height = $1, hash = $2, stopped = '' WHERE network = 'ERC20'`,
      values,
    );
    await stage.sync();
    expect([stage.watcher.trouble, await states(), stage.spot(OWNER, USDT)]).toEqual([null, ['UNLOCKED'], 2n * ONE]);
  });

  it('stops while an operator has paused it, and finds afterwards what came meanwhile', async () => {
    await stage.sync();
    await database.query(`UPDATE chain_cursors SET stopped = 'PAUSED'`);
    stage.send('USDT', OWNER, '2');
    stage.chain.mine(10);
    await stage.sync();
    expect([stage.watcher.trouble, await states()]).toEqual(['PAUSED', []]);
    await database.query(`UPDATE chain_cursors SET stopped = ''`);
    await stage.sync();
    expect([stage.watcher.trouble, await states()]).toEqual([null, ['CREDITED']]);
  });

  it('waits for a node that has fewer blocks than were read, and takes nothing back for it', async () => {
    await stage.sync();
    stage.send('USDT', OWNER, '2');
    stage.chain.mine(8);
    await stage.sync();
    const ahead = stage.chain;
    const behind = { ...(await ahead.header(3)), height: 3 };
    const head = ahead.head.bind(ahead);
    ahead.head = async () => behind as Awaited<ReturnType<typeof head>>;
    await stage.sync();
    expect([stage.watcher.trouble, await states()]).toEqual(['BEHIND', ['CREDITED']]);
    ahead.head = head;
    await stage.sync();
    expect(stage.watcher.trouble).toBeNull();
  });
});

describe('a chain of development', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'cambist-chain-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  const open = () => new DevelopmentChain('BTC', directory, { now: () => 1 });

  it('is the same after a restart, also where the process ended within a line', async () => {
    const chain = open();
    chain.send({ contract: null, address: address(1), units: 5n });
    chain.mine(3);
    chain.send({ contract: null, address: address(2), units: 7n });
    chain.reorganize(2, 'KEEP');
    const kept = { blocks: chain.lastBlocks(100), waiting: chain.waiting };
    appendFileSync(join(directory, 'development-chains/BTC.jsonl'), '{"mined":{"height":9');
    const again = open();
    expect({ blocks: again.lastBlocks(100), waiting: again.waiting }).toEqual(kept);
    again.mine(1);
    expect((await open().head()).hash).toBe((await again.head()).hash);
  });

  it('makes blocks while a payment waits or confirms, and none after', () => {
    const chain = open();
    expect(chain.isBusy).toBe(false);
    chain.send({ contract: null, address: address(1), units: 5n });
    let blocks = 0;
    for (; chain.isBusy; blocks += 1) chain.mine(1);
    expect(blocks).toBeGreaterThan(64);
    expect(blocks).toBeLessThan(100);
  });
});
