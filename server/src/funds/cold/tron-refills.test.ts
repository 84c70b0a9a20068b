/** Refills of the hot wallet on TRON: a payment is good for a day at most, and is carried to be signed within it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ColdMachine, coldWorks, createColdMachine, insertOperator } from '../../../test/cold-stage.ts';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { endAtEachStep } from '../../../test/simulation.ts';
import { hexOf, requestOf } from '../../../test/tron-node.ts';
import { createTronStage, DEPTH, TOKEN, type TronStage } from '../../../test/tron-stage.ts';
import type { Database } from '../../platform/database.ts';
import { tronAddress } from '../chains/addresses.ts';
import { refillRequest } from '../chains/refill-files.ts';
import { TronChain } from '../chains/tron-chain.ts';
import { TronNode } from '../chains/tron-node.ts';

const USDT = 1_000_000n;
const TRX = 1_000_000n;
const HOUR_MS = 3_600_000;

describe.each(databaseKinds)('refills by TRON (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let stage: TronStage;
  let operatorId: number;
  let cold: ColdMachine;

  beforeAll(async () => {
    ({ database, close } = await openMigrated(kind));
    operatorId = await insertOperator(database, `tron-cold-${kind}@example.test`);
  });
  beforeEach(async () => {
    stage = await createTronStage(database, { works: coldWorks });
    const coins = [{ contract: TOKEN, most_per_payment: 10n ** 12n, most_per_day: 10n ** 13n }];
    const chain = () => new TronChain(new TronNode(requestOf(stage.chain)));
    cold = createColdMachine({
      ...{ network: 'TRC20', database, stage, chain, operatorId, seed: Buffer.alloc(32, 13) },
      allowed: { format: 'tron', fee_cap: 100n * TRX, most_fees_per_day: 10n ** 30n, coins },
    });
    stage.chain.endow(cold.address, null, 100n * TRX);
    stage.chain.endow(cold.address, TOKEN, 900_000n * USDT);
    await stage.blocks(1);
    const target = stage.start.USDT + 5000n * USDT;
    const bounds = { coin: 'USDT', low: stage.start.USDT + USDT, target, high: target * 2n };
    await cold.store.saveBounds(cold.by, { network: 'TRC20', ...bounds });
    await stage.blocks(1);
  });
  afterEach(() => {
    stage.remove();
    cold.remove();
  });
  afterAll(() => close());

  /** A block, and the time after it. */
  async function pass(ms: number): Promise<void> {
    stage.clock.at += ms;
    stage.mine(1, true);
    await stage.sync();
  }

  it('are good for 23 hours, are signed in that time by what the file and the machine say, and come once', async () => {
    const { file } = await cold.request();
    const { terms, back_by: until } = refillRequest.parse(JSON.parse(file));
    if (terms.format !== 'tron') throw new Error('Terms of another chain');
    expect(terms.expiration).toBe(stage.chain.head.timestamp + 23 * HOUR_MS);
    expect(until).toBe(new Date(terms.expiration - 60_000).toISOString());
    await pass(20 * HOUR_MS);
    const { signed, words } = await cold.sign(file);
    const [day, hour] = new Date(terms.expiration).toISOString().split('T');
    expect(words.join('\n')).toContain(`Good until  ${day} ${hour?.slice(0, 5)} UTC`);
    expect(words.join('\n')).not.toContain('Nonce');
    await pass(2 * HOUR_MS);
    expect(await cold.bring(signed)).toBeUndefined();
    await stage.blocks(DEPTH + 2);
    expect(await cold.moves()).toEqual(['refill USDT FINAL']);
    expect(stage.held(stage.hot, 'USDT')).toBe(stage.start.USDT + 5000n * USDT);
    expect(stage.held(cold.address, 'USDT')).toBe(895_000n * USDT);
    expect(await stage.booked()).toBe(stage.fees());
    expect(stage.alarms.map((alarm) => alarm.split(':')[0])).toEqual(['refill-asked']);
  });

  it('that come back too late are refused, no block takes them, and the next one is asked for by itself', async () => {
    const [late, move] = [await cold.signed(), await cold.asked()];
    stage.clock.at += 23 * HOUR_MS;
    expect(await cold.bring(late, move)).toBe('LAPSED');
    stage.mine(1, true);
    expect(() => stage.chain.take((JSON.parse(late) as { raw: string }).raw)).toThrow('expired');
    await stage.sync();
    await stage.sync();
    expect(await cold.moves()).toEqual(['refill USDT CANCELLED', 'refill USDT PLANNED']);
    expect(await cold.bring(late)).toBe('OTHER');
    expect(await cold.bring(await cold.signed())).toBeUndefined();
    await stage.blocks(DEPTH + 2);
    expect(stage.held(stage.hot, 'USDT')).toBe(stage.start.USDT + 5000n * USDT);
    expect(stage.alarms.filter((alarm) => alarm.startsWith('refill-asked'))).toHaveLength(2);
  });

  it('that no block takes in their time have failed once that is final, and are asked for anew', async () => {
    await pass(22 * HOUR_MS);
    expect(await cold.bring(await cold.signed())).toBeUndefined();
    await stage.sync();
    stage.chain.pool.splice(0);
    await pass(HOUR_MS);
    expect(await cold.moves()).toEqual(['refill USDT SENDING']);
    stage.mine(59, true);
    await stage.sync();
    // A block in which it might be is not final yet, or clocks may differ.
    expect(await cold.moves()).toEqual(['refill USDT SENDING']);
    stage.mine(20, true);
    await stage.sync();
    await stage.sync();
    expect(await cold.moves()).toEqual(['refill USDT FAILED']);
    expect(stage.alarms.join()).toMatch(/payout-lapsed/);
    await pass(HOUR_MS + 1);
    expect(await cold.bring(await cold.signed())).toBeUndefined();
    await stage.blocks(DEPTH + 2);
    expect(stage.held(stage.hot, 'USDT')).toBe(stage.start.USDT + 5000n * USDT);
  });

  it('that are mined at the end of their time, and are sent again after a reorganization, count once', async () => {
    await pass(22 * HOUR_MS);
    expect(await cold.bring(await cold.signed())).toBeUndefined();
    await stage.sync();
    stage.clock.at += HOUR_MS - 120_000;
    stage.mine(1);
    stage.chain.reorganize(1, false);
    await stage.sync();
    await stage.sync();
    await stage.blocks(1);
    stage.mine(120);
    await stage.sync();
    await stage.sync();
    expect(await cold.moves()).toEqual(['refill USDT FINAL']);
    expect(stage.held(stage.hot, 'USDT')).toBe(stage.start.USDT + 5000n * USDT);
  });

  it('whose energy runs out move nothing, and are asked for with a higher limit (fault 23)', async () => {
    stage.chain.energyPercent = 180n;
    const first = await cold.asked();
    await cold.bring(await cold.signed());
    await stage.blocks(DEPTH + 2);
    expect(await cold.moves()).toEqual(['refill USDT FAILED']);
    await pass(HOUR_MS + 1);
    const second = await cold.asked();
    const limit = ({ terms }: typeof first) => (terms?.format === 'tron' ? terms.feeLimit : 0n);
    expect(limit(second)).toBe(2n * limit(first));
    await cold.bring(await cold.signed());
    await stage.blocks(DEPTH + 2);
    expect(stage.held(stage.hot, 'USDT')).toBe(stage.start.USDT + 5000n * USDT);
    expect(await stage.booked()).toBe(stage.fees());
  });

  it('come once wherever a process ends, and with two at it at once (faults 1, 2, 5)', async () => {
    const signed = await cold.signed();
    const kills = await endAtEachStep(stage, 60, async (step) => {
      if (step % 4 === 0) stage.mine(1);
      if (step === 4) expect(await cold.bring(signed)).toBeUndefined();
    });
    expect(kills).toBeGreaterThan(10);
    await stage.blocks(DEPTH + 2);
    expect(await cold.moves()).toEqual(['refill USDT FINAL']);
    expect(stage.held(stage.hot, 'USDT')).toBe(stage.start.USDT + 5000n * USDT);
    expect(await stage.booked()).toBe(stage.fees());
  });

  it('are taken back only where they pay exactly what was asked, by whom it was asked', async () => {
    const good = JSON.parse(await cold.signed()) as { raw: string };
    const { units, terms, hot } = await cold.asked();
    // What a hot wallet signs lasts an hour at most.
    const soon = { ...terms, expiration: stage.clock.at + HOUR_MS };
    const as = async (seed: number, payment: object, given: object = soon, id = 'book:1') => {
      const paid = { network: 'TRC20' as const, contract: TOKEN, address: hot, units: units ?? 0n, ...payment };
      const answer = await cold
        .carelessSigner(Buffer.alloc(32, seed), String(seed))
        .sign({ id, attempt: 1, source: null, payment: paid, terms: given as never });
      return answer.ok ? JSON.stringify({ ...good, raw: answer.raw }) : answer.code;
    };
    expect(await as(13, {}, terms ?? {}, 'book:0')).toBe('NOT_ALLOWED');
    expect(await cold.bring(await as(13, { address: tronAddress('ab'.repeat(20)) }))).toBe('NOT_AS_ASKED');
    expect(await cold.bring(await as(14, {}))).toBe('NOT_AS_ASKED');
    const { raw } = good;
    for (const other of [
      `${raw}00`,
      raw.toUpperCase(),
      `0a00${raw}`,
      raw.replace(hexOf(stage.hot).slice(2), 'cd'.repeat(20)),
    ])
      expect(await cold.bring(JSON.stringify({ ...good, raw: other }))).toBe('NOT_AS_ASKED');
    expect(await cold.moves()).toEqual(['refill USDT PLANNED']);
    expect(await cold.bring(JSON.stringify(good))).toBeUndefined();
  });

  it('are refused by a machine whose clock says that they have lapsed, or last longer than a day', async () => {
    const { file } = await cold.request();
    const at = (ms: number) => cold.sign(file, { now: () => stage.clock.at + ms });
    await expect(at(23 * HOUR_MS)).rejects.toThrow(/was good until .* take the next one/);
    await expect(at(-2 * HOUR_MS)).rejects.toThrow(/more than a day from now: the clock of this machine says/);
    await expect(at(-HOUR_MS / 2)).resolves.toBeDefined();
  });
});
