import type { WitnessName } from '@cambist/contract/transfers.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import type { Database } from '../../platform/database.ts';
import { createLogger } from '../../platform/logger.ts';
import { Confirmer, type Reserved, type Testimony } from './confirmer.ts';
import { createTransferStore, type Transfer, type TransferStore } from './store.ts';

const NAMES: readonly WitnessName[] = ['JOURNAL', 'TABLES', 'RECONCILER', 'SNAPSHOT', 'BALANCES'];
const PATIENCE_MS = 60_000;

describe.each(databaseKinds)('the confirmations of a transfer (%s)', (kind) => {
  let database: Database;
  let store: TransferStore;
  let remove: () => Promise<void>;
  let now: number;
  let nextId = 0;
  let testimonies: Map<WitnessName, Testimony | Error>;
  /** What the ledger holds reserved, and how each ended there. */
  let open: Map<number, Reserved>;
  let ended: [number, 'post' | 'void'][];
  let seen: Transfer[];
  let alarms: string[];
  let ledgerIsAway: boolean;
  let confirmer: Confirmer;

  const reserve = (): Reserved => {
    nextId += 1;
    const reserved: Reserved = {
      id: nextId,
      owner: 200,
      from: 'SPOT',
      to: 'FUTURE',
      asset: 0,
      amount: 1_500n,
      batch: 7,
      createdAt: now,
    };
    open.set(nextId, reserved);
    return reserved;
  };
  const create = () =>
    new Confirmer({
      store,
      ledger: {
        async end(id, decision) {
          if (ledgerIsAway) throw new Error('The ledger is away');
          // As the core does: an end that was committed before is not found again, and changes nothing.
          if (open.delete(id)) ended.push([id, decision]);
        },
        pending: () => [...open.values()],
      },
      witnesses: NAMES.map((name) => ({
        name,
        async testify() {
          const testimony = testimonies.get(name) ?? 'waiting';
          if (testimony instanceof Error) throw testimony;
          return testimony;
        },
      })),
      patienceMs: PATIENCE_MS,
      everyMs: 1_000_000,
      onChange: (transfer) => seen.push(transfer),
      told: (_transfer, change) => change,
      alarm: async (alarm) => void alarms.push(alarm),
      clock: { now: () => now },
      logger: createLogger('silent'),
    });
  const stored = async (id: number) => (await store.find(200, id)) as Transfer;
  const all = (testimony: Testimony) => {
    for (const name of NAMES) testimonies.set(name, testimony);
  };

  beforeAll(async () => {
    const { database: opened, source } = await openMigrated(kind);
    database = opened;
    store = createTransferStore(database);
    remove = () => source.remove();
  });
  afterAll(async () => {
    await database.close();
    await remove();
  });
  beforeEach(() => {
    now = 1_700_000_000_000;
    testimonies = new Map();
    open = new Map();
    ended = [];
    seen = [];
    alarms = [];
    ledgerIsAway = false;
    confirmer = create();
  });
  afterEach(async () => {
    all('confirmed');
    ledgerIsAway = false;
    await confirmer.check();
    await confirmer.close();
  });

  it('a transfer stays pending until its witnesses confirm it, and the count grows with each (T-transfer-17)', async () => {
    const { id } = await confirmer.take(reserve());
    expect(await stored(id)).toMatchObject({ state: 'PENDING', required: 5, confirmed: {} });
    for (const [index, name] of NAMES.entries()) {
      testimonies.set(name, 'confirmed');
      now += 1_000;
      await confirmer.check();
      expect(Object.keys(seen.at(-1)?.confirmed ?? {})).toHaveLength(index + 1);
    }
    expect(ended).toEqual([[id, 'post']]);
    expect(await stored(id)).toMatchObject({ state: 'COMPLETED', decision: 'post', reason: '' });
    expect((await stored(id)).confirmed).toMatchObject({ JOURNAL: 1_700_000_001_000, BALANCES: 1_700_000_005_000 });
    expect(seen.at(-1)).toMatchObject({ id, state: 'COMPLETED' });
    expect(confirmer.pendingCount).toBe(0);
  });

  it('is reversed at once when a witness finds something else', async () => {
    all('confirmed');
    testimonies.set('RECONCILER', 'mismatch');
    const { id } = await confirmer.take(reserve());
    await confirmer.check();
    expect(ended).toEqual([[id, 'void']]);
    expect(await stored(id)).toMatchObject({ state: 'REVERSED', reason: 'MISMATCH' });
    expect(alarms).toEqual(['transfer-contradicted']);
  });

  it('is reversed when a witness is silent for too long, and not before', async () => {
    all('confirmed');
    testimonies.set('SNAPSHOT', 'waiting');
    const { id } = await confirmer.take(reserve());
    now += PATIENCE_MS - 1;
    await confirmer.check();
    expect(ended).toEqual([]);
    now += 1;
    await confirmer.check();
    expect(await stored(id)).toMatchObject({ state: 'REVERSED', reason: 'NOT_CONFIRMED' });
  });

  it('a witness that cannot answer now is asked again, and takes no other transfer with it', async () => {
    all('confirmed');
    testimonies.set('TABLES', new Error('away'));
    const { id } = await confirmer.take(reserve());
    await confirmer.check();
    expect(await stored(id)).toMatchObject({ state: 'PENDING' });
    testimonies.set('TABLES', 'confirmed');
    await confirmer.check();
    expect(await stored(id)).toMatchObject({ state: 'COMPLETED' });
  });

  it('a decision survives a restart and is carried out once, whatever the witnesses say then', async () => {
    all('confirmed');
    ledgerIsAway = true;
    const { id } = await confirmer.take(reserve());
    await confirmer.check();
    expect(await stored(id)).toMatchObject({ state: 'PENDING', decision: 'post' });
    await confirmer.close();
    ledgerIsAway = false;
    all('mismatch');
    confirmer = create();
    await confirmer.restore();
    await confirmer.check();
    expect(ended).toEqual([[id, 'post']]);
    expect(await stored(id)).toMatchObject({ state: 'COMPLETED' });
  });

  it('an end that the ledger had committed before the restart is written down', async () => {
    const { id } = await confirmer.take(reserve());
    await store.decide(id, 'void', 'NOT_CONFIRMED', now);
    open.delete(id);
    await confirmer.close();
    confirmer = create();
    await confirmer.restore();
    await confirmer.check();
    expect(await stored(id)).toMatchObject({ state: 'REVERSED', reason: 'NOT_CONFIRMED' });
  });

  it('what the ledger reserved without a row gets one after a restart', async () => {
    const reserved = reserve();
    await confirmer.restore();
    all('confirmed');
    await confirmer.check();
    expect(await stored(reserved.id)).toMatchObject({ state: 'COMPLETED', amount: 1_500n, from: 'SPOT', to: 'FUTURE' });
  });

  it('a transfer that ended in the ledger without a decision stops the start', async () => {
    const { id } = await confirmer.take(reserve());
    open.delete(id);
    await confirmer.close();
    confirmer = create();
    await expect(confirmer.restore()).rejects.toThrow(/without a decision/);
    await store.decide(id, 'void', 'MISMATCH', now);
    await store.end(id, 'REVERSED', now);
  });

  it('lists the transfers of one client, newest first, by state and page', async () => {
    all('confirmed');
    const first = await confirmer.take(reserve());
    await confirmer.check();
    testimonies.clear();
    const second = await confirmer.take(reserve());
    const ids = async (filter: object) =>
      (await store.list({ owner: 200, before: undefined, limit: 2, state: undefined, ...filter })).map(({ id }) => id);
    expect(await ids({})).toEqual([second.id, first.id]);
    expect(await ids({ before: second.id, limit: 1 })).toEqual([first.id]);
    expect(await ids({ state: 'PENDING' })).toEqual([second.id]);
    expect(await ids({ owner: 201 })).toEqual([]);
  });
});
