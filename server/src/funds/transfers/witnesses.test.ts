import type { WitnessName } from '@cambist/contract/transfers.ts';
import { EventBatch } from '@cambist/core/events/event-batch.ts';
import { MarketIds } from '@cambist/core/instruments/market-ids.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CommittedBatch } from '../../exchange/engine/service.ts';
import { accountsOf } from './ledger.ts';
import type { Transfer } from './store.ts';
import { createWitnesses, type WitnessSources } from './witnesses.ts';

const transfer: Transfer = {
  id: 9,
  owner: 200,
  from: 'SPOT',
  to: 'FUTURE',
  asset: 3,
  amount: 500n,
  batch: 40,
  required: 5,
  confirmed: {},
  decision: '',
  reason: '',
  state: 'PENDING',
  createdAt: 0,
  updatedAt: 0,
};
const { payer, reserve, receiver } = accountsOf(transfer);

describe('the witnesses of a transfer', () => {
  let journaled: number;
  let proven: number;
  let snapshot: number;
  let snapshotLegs: typeof legs;
  let legs: { from: number; to: number; amount: bigint }[];
  let memory: Map<number, bigint>;
  let tables: Map<number, bigint>;
  let tablesBatch: number;
  /** Runs while the tables catch up. */
  let meanwhile: () => void;
  let listener: ((batch: CommittedBatch) => void) | undefined;

  const sources: WitnessSources = {
    journalHolds: async (batch) => batch <= journaled,
    caughtUp: async () => meanwhile(),
    hasProven: (batch) => batch <= proven,
    snapshotLegs: async (id, batch) => (batch > snapshot ? undefined : id === transfer.id ? snapshotLegs : []),
    balance: (account) => memory.get(account) ?? 0n,
    feed: {
      subscribe(heard) {
        listener = heard;
        return () => {
          listener = undefined;
        };
      },
    },
    ledger: {
      legsOf: async () => legs,
      balances: async (accounts) => ({
        batch: tablesBatch,
        trade: 0,
        amounts: accounts.map((account) => tables.get(account) ?? 0n),
      }),
    },
  };
  const testimony = async (name: WitnessName) => {
    const witness = createWitnesses(sources, 5).find((one) => one.name === name);
    return witness?.testify(transfer);
  };
  /** A batch that leaves an amount in an account, in memory and told to listeners. */
  const commit = (batch: number, account: number, amount: bigint) => {
    memory.set(account, amount);
    const events = new EventBatch(new MarketIds());
    events.balanceKeys[0] = account;
    events.balances[0] = amount;
    events.balanceCount = 1;
    listener?.({ batch, time: 0, events } as CommittedBatch);
  };

  beforeEach(() => {
    journaled = 40;
    proven = 40;
    snapshot = 40;
    legs = [{ from: payer, to: receiver, amount: 500n }];
    snapshotLegs = legs;
    memory = new Map([
      [payer, 1_000n],
      [reserve, 500n],
      [receiver, 7n],
    ]);
    tables = new Map(memory);
    tablesBatch = 41;
    meanwhile = () => undefined;
  });

  it('all confirm what is there', async () => {
    const witnesses = createWitnesses(sources, 5);
    expect(await Promise.all(witnesses.map((witness) => witness.testify(transfer)))).toEqual(
      Array.from({ length: 5 }, () => 'confirmed'),
    );
    expect(createWitnesses(sources, 2).map(({ name }) => name)).toEqual(['JOURNAL', 'TABLES']);
  });

  it('journal, reconciler and snapshot are waited for until they are at its batch', async () => {
    journaled = 39;
    proven = 39;
    snapshot = 39;
    for (const name of ['JOURNAL', 'RECONCILER', 'SNAPSHOT'] as const) expect(await testimony(name)).toBe('waiting');
  });

  it('tables without it, or with another amount or receiver, contradict it', async () => {
    legs = [];
    expect(await testimony('TABLES')).toBe('mismatch');
    legs = [{ from: payer, to: receiver, amount: 501n }];
    expect(await testimony('TABLES')).toBe('mismatch');
    legs = [{ from: payer, to: payer, amount: 500n }];
    expect(await testimony('TABLES')).toBe('mismatch');
  });

  it('a second computation without it, or with another amount or receiver, contradicts it', async () => {
    for (const wrong of [
      [],
      [{ from: payer, to: receiver, amount: 501n }],
      [{ from: payer, to: payer, amount: 500n }],
    ]) {
      snapshotLegs = wrong;
      expect(await testimony('SNAPSHOT')).toBe('mismatch');
    }
  });

  it('a balance that differs, or a reserve that is too small, contradicts it', async () => {
    tables.set(receiver, 8n);
    expect(await testimony('BALANCES')).toBe('mismatch');
    tables.set(receiver, 7n);
    for (const side of [memory, tables]) side.set(reserve, 499n);
    expect(await testimony('BALANCES')).toBe('mismatch');
  });

  it('an account that changes meanwhile is compared as it was at the batch of the tables', async () => {
    meanwhile = () => {
      commit(41, payer, 900n);
      commit(42, payer, 800n);
    };
    tables.set(payer, 900n);
    expect(await testimony('BALANCES')).toBe('confirmed');
    tables.set(payer, 800n);
    expect(await testimony('BALANCES')).toBe('mismatch');
    tablesBatch = 42;
    expect(await testimony('BALANCES')).toBe('confirmed');
  });

  it('a change that is not committed yet is waited for, and no listener is left behind', async () => {
    meanwhile = () => memory.set(payer, 900n);
    expect(await testimony('BALANCES')).toBe('waiting');
    expect(listener).toBeUndefined();
  });
});
