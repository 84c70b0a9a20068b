/** Hot wallets between their bounds, and refills that are signed elsewhere, on a chain of development. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ColdMachine, coldWorks, createColdMachine, insertOperator } from '../../../test/cold-stage.ts';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { createPayoutStage, type PayoutStage } from '../../../test/payout-stage.ts';
import { endAtEachStep } from '../../../test/simulation.ts';
import type { Database } from '../../platform/database.ts';
import { contractOf, createNetworkStore } from '../chains/network-store.ts';
import { EstimateRefused } from '../chains/service.ts';
import type { Bounds } from './store.ts';

const ETHER = 10n ** 18n;
const USDT = 10n ** 6n;
const CONFIRMATIONS = 3;
const SEED = Buffer.alloc(32, 9);
const to = (number: number) => `0x${number.toString(16).padStart(40, 'a')}`;

describe.each(databaseKinds)('hot and cold wallets (%s)', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let stage: PayoutStage;
  let operatorId: number;
  let cold: ColdMachine;

  beforeAll(async () => {
    ({ database, close } = await openMigrated(kind));
    await database.query(`UPDATE coin_networks SET withdraw_confirmations = ${CONFIRMATIONS} WHERE network = 'ERC20'`);
    operatorId = await insertOperator(database, `cold-${kind}@example.test`);
  });
  beforeEach(async () => {
    for (const table of ['wallet_moves', 'wallet_bounds']) await database.query(`DELETE FROM ${table}`);
    await database.query(`UPDATE payout_networks SET cold_address = ''`);
    stage = await createPayoutStage(database, coldWorks);
    const coins = [null, stage.usdt].map((contract) => ({
      contract,
      most_per_payment: 10n ** 24n,
      most_per_day: 10n ** 24n,
    }));
    cold = createColdMachine({
      ...{ network: 'ERC20', database, stage, chain: () => stage.chain, operatorId, seed: SEED },
      allowed: { format: 'development', fee_cap: 10n ** 16n, most_fees_per_day: 10n ** 30n, coins },
    });
  });
  afterEach(() => {
    stage.remove();
    cold.remove();
  });
  afterAll(() => close());

  const bound = (bounds: Omit<Bounds, 'network'>) => cold.store.saveBounds(cold.by, { network: 'ERC20', ...bounds });
  const balance = (address: string, coin: 'ETH' | 'USDT') =>
    stage.chain.accounts.balance(address, coin === 'ETH' ? null : stage.usdt);
  async function mine(blocks: number): Promise<void> {
    for (let made = 0; made < blocks; made += 1) {
      stage.chain.mine(1);
      await stage.sync();
    }
  }

  it('send what is above the bound to the cold wallet of the signer, down to the target, once', async () => {
    const has = stage.start.USDT;
    await stage.sync();
    await bound({ coin: 'USDT', low: 0n, target: 1000n * USDT, high: 2000n * USDT });
    await stage.sync();
    expect(await cold.moves()).toEqual(['to-cold USDT SENDING']);
    await mine(CONFIRMATIONS + 1);
    expect(await cold.moves()).toEqual(['to-cold USDT FINAL']);
    expect([balance(stage.hot, 'USDT'), balance(cold.address, 'USDT')]).toEqual([1000n * USDT, has - 1000n * USDT]);
    await mine(3);
    expect(await cold.moves()).toEqual(['to-cold USDT FINAL']);
    // The day's amount of the signer, far below, has not kept it.
    expect(has).toBeGreaterThan(10n ** 12n);
    expect(await stage.booked()).toBe(stage.fees());
  });

  it('do not wait for a move that has failed by a clock which was ahead', async () => {
    await stage.sync();
    await database.query(
      `INSERT INTO wallet_moves (kind, network, coin, contract, hot_address, cold_address, units, state, created_at, updated_at)
       VALUES ('to-cold', 'ERC20', 'USDT', $1, $2, $3, 1, 'FAILED', $4, $4)`,
      [stage.usdt, stage.hot, cold.address, stage.clock.now() + 365 * 86_400_000],
    );
    await bound({ coin: 'USDT', low: 0n, target: 1000n * USDT, high: 2000n * USDT });
    await stage.sync();
    expect((await cold.moves()).toSorted()).toEqual(['to-cold USDT FAILED', 'to-cold USDT SENDING']);
  });

  it('are kept in their bounds beside a token that has ceased to answer', async () => {
    const coins = await createNetworkStore(database).all();
    const other = coins.filter(({ network, coin }) => network === 'ERC20' && coin === 'USDC').map(contractOf)[0];
    const read = stage.chain.sender.balance.bind(stage.chain.sender);
    const balanceOf = vi.spyOn(stage.chain.sender, 'balance').mockImplementation(async (address, contract) => {
      if (contract === other) throw new EstimateRefused('It does not say');
      return read(address, contract);
    });
    await bound({ coin: 'USDC', low: 0n, target: USDT, high: 2n * USDT });
    await bound({ coin: 'USDT', low: 0n, target: 1000n * USDT, high: 2000n * USDT });
    await mine(2);
    balanceOf.mockRestore();
    expect(await cold.moves()).toEqual([expect.stringMatching(/^to-cold USDT /)]);
  });

  it('keep what withdrawals will take, and send nothing without a cold wallet or without bounds', async () => {
    const has = stage.start.USDT;
    await stage.store.pause('ERC20', true);
    await stage.plan(1, 'USDT', has - 1500n * USDT, to(1), CONFIRMATIONS);
    await bound({ coin: 'USDT', low: 0n, target: 1000n * USDT, high: 2000n * USDT });
    await stage.sync();
    expect(await cold.moves()).toEqual([]);
    await stage.store.pause('ERC20', false);
    await mine(CONFIRMATIONS + 1);
    expect(await cold.moves()).toEqual([]);
    stage.policy.networks = { ERC20: { ...stage.policy.networks.ERC20, cold_address: undefined } as never };
    await bound({ coin: 'ETH', low: 0n, target: 1n, high: 2n });
    await stage.sync();
    await stage.sync();
    expect(await cold.moves()).toEqual([]);
  });

  async function askForRefill(): Promise<void> {
    stage.chain.send({ contract: null, address: cold.address, units: 500n * ETHER });
    await mine(1);
    await bound({
      coin: 'ETH',
      low: stage.start.ETH + ETHER,
      target: stage.start.ETH + 5n * ETHER,
      high: stage.start.ETH * 2n,
    });
    await mine(1);
  }

  it('are refilled by what the cold machine signs from a file, exactly as it was asked for', async () => {
    await askForRefill();
    expect(await cold.moves()).toEqual(['refill ETH PLANNED']);
    expect(stage.alarms.filter((alarm) => alarm.startsWith('refill-asked'))).toHaveLength(1);
    const { name, file } = await cold.request();
    expect(name).toMatch(/^refill-\d+\.json$/);
    const answer = await cold.sign(file);
    expect(answer.words.join('\n')).toContain(`To          ${stage.hot}`);
    expect(await cold.bring(answer.signed)).toBeUndefined();
    await mine(CONFIRMATIONS + 3);
    expect(await cold.moves()).toEqual(['refill ETH FINAL']);
    expect(balance(stage.hot, 'ETH')).toBe(stage.start.ETH + 5n * ETHER);
    expect(balance(cold.address, 'ETH')).toBe(495n * ETHER - stage.chain.baseFee);
    expect(await stage.booked()).toBe(stage.fees());
    await expect(cold.bring(answer.signed)).rejects.toThrow('No refill is asked for');
  });

  it('refuse a signed file that pays anything else, or is of another request, or of another key', async () => {
    await askForRefill();
    const { file } = await cold.request();
    const good = JSON.parse((await cold.sign(file)).signed) as { request: string; raw: string };
    const unsafe = cold.carelessSigner(SEED, 'other');
    const { units, terms, hot } = await cold.asked();
    const as = async (change: object, fee = {}) => {
      const payment = { network: 'ERC20' as const, contract: null, address: hot, units: units ?? 0n, ...change };
      const intent = {
        id: `x${JSON.stringify(change).length}${JSON.stringify(fee).length}`.replace(/\W/g, ''),
        attempt: 1,
      };
      const answer = await unsafe.sign({ ...intent, source: null, payment, terms: { ...terms, ...fee } as never });
      return JSON.stringify({ ...good, raw: answer.ok ? answer.raw : answer.code });
    };
    expect(await cold.bring('nonsense')).toBe('UNREADABLE');
    expect(await cold.bring(JSON.stringify({ ...good, request: 'other:refill:1' }))).toBe('OTHER');
    expect(await cold.bring(JSON.stringify({ ...good, raw: good.raw.replace(/.$/, '') }))).toBe('NOT_AS_ASKED');
    expect(await cold.bring(await as({ address: to(7) }))).toBe('NOT_AS_ASKED');
    expect(await cold.bring(JSON.stringify({ ...good, raw: 'CLAIMED' }))).toBe('NOT_AS_ASKED');
    expect(await cold.moves()).toEqual(['refill ETH PLANNED']);
    expect(await cold.bring(JSON.stringify(good))).toBeUndefined();
  });

  it('that an operator gives up are asked for anew, and either of both counts once', async () => {
    await askForRefill();
    const first = await cold.signed();
    const move = await cold.asked();
    expect(await cold.store.cancelled(move, cold.by, stage.clock.now())).toBe(true);
    expect(await cold.store.cancelled(move, cold.by, stage.clock.now())).toBe(false);
    await stage.sync();
    expect(await cold.moves()).toEqual(['refill ETH CANCELLED', 'refill ETH PLANNED']);
    expect(await cold.bring(first)).toBe('OTHER');
    expect(await cold.bring(await cold.signed())).toBeUndefined();
    await mine(CONFIRMATIONS + 3);
    expect(balance(stage.hot, 'ETH')).toBe(stage.start.ETH + 5n * ETHER);
  });

  it('say so once where the cold wallet has too little', async () => {
    await bound({
      coin: 'USDT',
      low: stage.start.USDT + 1n,
      target: stage.start.USDT + 9n,
      high: stage.start.USDT * 2n,
    });
    await mine(3);
    expect(await cold.moves()).toEqual([]);
    expect(stage.alarms.filter((alarm) => alarm.startsWith('cold-wallet-short'))).toHaveLength(1);
  });

  it('go back with a reorganization and are sent again as the same bytes, though nothing here can sign them', async () => {
    await askForRefill();
    expect(await cold.bring(await cold.signed())).toBeUndefined();
    await mine(2);
    stage.chain.reorganize(2, 'DROP');
    stage.chain.baseFee = 2n * stage.chain.baseFee;
    await mine(15);
    expect(await cold.moves()).toEqual(['refill ETH SENDING']);
    stage.chain.baseFee /= 2n;
    await mine(CONFIRMATIONS + 2);
    expect(await cold.moves()).toEqual(['refill ETH FINAL']);
    expect(balance(stage.hot, 'ETH')).toBe(stage.start.ETH + 5n * ETHER);
  });

  it('move each amount once wherever a process ends, and with two at it at once', async () => {
    const has = stage.start.USDT;
    await bound({ coin: 'USDT', low: 0n, target: 1000n * USDT, high: 2000n * USDT });
    const kills = await endAtEachStep(stage, 60, (step) => step % 4 === 0 && stage.chain.mine(1));
    expect(kills).toBeGreaterThan(10);
    await mine(CONFIRMATIONS + 3);
    expect(await cold.moves()).toEqual(['to-cold USDT FINAL']);
    expect([balance(stage.hot, 'USDT'), balance(cold.address, 'USDT')]).toEqual([1000n * USDT, has - 1000n * USDT]);
    expect(await stage.booked()).toBe(stage.fees());
  });
});
