/** Payouts on a node of TRON, which verifies by other code than ours. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestApp } from '../../../test/app.ts';
import { startTronApp, TOKEN, type TronApp } from '../../../test/tron-app.ts';
import { hexOf, type TronNodeOfTests } from '../../../test/tron-node.ts';
import type { Database } from '../../platform/database.ts';
import { tronAddress } from '../chains/addresses.ts';

const USDT = 1_000_000n;
const CONFIRMATIONS = 20;
/** How long a payment is good, in blocks. */
const GOOD_BLOCKS = 200;

let tron: TronApp;
let node: TronNodeOfTests;
let app: TestApp;
let database: Database;
let hot: string;
let references = 0;

const addressOf = (reference: number) => tronAddress((0xabc000 + reference).toString(16).padStart(40, '0'));

async function sync(): Promise<void> {
  await app.app.deposits.sync();
  await app.app.payouts.sync();
}
async function mine(blocks: number, isEmpty = false): Promise<void> {
  node.chain.mine(blocks, { isEmpty });
  app.advance(blocks * 3000);
  await sync();
}
/** As the transaction that decides to pay. @returns its reference */
async function plan(units: bigint, address?: string): Promise<number> {
  references += 1;
  const of = { purpose: 'withdrawal', reference: references, network: 'TRC20', coin: 'USDT', units } as const;
  const payment = { ...of, address: address ?? addressOf(references) };
  await database.transaction([app.app.payouts.planning(payment, CONFIRMATIONS, app.now())]);
  await sync();
  return references;
}
async function payout(reference: number) {
  const [found] = await database.query<{ state: string; waits_for: string; transaction: string; attempts: number }>(
    `SELECT state, waits_for, transaction, (SELECT count(*) FROM payout_attempts WHERE payout = payouts.id) AS attempts
     FROM payouts WHERE reference = $1`,
    [reference],
  );
  if (found === undefined) throw new Error(`There is no payout ${reference}`);
  return found;
}
const paid = (reference: number) => node.chain.held(addressOf(reference), TOKEN);

beforeAll(async () => {
  tron = await startTronApp();
  ({ node, app, database, hot } = tron);
  tron.endow({ trx: 100_000n * 1_000_000n, usdt: 500_000n * USDT });
  await mine(CONFIRMATIONS);
});
beforeEach(() => {
  node.door = 'OPEN';
});
afterEach(() => {
  node.chain.modes.clear();
  node.chain.energyPercent = 100n;
});
afterAll(() => tron?.stop());

describe('payouts by TRON', () => {
  it('pay a token once, are final when their block is, and cost what the node says', async () => {
    const before = node.chain.held(hot, null);
    const reference = await plan(12n * USDT);
    await mine(1);
    expect(await payout(reference)).toMatchObject({ state: 'MINED', attempts: 1 });
    await mine(CONFIRMATIONS - 1);
    expect(await payout(reference)).toMatchObject({ state: 'FINAL' });
    expect(paid(reference)).toBe(12n * USDT);
    const [row] = await database.query<{ cost: bigint }>('SELECT cost FROM payouts WHERE reference = $1', [reference]);
    expect(row?.cost).toBe(before - node.chain.held(hot, null));
    // In the ledger TRX have eight decimals, and no client has any of them by that.
    const booked = await database.query<{ amount: bigint; is_done: boolean; code: string }>(
      `SELECT amount::numeric AS amount, is_done, code FROM payout_costs JOIN assets ON assets.id = asset
       WHERE payout = (SELECT id FROM payouts WHERE reference = $1)`,
      [reference],
    );
    expect(booked).toEqual([{ amount: 100n * (row?.cost ?? 0n), is_done: true, code: 'TRX' }]);
  });

  it('that are alike are as many transactions', async () => {
    const [first, address] = [await plan(7n * USDT), addressOf(references)];
    const second = await plan(7n * USDT, address);
    const third = await plan(7n * USDT, address);
    await mine(CONFIRMATIONS);
    for (const one of [first, second, third]) expect(await payout(one)).toMatchObject({ state: 'FINAL' });
    expect(paid(first)).toBe(21n * USDT);
  });

  it('are sent again as the same bytes where the answer was lost, or the node was away (fault 2)', async () => {
    node.door = 'LOSES';
    const reference = await plan(5n * USDT);
    expect(await payout(reference)).toMatchObject({ state: 'SIGNED', waits_for: 'NODE' });
    node.door = 'OPEN';
    await sync();
    expect(await payout(reference)).toMatchObject({ state: 'BROADCAST', waits_for: '', attempts: 1 });
    node.chain.pool.splice(0);
    await sync();
    await mine(CONFIRMATIONS);
    expect(await payout(reference)).toMatchObject({ state: 'FINAL', attempts: 1 });
    expect(paid(reference)).toBe(5n * USDT);
  });

  it('that expire unseen are signed anew only once a final block is later, and are paid once (fault 23)', async () => {
    const reference = await plan(9n * USDT);
    const { transaction: first } = await payout(reference);
    await mine(GOOD_BLOCKS + 1, true);
    for (let look = 0; look < 3; look += 1) await mine(3, true);
    // It is past, and a block in which it might be is not final yet.
    expect(await payout(reference)).toMatchObject({ transaction: first, attempts: 1 });
    await mine(60, true);
    expect(await payout(reference)).toMatchObject({ state: 'BROADCAST', attempts: 2 });
    await mine(CONFIRMATIONS);
    expect(await payout(reference)).toMatchObject({ state: 'FINAL', attempts: 2 });
    expect(node.chain.find(first)).toBeUndefined();
    expect(paid(reference)).toBe(9n * USDT);
  });

  it('that no node has taken before they expire are signed anew by themselves, and are paid once', async () => {
    node.door = 'LOSES';
    const reference = await plan(8n * USDT);
    const { transaction: first } = await payout(reference);
    node.chain.pool.splice(0);
    node.door = 'SHUT';
    await mine(GOOD_BLOCKS + 1, true);
    node.door = 'OPEN';
    await mine(1, true);
    expect(await payout(reference)).toMatchObject({ state: 'SIGNED', attempts: 1 });
    await mine(60, true);
    expect(await payout(reference)).toMatchObject({ state: 'BROADCAST', attempts: 2 });
    await mine(CONFIRMATIONS);
    expect(await payout(reference)).toMatchObject({ state: 'FINAL', attempts: 2 });
    expect(node.chain.find(first)).toBeUndefined();
    expect(paid(reference)).toBe(8n * USDT);
  });

  it('that are mined at the end of their time are not signed again', async () => {
    const reference = await plan(4n * USDT);
    await mine(GOOD_BLOCKS - 5, true);
    await mine(1);
    await mine(120);
    expect(await payout(reference)).toMatchObject({ state: 'FINAL', attempts: 1 });
    expect(paid(reference)).toBe(4n * USDT);
  });

  it('come back to the pool with a reorganization, and are paid once', async () => {
    const reference = await plan(6n * USDT);
    await mine(2);
    expect(await payout(reference)).toMatchObject({ state: 'MINED' });
    node.chain.reorganize(2, false);
    await sync();
    expect(await payout(reference)).toMatchObject({ state: 'BROADCAST' });
    await sync();
    await mine(CONFIRMATIONS);
    expect(await payout(reference)).toMatchObject({ state: 'FINAL', attempts: 1 });
    expect(paid(reference)).toBe(6n * USDT);
  });

  it('have failed where energy ran out, or where the token has moved nothing (faults 9, 16, 23)', async () => {
    node.chain.energyPercent = 200n;
    const out = await plan(3n * USDT);
    await mine(CONFIRMATIONS);
    node.chain.energyPercent = 100n;
    const careless = await plan(3n * USDT);
    node.chain.modes.set(hexOf(TOKEN), 'false');
    await mine(CONFIRMATIONS);
    expect([await payout(out), await payout(careless)]).toMatchObject([{ state: 'FAILED' }, { state: 'FAILED' }]);
    expect([paid(out), paid(careless)]).toEqual([0n, 0n]);
  });

  it('wait where the chain would undo them, and go on when it would not (fault 18)', async () => {
    node.chain.modes.set(hexOf(TOKEN), 'reverts');
    const reference = await plan(2n * USDT);
    expect(await payout(reference)).toMatchObject({ state: 'PLANNED', waits_for: 'WOULD_FAIL' });
    node.chain.modes.clear();
    app.advance(61_000);
    await sync();
    await mine(CONFIRMATIONS);
    expect(await payout(reference)).toMatchObject({ state: 'FINAL' });
  });

  it('of a token that keeps a part of them cost the wallet what was planned, and no more (fault 18)', async () => {
    node.chain.modes.set(hexOf(TOKEN), 'charges');
    const before = node.chain.held(hot, TOKEN);
    const reference = await plan(50n * USDT);
    await mine(CONFIRMATIONS);
    expect(await payout(reference)).toMatchObject({ state: 'FINAL' });
    expect([paid(reference), node.chain.held(hot, TOKEN)]).toEqual([49_500_000n, before - 50n * USDT]);
  });

  it('wait for a hot wallet that has too little (fault 10)', async () => {
    const reference = await plan(10_000_000n * USDT);
    expect(await payout(reference)).toMatchObject({ state: 'PLANNED', waits_for: 'FUNDS' });
    const other = await plan(USDT);
    await mine(CONFIRMATIONS);
    expect(await payout(other)).toMatchObject({ state: 'PLANNED', waits_for: 'FUNDS' });
    node.chain.endow(hot, TOKEN, 10_000_000n * USDT);
    await sync();
    await mine(CONFIRMATIONS);
    expect([await payout(reference), await payout(other)]).toMatchObject([{ state: 'FINAL' }, { state: 'FINAL' }]);
  });
});
