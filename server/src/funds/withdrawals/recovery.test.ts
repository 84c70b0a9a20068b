/** Nothing leaves twice and nothing is lost, wherever the process ends and whatever is wanted at once. */
import { Random } from '@cambist/core/simulation/random.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { type Fate, Killed } from '../../../test/mortal-database.ts';
import { NEXT } from '../../../test/payouts-table.ts';
import { seedsTo } from '../../../test/suite.ts';
import { createWithdrawalStage, FUNDS, type WithdrawalStage } from '../../../test/withdrawal-stage.ts';
import type { Database } from '../../platform/database.ts';
import { CANCELLABLE } from './store.ts';

const ENDED = ['SETTLED', 'REFUSED', 'CANCELLED', 'FAILED'];
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

describe.each(databaseKinds)('withdrawals and a process that ends anywhere (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let stage: WithdrawalStage;

  beforeAll(async () => {
    ({ database, close } = await openMigrated(kind));
  });
  afterAll(() => close());

  /** The `nth` point at which something lasts is the last one. */
  function endingAt(nth: number): Fate {
    let passed = 0;
    return (where) => {
      passed += 1;
      if (passed > nth) throw new Killed(where);
    };
  }

  /** Everything comes to its end: what an operator has left is refused, what is on a chain is final or has failed. */
  async function finish(): Promise<void> {
    for (let round = 0; round < 8; round += 1) {
      stage.tick(20_000);
      await stage.processing.run();
      for (const one of await stage.all()) if (one.stage === 'APPROVAL') await stage.cancel(one, 'REFUSED');
      for (const { reference, state } of await stage.payouts.all()) {
        if (state !== 'FAILED') await stage.payouts.bring(reference, 'FINAL', 6);
      }
    }
  }

  /** From rows and payouts alone: what each client must have, and what must have left. */
  async function expectInOrder(): Promise<void> {
    const all = await stage.all();
    expect(all.filter((one) => !ENDED.includes(one.stage))).toEqual([]);
    expect(stage.exchange.pendingTransfers()).toEqual([]);
    const settled = all.filter((one) => one.stage === 'SETTLED');
    const [internal, external] = [true, false].map((is) => settled.filter((one) => (one.receiver !== null) === is));
    for (const owner of stage.owners) {
      const given = sum(settled.filter((one) => one.owner === owner).map(({ amount }) => amount));
      const got = sum(internal!.filter((one) => one.receiver === owner).map(({ amount }) => amount));
      expect([owner, stage.available(owner), stage.pending(owner)]).toEqual([owner, FUNDS - given + got, 0n]);
    }
    expect(stage.custody()).toBe(sum(external!.map(({ amount, fee }) => amount - fee)));
    expect(stage.fees()).toBe(sum(external!.map(({ fee }) => fee)));
    const paid = (await stage.payouts.all()).filter(({ state }) => state === 'FINAL');
    const left = external!.map(({ id, amount, fee }) => `${id} ${amount - fee}`);
    expect(paid.map(({ reference, units }) => `${reference} ${units}`).toSorted()).toEqual(left.toSorted());
    const received = await database.query<{ withdrawal: number; owner: number; amount: bigint }>(
      'SELECT withdrawal, owner, amount::numeric FROM internal_receipts WHERE withdrawal = ANY ($1::int8[]) ORDER BY withdrawal',
      [all.map(({ id }) => id)],
    );
    const sent = internal!.map(({ id, receiver, amount, fee }) => ({
      ...{ withdrawal: id, owner: receiver, amount: amount - fee },
    }));
    expect(received).toEqual(sent.toSorted((one, other) => one.withdrawal - other.withdrawal));
  }

  async function act(random: Random): Promise<unknown> {
    const what = random.between(0, 99);
    const [owner, other] = [random.pick(stage.owners), random.pick(stage.owners)];
    if (what < 35) {
      const amount = String(random.between(30, 900));
      const key = random.between(0, 1) === 0 ? undefined : `key-${random.between(0, 20)}`;
      return stage.request(owner, amount, random.between(0, 3) === 0 && owner !== other ? other : undefined, key);
    }
    if (what < 60) return stage.processing.run();
    const all = await stage.all();
    const open = all.filter((one) => CANCELLABLE.some((name) => name === one.stage));
    if (what < 75 && open.length > 0) return stage.cancel(random.pick(open));
    if (what < 85 && open.length > 0) return stage.approve(random.pick(open), random.pick(stage.owners));
    const payouts = (await stage.payouts.all()).filter(({ state }) => NEXT[state].length > 0);
    if (payouts.length === 0) return undefined;
    const { reference, state } = random.pick(payouts);
    return stage.payouts.bring(reference, random.pick(NEXT[state]), random.between(1, 9));
  }

  it.each(seedsTo(4))('end in order after whatever a seed brings (%i)', async (seed) => {
    const random = new Random(seed);
    stage = await createWithdrawalStage(database, 3);
    let ends = 0;
    for (let step = 0; step < 60; step += 1) {
      const lives = random.between(0, 2) === 0 ? random.between(0, 14) : Number.POSITIVE_INFINITY;
      const works = random.between(0, 2) === 0 ? 3 : 1;
      const ended = await stage.under(endingAt(lives), async () => {
        const beside = random.between(0, 9) === 0 ? stage.beside().run() : undefined;
        const done = await Promise.allSettled([...Array.from({ length: works }, () => act(random)), beside]);
        const failed = done.find((one) => one.status === 'rejected' && !(one.reason instanceof Killed));
        if (failed?.status === 'rejected') throw failed.reason;
      });
      if (ended) ends += 1;
    }
    expect(ends).toBeGreaterThan(5);
    await finish();
    expect((await stage.all()).length).toBeGreaterThan(8);
    await expectInOrder();
  });

  it('go on from each single step, whether they leave by a chain or stay inside', async () => {
    for (let at = 0; at < 400; at += 1) {
      stage = await createWithdrawalStage(database, 2);
      const [from, to] = stage.owners as [number, number];
      const ended = await stage.under(endingAt(at), async () => {
        await stage.request(from, '100');
        await stage.request(from, '50', to);
        await stage.processing.run();
        for (const state of ['SIGNED', 'BROADCAST', 'MINED', 'FINAL'] as const) {
          for (const { reference } of await stage.payouts.all()) await stage.payouts.bring(reference, state, 6);
          await stage.processing.run();
        }
      });
      await finish();
      await expectInOrder();
      if (!ended) return;
    }
    throw new Error('The steps have no end');
  });

  it('are carried out where the same key asks again at once after the process has ended in the middle', async () => {
    for (let at = 0; at < 100; at += 1) {
      stage = await createWithdrawalStage(database, 1);
      const [owner] = stage.owners as [number];
      const ask = () => stage.request(owner, '100', undefined, 'key');
      const ended = await stage.under(endingAt(at), async () => void (await ask()));
      const again = await ask();
      expect([at, again.ok]).toEqual([at, true]);
      await finish();
      await expectInOrder();
      // An operator has looked at it, and so at one that was held.
      const held = (await stage.all()).filter((one) => one.stage === 'REFUSED');
      expect([at, held.length, again.ok && again.value.id]).toEqual([at, 1, held[0]?.id]);
      if (!ended) return;
    }
    throw new Error('The steps have no end');
  });

  it('are signed or cancelled, never both, however often both are tried at once', async () => {
    stage = await createWithdrawalStage(database, 1);
    const [owner] = stage.owners as [number];
    const outcomes = new Set<string>();
    for (let at = 0; at < 12; at += 1) {
      const asked = await stage.request(owner, '100');
      if (!asked.ok) throw new Error(asked.error.kind);
      const works = [() => stage.processing.run(), () => stage.cancel(asked.value), () => stage.beside().run()];
      const order = at % 2 === 0 ? works : works.toReversed();
      await Promise.all(order.map((work) => work()));
      const one = (await stage.all()).at(-1)!;
      outcomes.add(one.stage);
      const planned = (await stage.payouts.all()).filter(({ reference }) => reference === one.id).length;
      expect(`${one.stage} ${planned}`).toBe(one.stage === 'CANCELLED' ? 'CANCELLED 0' : 'SIGNING 1');
    }
    expect(outcomes.size).toBeGreaterThan(0);
    await finish();
    await expectInOrder();
  });

  it('of twenty at once take no more than there is, and one key leads to one', async () => {
    stage = await createWithdrawalStage(database, 2);
    const [rich, same] = stage.owners as [number, number];
    const many = await Promise.all(Array.from({ length: 20 }, () => stage.request(rich, '900')));
    expect(many.filter(({ ok }) => ok).length).toBe(11);
    const alike = await Promise.all(Array.from({ length: 20 }, () => stage.request(same, '100', undefined, 'one')));
    expect(new Set(alike.map((one) => (one.ok ? one.value.id : one.error.kind))).size).toBe(1);
    const other = await stage.request(same, '101', undefined, 'one');
    expect(other.ok ? '' : other.error.kind).toBe('key-reused');
    expect(stage.available(same)).toBe(FUNDS - 100n * 10n ** 8n);
    await finish();
    await expectInOrder();
  });
});
