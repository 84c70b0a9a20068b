/** Deposits, payouts, sweeps and refills on TRON by two nodes, whichever of them is away, on another branch, or lies. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { type ChainView, createChainView, syncAll } from '../../../test/chain-view.ts';
import { makeTestDatabase } from '../../../test/databases.ts';
import { startTronNode, type TronNodeOfTests } from '../../../test/tron-node.ts';
import { createWithdrawing, type Withdrawing } from '../../../test/withdrawing.ts';
import type { Database } from '../../platform/database.ts';
import { signRefill } from '../../signer/cold.ts';
import { SignedFile } from '../../signer/signed-file.ts';
import { Signer } from '../../signer/signer.ts';
import { tronAddress } from '../chains/addresses.ts';
import { SPLIT_MS } from '../chains/both-nodes.ts';
import { OVERDUE_MS } from './overdue.ts';

const TOKEN = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const USDT = 1_000_000n;
const CONFIRMATIONS = 20;
const BLOCK_MS = 3000;
/** After which no block takes a payment, and all blocks that could have are final. */
const PAST_BLOCKS = 270;

let nodes: readonly [TronNodeOfTests, TronNodeOfTests];
let app: TestApp;
let database: Database;
let wd: Withdrawing;
let operator: string;
let hot: string;
let view: ChainView;

const folder = mkdtempSync(join(tmpdir(), 'cambist-two-tron-'));
const cold = new Signer({
  ...{
    seed: Buffer.alloc(32, 21),
    signed: new SignedFile(join(folder, 'signed.jsonl'), 'make'),
    clock: { now: () => app.now() },
  },
  policy: () => coldPolicy(),
});
const coldPolicy = () => {
  const coins = [{ contract: TOKEN, most_per_payment: 10n ** 13n, most_per_day: 10n ** 14n }];
  return {
    networks: {
      TRC20: { format: 'tron' as const, fee_cap: 100_000_000n, most_fees_per_day: 10n ** 30n, coins, only_to: hot },
    },
  };
};

/** The same blocks at both, without anything that is done after them. */
function extend(blocks: number, isEmpty = false): void {
  const [first, second] = nodes;
  first.chain.follow(second.chain.head.number > first.chain.head.number ? second.chain : first.chain);
  first.chain.pool.push(...second.chain.pool.filter(({ txID }) => !first.chain.pool.some((one) => one.txID === txID)));
  first.chain.mine(blocks, { isEmpty });
  second.chain.follow(first.chain);
  app.advance(blocks * BLOCK_MS);
}
async function mine(blocks: number): Promise<void> {
  extend(blocks);
  await syncAll(app);
}

const addressOf = (reference: number) => tronAddress((0xdef000 + reference).toString(16).padStart(40, '0'));
const paid = (reference: number) => nodes[0].chain.held(addressOf(reference), TOKEN);

beforeAll(async () => {
  let now = () => Date.now();
  nodes = [await startTronNode(() => now()), await startTronNode(() => now())];
  const [{ settings }, { settings: second, chain }] = nodes;
  chain.follow(nodes[0].chain);
  const source = await makeTestDatabase('postgres', 'migrated');
  app = await startTestApp('postgres', source, {
    ...settings,
    TRC20_RPC_URL_2: second.TRC20_RPC_URL,
    TRC20_SOLIDITY_URL_2: second.TRC20_SOLIDITY_URL,
  });
  now = () => app.now();
  database = await source.open();
  wd = createWithdrawing(app);
  operator = await wd.operator('two-tron');
  await wd.treasury(operator);
  const usdt = { network: 'TRC20', coin: 'USDT', confirmations: CONFIRMATIONS, addressOf } as const;
  view = createChainView({ app, database, wd, operator, ...usdt });
  const address = cold.hotAddress('TRC20');
  writeFileSync(join(source.environment.DATA_DIR ?? '', 'development-cold.json'), JSON.stringify({ TRC20: address }));
  await syncAll(app);
  const [row] = await database.query<{ hot_address: string }>(
    `SELECT hot_address FROM payout_networks WHERE network = 'TRC20'`,
  );
  hot = row?.hot_address ?? '';
  for (const [of, units] of [
    [hot, 500_000n],
    [address, 900_000n],
  ] as const) {
    nodes[0].chain.endow(of, null, 10_000n * 1_000_000n);
    nodes[0].chain.endow(of, TOKEN, units * USDT);
  }
  await mine(CONFIRMATIONS);
}, 120_000);
afterEach(() => {
  for (const node of nodes) Object.assign(node, { door: 'OPEN', lie: undefined });
});
afterAll(async () => {
  await database?.close();
  await app?.remove();
  for (const node of nodes ?? []) await node.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['first', 0],
  ['second', 1],
] as const)('two nodes of TRON, of which the %s one is wrong', (name, index) => {
  let wrong: TronNodeOfTests;
  let right: TronNodeOfTests;
  beforeEach(() => {
    [wrong, right] = index === 0 ? nodes : [nodes[1], nodes[0]];
  });

  it('credit a deposit as both have it, are split while one says another amount, and go on by themselves', async () => {
    const { token, address } = await view.client(`two-tron-${name}`);
    const before = await view.alarms();
    wrong.lie = (path, answer) =>
      path === '/wallet/gettransactioninfobyblocknum'
        ? (JSON.parse(
            JSON.stringify(answer).replaceAll((5n * USDT).toString(16).padStart(64, '0'), 'f'.padStart(64, '0')),
          ) as object)
        : undefined;
    nodes[0].chain.pay(address, { units: 5n * USDT, contract: TOKEN });
    await mine(2);
    expect([await view.deposits(token), (await view.card())?.trouble]).toEqual([[], null]);
    app.advance(SPLIT_MS);
    await mine(1);
    await app.app.deposits.sync();
    expect([await view.deposits(token), (await view.card())?.trouble, await view.alarms()]).toEqual([
      [],
      'SPLIT',
      before + 1,
    ]);
    const waits = await view.plan(USDT);
    expect(await view.payout(waits)).toMatchObject({ state: 'PLANNED', waits_for: 'NODE' });
    wrong.lie = undefined;
    await mine(1);
    expect([await view.deposits(token), (await view.card())?.trouble]).toEqual([['5.00000000 SEEN'], null]);
    await mine(CONFIRMATIONS + 1);
    expect(await view.deposits(token)).toEqual(['5.00000000 UNLOCKED']);
    expect([await view.payout(waits), paid(waits)]).toMatchObject([{ state: 'FINAL' }, USDT]);
  }, 120_000);

  it('pay once, though one hides for ever that it was paid, and says that its time is over (fault 23)', async () => {
    const reference = await view.plan(9n * USDT);
    const { transaction } = await view.payout(reference);
    // Both were sent it.
    expect(nodes.map(({ chain }) => chain.pool.map(({ txID }) => txID))).toEqual([[transaction], [transaction]]);
    wrong.lie = (path, _, body) =>
      /transactioninfobyid|transactionfrompending/.test(path) && body.value === transaction ? {} : undefined;
    extend(PAST_BLOCKS);
    await syncAll(app);
    await syncAll(app);
    // Mined as well, if it was asked for before the server knew that both have its block: until then one may be ahead.
    const unended = { state: expect.stringMatching('BROADCAST|MINED'), attempts: 1 };
    expect(await view.payout(reference)).toMatchObject(unended);
    app.advance(SPLIT_MS);
    extend(1);
    await syncAll(app);
    expect((await view.card())?.trouble).toBe('SPLIT');
    expect(await view.payout(reference)).toMatchObject(unended);
    wrong.lie = undefined;
    await syncAll(app);
    await mine(1);
    expect([await view.payout(reference), paid(reference)]).toMatchObject([{ state: 'FINAL', attempts: 1 }, 9n * USDT]);
    expect((await view.card())?.trouble).toBeNull();
  }, 120_000);

  it('pay again what no block has taken only when both say that it is too late', async () => {
    const reference = await view.plan(4n * USDT);
    const { transaction } = await view.payout(reference);
    for (const { chain } of nodes) chain.pool.splice(0);
    // It hides that its last block is final, and so that no other one can have it.
    const solid = { ...wrong.chain.solid };
    wrong.lie = (path) =>
      path === '/walletsolidity/getblock'
        ? {
            blockID: solid.blockID,
            block_header: {
              raw_data: { number: solid.number, parentHash: solid.parentHash, timestamp: solid.timestamp },
            },
          }
        : undefined;
    extend(PAST_BLOCKS, true);
    for (const { chain } of nodes) chain.pool.splice(0);
    await syncAll(app);
    expect(await view.payout(reference)).toMatchObject({ transaction, attempts: 1 });
    wrong.lie = undefined;
    app.advance(61_000);
    extend(1, true);
    await syncAll(app);
    await syncAll(app);
    expect(await view.payout(reference)).toMatchObject({ attempts: 2 });
    await mine(CONFIRMATIONS);
    expect([await view.payout(reference), paid(reference)]).toMatchObject([{ state: 'FINAL' }, 4n * USDT]);
    expect(nodes[0].chain.find(transaction)).toBeUndefined();
  }, 120_000);

  it('let a call burn what the higher one says, wait where it is far from the other, and name a block that both have', async () => {
    const energy = (times: number) => {
      wrong.lie = (path, answer) => {
        const { energy_used: used } = answer as { energy_used?: number };
        return path === '/wallet/triggerconstantcontract'
          ? { ...answer, energy_used: Math.floor((used ?? 0) * times) }
          : undefined;
      };
    };
    const limitOf = async (reference: number) =>
      (JSON.parse((await view.payout(reference)).terms) as { feeLimit: string }).feeLimit;
    // 130,285 of energy at 100, and a third more.
    const usual = 17_371_333;
    for (const [times, limit] of [
      [0.75, usual],
      [1.5, 26_056_933],
    ] as const) {
      energy(times);
      expect(Number(await limitOf(await view.plan(2n * USDT)))).toBe(limit);
      await mine(CONFIRMATIONS);
    }
    for (const times of [0.1, 10]) {
      energy(times);
      const reference = await view.plan(3n * USDT);
      expect(await view.payout(reference)).toMatchObject({ state: 'PLANNED', waits_for: 'NODE' });
      await database.query('UPDATE payouts SET updated_at = updated_at - $1 WHERE reference = $2', [
        OVERDUE_MS,
        reference,
      ]);
      await app.app.payouts.lookForOverdue();
      expect(await view.alarms('payout-overdue')).toBe(1);
      wrong.lie = undefined;
      await syncAll(app);
      expect(Number(await limitOf(reference))).toBe(usual);
      await mine(CONFIRMATIONS);
      expect([await view.payout(reference), paid(reference)]).toMatchObject([{ state: 'FINAL' }, 3n * USDT]);
    }
    // A final block that the other one does not have.
    wrong.lie = (path, answer) =>
      path === '/walletsolidity/getblock' ? { ...answer, blockID: '00'.repeat(32) } : undefined;
    const reference = await view.plan(USDT);
    expect(await view.payout(reference)).toMatchObject({ state: 'BROADCAST' });
    await mine(CONFIRMATIONS);
    expect(await view.payout(reference)).toMatchObject({ state: 'FINAL', attempts: 1 });
  }, 120_000);

  it('sign nothing while one is away, and go on once it is back', async () => {
    const underway = await view.plan(USDT);
    wrong.door = 'SHUT';
    await mine(CONFIRMATIONS + 1);
    const waits = await view.plan(2n * USDT);
    expect([await view.payout(underway), await view.payout(waits)]).toMatchObject([
      { state: 'BROADCAST' },
      { state: 'PLANNED', waits_for: 'NODE' },
    ]);
    expect((await view.card())?.nodes.map(({ head }) => head === null)).toEqual([index === 0, index === 1]);
    wrong.door = 'OPEN';
    await mine(1);
    await mine(CONFIRMATIONS);
    expect([await view.payout(underway), await view.payout(waits)]).toMatchObject([
      { state: 'FINAL' },
      { state: 'FINAL' },
    ]);
    expect([paid(underway), paid(waits)]).toEqual([USDT, 2n * USDT]);
  }, 120_000);

  it('on two branches are where both were, split after a minute, and one again when one leaves its branch', async () => {
    const before = await view.alarms();
    const reference = await view.plan(6n * USDT);
    const common = right.chain.head.number;
    right.chain.mine(CONFIRMATIONS + 2);
    wrong.chain.mine(3, { isEmpty: true });
    app.advance((CONFIRMATIONS + 2) * BLOCK_MS);
    await syncAll(app);
    expect((await view.payout(reference)).state).not.toBe('FINAL');
    app.advance(SPLIT_MS);
    right.chain.mine(1);
    wrong.chain.mine(1, { isEmpty: true });
    await syncAll(app);
    await syncAll(app);
    expect([(await view.card())?.trouble, await view.alarms()]).toEqual(['SPLIT', before + 1]);
    expect((await view.payout(reference)).state).not.toBe('FINAL');
    wrong.chain.follow(right.chain);
    await syncAll(app);
    await syncAll(app);
    expect((await view.card())?.trouble).toBeNull();
    expect(right.chain.head.number).toBeGreaterThan(common);
    expect([await view.payout(reference), paid(reference)]).toMatchObject([{ state: 'FINAL', attempts: 1 }, 6n * USDT]);
  }, 120_000);
});

describe('two nodes of TRON', () => {
  it('bring a deposit home, with custody even at every block (fault 25)', async () => {
    const { address } = await view.client('two-tron-sweep');
    const difference = async () => {
      await app.app.payouts.compare();
      const [row] = await database.query<{ rest: bigint }>(
        `SELECT chains - ledger AS rest FROM custody_checks WHERE coin = 'USDT'`,
      );
      return row?.rest;
    };
    const before = await difference();
    nodes[0].chain.pay(address, { units: 900n * USDT, contract: TOKEN });
    for (let block = 0; block < 66; block += 1) {
      await mine(1);
      expect([block, await difference()]).toEqual([block, before]);
    }
    const shown = await wd.get<{ sweeps: { state: string; amount: string }[] }>('/api/v3/admin/hot-and-cold', operator);
    expect(shown.sweeps).toMatchObject([{ state: 'FINAL', amount: '900.000000' }]);
  }, 120_000);

  it('refill the hot wallet by what a cold one has signed', async () => {
    await wd.treasury(operator);
    const payload = { coin: 'USDT', network: 'TRC20', bounds: { low: '600000', target: '700000', high: '900000' } };
    const changed = await app.call({ method: 'PATCH', url: '/api/v3/admin/wallet-bounds', token: operator, payload });
    expect(changed.status).toBe(200);
    await mine(1);
    const moves = async () =>
      (await wd.get<{ moves: { id: string; kind: string; state: string }[] }>('/api/v3/admin/hot-and-cold', operator))
        .moves;
    const [asked] = await moves();
    expect(asked).toMatchObject({ kind: 'REFILL', state: 'PLANNED' });
    const { file } = await wd.get<{ file: string }>(`/api/v3/admin/refills/${asked?.id}/file`, operator);
    const { signed } = await signRefill({ signer: cold, policy: coldPolicy }, file, { now: () => app.now() });
    const answer = await wd.post(`/api/v3/admin/refills/${asked?.id}/signed`, operator, { file: signed });
    expect(answer.status).toBe(200);
    await syncAll(app);
    await mine(CONFIRMATIONS);
    await mine(1);
    expect(await moves()).toMatchObject([{ kind: 'REFILL', state: 'FINAL' }]);
    expect(nodes[1].chain.held(hot, TOKEN) / USDT).toBe(700_000n);
  }, 120_000);
});
