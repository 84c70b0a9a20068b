/** Payouts by a chain of development, one thing at a time. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { createPayoutStage, type PayoutStage } from '../../../test/payout-stage.ts';
import type { Database } from '../../platform/database.ts';
import { forgetNewestSigned } from './service.ts';

const ETHER = 10n ** 18n;
const USDT = 10n ** 6n;
const to = (number: number) => `0x${number.toString(16).padStart(40, 'a')}`;

describe.each(databaseKinds)('payouts (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let stage: PayoutStage;

  beforeAll(async () => {
    ({ database, close } = await openMigrated(kind));
  });
  beforeEach(async () => {
    stage = await createPayoutStage(database);
  });
  afterEach(() => stage.remove());
  afterAll(() => close());

  async function mine(blocks: number): Promise<void> {
    for (let made = 0; made < blocks; made += 1) {
      stage.chain.mine(1);
      await stage.sync();
    }
  }

  it('go from planned to final, are paid once, and their cost comes to the ledger', async () => {
    await stage.plan(1, 'ETH', ETHER / 2n, to(1));
    await stage.plan(2, 'USDT', 75n * USDT, to(2));
    expect(await stage.payout(1)).toMatchObject({ state: 'PLANNED', transaction: null, confirmations: 0 });
    await stage.sync();
    expect([(await stage.payout(1)).state, (await stage.payout(2)).state]).toEqual(['BROADCAST', 'BROADCAST']);
    await mine(1);
    expect(await stage.payout(2)).toMatchObject({ state: 'MINED', confirmations: 1, cost: stage.chain.baseFee });
    await mine(11);
    expect([(await stage.payout(1)).state, (await stage.payout(2)).state]).toEqual(['FINAL', 'FINAL']);
    expect([stage.paid(to(1)), stage.paid(to(2))]).toEqual([
      { units: ETHER / 2n, count: 1 },
      { units: 75n * USDT, count: 1 },
    ]);
    expect(stage.chain.accounts.balance(stage.hot, null)).toBe(stage.start.ETH - ETHER / 2n - stage.fees());
    expect(await stage.booked()).toBe(2n * stage.chain.baseFee);
    expect(stage.alarms).toEqual([]);
  });

  it('that were final and leave their chain are sent again as the same bytes, which an operator is told once', async () => {
    await stage.plan(1, 'USDT', 75n * USDT, to(1));
    await stage.sync();
    await mine(13);
    const { state, transaction } = await stage.payout(1);
    expect(state).toBe('FINAL');
    stage.chain.reorganize(14, 'DROP');
    expect(stage.paid(to(1)).count).toBe(0);
    await stage.sync();
    await stage.plan(2, 'USDT', 5n * USDT, to(2));
    stage.chain.forget(transaction ?? '');
    await mine(1);
    expect([...stage.chain.pool.keys()]).toContain(transaction);
    await mine(13);
    expect([stage.paid(to(1)), stage.paid(to(2))]).toEqual([
      { units: 75n * USDT, count: 1 },
      { units: 5n * USDT, count: 1 },
    ]);
    expect([(await stage.payout(1)).transaction, (await stage.payout(2)).state]).toEqual([transaction, 'FINAL']);
    expect(stage.alarms.filter((one) => one.startsWith('payout-left-chain'))).toHaveLength(1);
    expect(await stage.booked()).toBe(2n * stage.chain.baseFee);
  });

  it('of one reference are one, for ever', async () => {
    await stage.plan(1, 'ETH', ETHER, to(1));
    await expect(stage.plan(1, 'ETH', ETHER, to(1))).rejects.toThrow();
    await stage.sync();
    await mine(12);
    await expect(stage.plan(1, 'ETH', ETHER, to(1))).rejects.toThrow();
  });

  const states = async (...references: number[]) =>
    Promise.all(references.map(async (reference) => (await stage.payout(reference)).state));
  const waits = async (reference: number) => (await stage.payout(reference)).waitsFor;

  it('go back with a reorganization, and are paid once where they are mined again or sent again', async () => {
    await stage.plan(1, 'ETH', ETHER, to(1));
    await stage.plan(2, 'USDT', USDT, to(2));
    await stage.sync();
    await mine(5);
    stage.chain.reorganize(6, 'DROP');
    await stage.sync();
    expect(await states(1, 2)).toEqual(['BROADCAST', 'BROADCAST']);
    expect(await stage.payout(1)).toMatchObject({ confirmations: 0, cost: null });
    await stage.sync();
    await mine(12);
    expect(await states(1, 2)).toEqual(['FINAL', 'FINAL']);
    expect([stage.paid(to(1)).count, stage.paid(to(2)).count]).toEqual([1, 1]);
  });

  it('that nodes have dropped go again as the same bytes, and close the gap that they have left (fault 6)', async () => {
    await stage.plan(1, 'ETH', ETHER, to(1));
    await stage.plan(2, 'ETH', ETHER, to(2));
    await stage.sync();
    const { transaction } = await stage.payout(1);
    stage.chain.forget(transaction ?? '');
    stage.chain.mine(1);
    expect(stage.paid(to(2)).count).toBe(0);
    await stage.sync();
    await mine(12);
    expect(await states(1, 2)).toEqual(['FINAL', 'FINAL']);
    expect((await stage.payout(1)).transaction).toBe(transaction);
  });

  it('whose fee has become too low are replaced, and either of both counts once (fault 7)', async () => {
    await stage.plan(1, 'ETH', ETHER, to(1));
    await stage.plan(2, 'ETH', ETHER, to(2));
    await stage.sync();
    const [first] = [...stage.chain.pool.values()];
    const usual = stage.chain.baseFee;
    stage.chain.baseFee *= 5n;
    await mine(10);
    expect((await stage.payout(1)).attempts.map(({ terms }) => terms)).toEqual([
      { format: 'development', nonce: 0, fee: usual },
      { format: 'development', nonce: 0, fee: 5n * usual },
    ]);
    // The next one waits for the first alone, and its fee is not raised before its turn.
    expect((await stage.payout(2)).attempts).toHaveLength(1);
    await mine(1);
    expect(await states(1, 2)).toEqual(['MINED', 'BROADCAST']);
    // The old one comes into a block all the same, on another branch.
    const replacement = (await stage.payout(1)).transaction ?? '';
    stage.chain.reorganize(1, 'WAIT');
    stage.chain.forget(replacement);
    stage.chain.baseFee = usual;
    expect(await stage.chain.sender.broadcast(first?.raw ?? '')).toBe('taken');
    await mine(13);
    expect(await states(1, 2)).toEqual(['FINAL', 'FINAL']);
    expect((await stage.payout(1)).transaction).toBe(first?.id);
    expect(stage.paid(to(1))).toEqual({ units: ETHER, count: 1 });
    expect(await stage.booked()).toBe(2n * usual);
  });

  it('are replaced when an operator asks for it, and wait where the signer does not allow the fee', async () => {
    await stage.plan(1, 'ETH', ETHER, to(1));
    await stage.sync();
    await stage.runner.replace((await stage.payout(1)).id);
    expect((await stage.payout(1)).attempts).toHaveLength(2);
    expect([...stage.chain.pool.values()].map(({ id }) => id)).toEqual([(await stage.payout(1)).transaction]);
    const policy = stage.policy.networks.ERC20;
    if (policy !== undefined) policy.fee_cap = stage.chain.baseFee;
    await stage.runner.replace((await stage.payout(1)).id);
    expect(await stage.payout(1)).toMatchObject({ waitsFor: 'FEE', state: 'BROADCAST', attempts: { length: 2 } });
    await mine(12);
    expect(await states(1)).toEqual(['FINAL']);
  });

  it('that the chain undoes have failed, and have cost their fee (fault 9)', async () => {
    await stage.plan(1, 'USDT', USDT, to(1));
    await stage.sync();
    stage.chain.refused.add(to(1));
    await mine(11);
    expect(await states(1)).toEqual(['MINED']);
    await mine(1);
    expect(await stage.payout(1)).toMatchObject({ state: 'FAILED', cost: stage.chain.baseFee });
    expect(stage.paid(to(1)).count).toBe(0);
    expect(await stage.booked()).toBe(stage.chain.baseFee);
    expect(stage.alarms).toEqual([expect.stringContaining('payout-undone')]);
  });

  it('that the chain would undo are not signed, and wait (fault 18)', async () => {
    stage.chain.refused.add(stage.usdt);
    await stage.plan(1, 'USDT', USDT, to(1));
    await stage.plan(2, 'ETH', ETHER, to(2));
    await stage.sync();
    expect([await waits(1), await states(1, 2)]).toEqual(['WOULD_FAIL', ['PLANNED', 'BROADCAST']]);
    stage.chain.refused.clear();
    stage.clock.at += 61_000;
    await stage.sync();
    await mine(12);
    expect(await states(1, 2)).toEqual(['FINAL', 'FINAL']);
  });

  it('wait where the hot wallet is short of their coin, with one alarm, and those of other coins go on (fault 10)', async () => {
    await stage.plan(1, 'USDT', stage.start.USDT + 1n, to(1));
    await stage.plan(2, 'USDT', USDT, to(2));
    await stage.plan(3, 'ETH', ETHER, to(3));
    await stage.sync();
    await stage.sync();
    expect(await states(1, 2, 3)).toEqual(['PLANNED', 'PLANNED', 'BROADCAST']);
    expect([await waits(1), await waits(2)]).toEqual(['FUNDS', 'FUNDS']);
    expect(new Set(stage.alarms).size).toBe(1);
    stage.chain.send({ contract: stage.usdt, address: stage.hot, units: 10n * USDT });
    await mine(13);
    expect(await states(1, 2, 3)).toEqual(['FINAL', 'FINAL', 'FINAL']);
  });

  it('raise no alarm again that an operator has acknowledged while its cause lasts, and do when it comes back', async () => {
    const policy = stage.policy.networks.ERC20;
    for (const coin of policy?.coins ?? []) if (coin.contract === stage.usdt) coin.most_per_payment = 500n * USDT;
    stage.chain.refused.add(to(2));
    await stage.plan(1, 'USDT', 600n * USDT, to(1));
    await stage.plan(2, 'USDT', USDT, to(2));
    await stage.plan(3, 'ETH', stage.start.ETH + 1n, to(3));
    const minutes = async (count: number) => {
      for (let minute = 0; minute < count; minute += 1) {
        stage.clock.at += 61_000;
        await stage.sync();
      }
    };
    await minutes(4);
    const kinds = () => stage.alarms.map((alarm) => alarm.split(':')[0]).toSorted();
    expect(kinds()).toEqual(['hot-wallet-short', 'payout-refused', 'payout-would-fail']);
    stage.chain.send({ contract: null, address: stage.hot, units: ETHER });
    await mine(13);
    expect(await states(3)).toEqual(['FINAL']);
    await stage.plan(4, 'ETH', stage.start.ETH, to(4));
    await minutes(4);
    expect(kinds()).toEqual(['hot-wallet-short', 'hot-wallet-short', 'payout-refused', 'payout-would-fail']);
  });

  /** More than one run looks at. */
  const MANY = 520;

  it('of another coin go on behind more that wait than one run looks at, and so do the coins that end the wait', async () => {
    await stage.plan(1, 'USDT', stage.start.USDT + 1n, to(1));
    for (let reference = 2; reference <= MANY; reference += 1) await stage.plan(reference, 'USDT', USDT, to(2));
    await stage.plan(MANY + 1, 'ETH', ETHER, to(3));
    for (let runs = 0; runs < 4; runs += 1) await stage.sync();
    expect(await states(1, MANY, MANY + 1)).toEqual(['PLANNED', 'PLANNED', 'BROADCAST']);
  });

  it('have failed where another transaction of the hot wallet has their nonce for good, and not before', async () => {
    await stage.plan(1, 'ETH', ETHER, to(1));
    await stage.sync();
    const [own] = [...stage.chain.pool.values()];
    const payment = { network: 'ERC20' as const, contract: null, address: to(99), units: 1n };
    const terms = { format: 'development' as const, nonce: 0, fee: 2n * stage.chain.baseFee };
    // With the keys, and past the record of the signer.
    const other = await stage.otherSigner().sign({ id: 'other', attempt: 1, source: null, payment, terms });
    if (!other.ok || own === undefined) throw new Error('Not signed');
    expect(await stage.chain.sender.broadcast(other.raw)).toBe('taken');
    await mine(11);
    expect(await states(1)).toEqual(['BROADCAST']);
    await mine(1);
    expect(await stage.payout(1)).toMatchObject({ state: 'FAILED', cost: null });
    expect(stage.alarms).toEqual([expect.stringContaining('payout-replaced')]);
  });

  it('that the signer refuses wait, give their nonce to the next, and can be given up before they are signed (fault 4)', async () => {
    const policy = stage.policy.networks.ERC20;
    for (const coin of policy?.coins ?? []) if (coin.contract === stage.usdt) coin.most_per_payment = 5n * USDT;
    await stage.plan(1, 'USDT', 6n * USDT, to(1));
    await stage.plan(2, 'USDT', 5n * USDT, to(2));
    await stage.sync();
    expect([await waits(1), await states(1, 2)]).toEqual(['REFUSED_BY_SIGNER', ['PLANNED', 'BROADCAST']]);
    expect([(await stage.payout(1)).nonce, (await stage.payout(2)).nonce]).toEqual([null, 0]);
    await mine(12);
    expect(await states(2)).toEqual(['FINAL']);
    expect(await stage.store.giveUp(await stage.payout(2), stage.clock.now())).toBe(false);
    expect(await stage.store.giveUp(await stage.payout(1), stage.clock.now())).toBe(true);
    stage.clock.at += 61_000;
    await mine(2);
    expect([await states(1), stage.paid(to(1)).count]).toEqual([['FAILED'], 0]);
  });

  it('are neither signed nor sent while they are paused, and go on afterwards', async () => {
    await stage.plan(1, 'ETH', ETHER, to(1));
    await stage.sync();
    await stage.store.pause('ERC20', true);
    await stage.plan(2, 'ETH', ETHER, to(2));
    await mine(12);
    expect([await states(1, 2), await waits(2)]).toEqual([['FINAL', 'PLANNED'], 'PAUSED']);
    await stage.store.pause('ERC20', false);
    await stage.sync();
    expect(await states(2)).toEqual(['BROADCAST']);
  });

  it('say why they wait in one step, however many there are: a process that is soon killed gets on all the same', async () => {
    await stage.store.pause('ERC20', true);
    const references = Array.from({ length: 60 }, (_, index) => index + 1);
    for (const reference of references) await stage.plan(reference, 'ETH', ETHER, to(reference));
    let steps = 0;
    await stage.syncUnder((where) => {
      if (where === 'before a transaction') steps += 1;
    });
    expect(new Set(await Promise.all(references.map(waits)))).toEqual(new Set(['PAUSED']));
    expect(steps).toBe(1);
  });

  it('of a database that was set back are found at the signer, and not paid again; another payment is refused (fault 4)', async () => {
    await stage.plan(1, 'ETH', ETHER, to(1));
    await stage.plan(2, 'ETH', 2n * ETHER, to(2));
    await stage.sync();
    await mine(12);
    await database.transaction([
      { sql: 'DELETE FROM payout_attempts' },
      { sql: 'DELETE FROM payout_costs' },
      { sql: 'DELETE FROM payouts' },
      { sql: 'UPDATE payout_networks SET next_nonce = 0' },
    ]);
    await stage.plan(2, 'ETH', 2n * ETHER, to(2));
    await stage.plan(1, 'ETH', 3n * ETHER, to(1));
    await stage.plan(3, 'ETH', ETHER, to(3));
    await mine(14);
    expect([await waits(1), await states(1, 2, 3)]).toEqual(['REFUSED_BY_SIGNER', ['PLANNED', 'FINAL', 'FINAL']]);
    expect([1, 2, 3].map((reference) => stage.paid(to(reference)).count)).toEqual([1, 1, 1]);
  });

  it('wait while the record of the signer is set back, and go on once it is whole or an operator accepts it (fault 4)', async () => {
    await stage.plan(1, 'ETH', ETHER, to(1));
    await stage.sync();
    const before = readFileSync(stage.record);
    await stage.plan(2, 'ETH', ETHER, to(2));
    await stage.sync();
    const whole = readFileSync(stage.record);
    writeFileSync(stage.record, before);
    stage.restart();
    await stage.plan(3, 'ETH', ETHER, to(3));
    for (let runs = 0; runs < 3; runs += 1) await stage.sync();
    expect([await states(1, 2, 3), await waits(3)]).toEqual([['BROADCAST', 'BROADCAST', 'PLANNED'], 'SIGNER']);
    expect(stage.alarms).toEqual([expect.stringContaining('signer-record-behind')]);
    writeFileSync(stage.record, whole);
    stage.restart();
    await stage.sync();
    expect(await states(3)).toEqual(['BROADCAST']);
    writeFileSync(stage.record, before);
    stage.restart();
    await stage.plan(4, 'ETH', ETHER, to(4));
    await stage.sync();
    expect([await states(4), await waits(4)]).toEqual([['PLANNED'], 'SIGNER']);
    expect(await forgetNewestSigned(database)).toBe(true);
    await stage.sync();
    expect(await states(4)).toEqual(['BROADCAST']);
    expect(await forgetNewestSigned(database)).toBe(true);
    expect(await forgetNewestSigned(database)).toBe(false);
  });

  it('that were replaced after the moment to which a database was set back have not failed', async () => {
    await stage.plan(1, 'ETH', ETHER, to(1));
    await stage.sync();
    await stage.runner.replace((await stage.payout(1)).id);
    await mine(3);
    const { transaction } = await stage.payout(1);
    await database.transaction([
      { sql: 'DELETE FROM payout_attempts WHERE attempt = 2' },
      {
        sql: `UPDATE payouts SET state = 'BROADCAST', height = NULL, cost = NULL, change = next_payout_change(),
                transaction = (SELECT transaction FROM payout_attempts WHERE payout = payouts.id)`,
      },
    ]);
    await mine(10);
    expect(await stage.payout(1)).toMatchObject({ state: 'FINAL', transaction });
    expect(stage.paid(to(1)).count).toBe(1);
  });
});
