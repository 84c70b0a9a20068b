/** Payouts on a real EVM node. */
import type { adminChains } from '@cambist/contract/admin-withdrawals.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import { encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeTestDatabase } from '../../../test/databases.ts';
import { type EvmClient, type EvmNode, startEvmNode, tokenCodes } from '../../../test/evm-node.ts';
import { createWithdrawing } from '../../../test/withdrawing.ts';
import type { Database } from '../../platform/database.ts';

const ETHER = 10n ** 18n;
const USDT = 10n ** 6n;
const switches = parseAbi([
  'function pause(bool to)',
  'function refuse(address who, bool to)',
  'function off(bool to)',
  'function charge(uint256 to)',
]);
let node: EvmNode;
let chain: EvmClient;
let owner: Hex;
/** As USDT, whose transfer answers nothing; as USDC, one that may answer false. */
let silent: Hex;
let careless: Hex;
let app: TestApp;
let database: Database;
let hot: Hex;
let references = 0;

const call = (to: Hex, data: Hex, tip = 2n * 10n ** 9n) =>
  chain.sendTransaction({
    account: owner,
    to,
    data,
    gas: 200_000n,
    maxPriorityFeePerGas: tip,
    maxFeePerGas: 10n ** 12n,
  });
const turn = (to: Hex, functionName: 'pause' | 'off', isOn: boolean, tip?: bigint) =>
  call(to, encodeFunctionData({ abi: switches, functionName, args: [isOn] }), tip);
const held = (contract: Hex, address: Hex) => node.held(contract, address);

const addressOf = (reference: number): Hex => `0x${(0xabc000 + reference).toString(16).padStart(40, '0')}`;

/** As the transaction that decides to pay. @returns its reference */
async function plan(coin: 'ETH' | 'USDT' | 'USDC', units: bigint): Promise<number> {
  references += 1;
  const of = { purpose: 'withdrawal', reference: references } as const;
  const payment = { ...of, network: 'ERC20', coin, address: addressOf(references), units } as const;
  await database.transaction([app.app.payouts.planning(payment, 3, app.now())]);
  await sync();
  return references;
}

async function sync(): Promise<void> {
  await app.app.deposits.sync();
  await app.app.payouts.sync();
}

async function mine(blocks: number): Promise<void> {
  for (let mined = 0; mined < blocks; mined += 1) {
    await chain.mine({ blocks: 1 });
    await sync();
  }
}

async function payout(reference: number) {
  const [found] = await database.query<{
    state: string;
    waits_for: string;
    transaction: Hex;
    cost: bigint | null;
    attempts: number;
  }>(
    `SELECT state, waits_for, transaction, cost, (SELECT count(*) FROM payout_attempts WHERE payout = payouts.id) AS attempts
     FROM payouts WHERE reference = $1`,
    [reference],
  );
  if (found === undefined) throw new Error(`There is no payout ${reference}`);
  return found;
}

beforeAll(async () => {
  node = await startEvmNode();
  ({ chain } = node);
  [owner] = node.accounts;
  [silent, careless] = [await node.deploy(tokenCodes.SilentToken), await node.deploy(tokenCodes.FalseToken)];
  const source = await makeTestDatabase('postgres', 'migrated');
  const opened = await source.open();
  for (const [coin, contract] of Object.entries({ USDT: silent, USDC: careless }))
    await opened.query(`UPDATE coin_networks SET contract = $2 WHERE coin = $1 AND network = 'ERC20'`, [
      coin,
      contract,
    ]);
  await opened.close();
  app = await startTestApp('postgres', source, { ERC20_RPC_URL: node.url });
  database = await source.open();
  await sync();
  const [row] = await database.query<{ hot_address: Hex }>(
    `SELECT hot_address FROM payout_networks WHERE network = 'ERC20'`,
  );
  hot = row?.hot_address ?? '0x';
  await chain.setBalance({ address: hot, value: 100n * ETHER });
  for (const token of [silent, careless])
    await call(token, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [hot, 500_000n * USDT] }));
});
afterEach(async () => {
  await chain.setAutomine(true);
  await turn(silent, 'pause', false);
  await turn(careless, 'off', false);
});
afterAll(async () => {
  await database?.close();
  await app?.remove();
  await node?.stop();
});

describe('payouts by an EVM node', () => {
  it('pay Ether and tokens, one of which answers nothing, once each, and cost what the node says', async () => {
    const before = await chain.getBalance({ address: hot });
    const [coin, token, other] = [
      await plan('ETH', ETHER),
      await plan('USDT', 12_500_000n),
      await plan('USDC', 7n * USDT),
    ];
    await mine(3);
    const ended = await Promise.all([coin, token, other].map(payout));
    expect(ended.map(({ state }) => state)).toEqual(['FINAL', 'FINAL', 'FINAL']);
    expect(await chain.getBalance({ address: addressOf(coin) })).toBe(ETHER);
    expect([await held(silent, addressOf(token)), await held(careless, addressOf(other))]).toEqual([
      12_500_000n,
      7n * USDT,
    ]);
    const cost = ended.reduce((sum, one) => sum + (one.cost ?? 0n), 0n);
    expect(await chain.getBalance({ address: hot })).toBe(before - ETHER - cost);
    const estimate = { network: 'ERC20', coin: 'USDT', address: addressOf(0), units: 1n } as const;
    expect((await app.app.payouts.estimate(estimate, 6))?.cost).toBeGreaterThan(0n);
  });

  it('that the pool has dropped go again as the same bytes (fault 6)', async () => {
    await chain.setAutomine(false);
    const [first, second] = [await plan('ETH', ETHER), await plan('ETH', ETHER)];
    const { transaction } = await payout(first);
    await chain.dropTransaction({ hash: transaction });
    await mine(1);
    expect(await chain.getBalance({ address: addressOf(second) })).toBe(0n);
    await mine(4);
    expect([(await payout(first)).state, (await payout(second)).state]).toEqual(['FINAL', 'FINAL']);
    expect((await payout(first)).transaction).toBe(transaction);
  });

  it('that are stuck as the base fee rises to the fivefold are replaced, and paid once (fault 7)', async () => {
    await chain.setAutomine(false);
    const baseFeePerGas = 50n * 10n ** 9n;
    await chain.setNextBlockBaseFeePerGas({ baseFeePerGas });
    await mine(1);
    const reference = await plan('USDT', USDT);
    const { transaction } = await payout(reference);
    for (let blocks = 0; blocks < 13; blocks += 1) {
      await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: 5n * baseFeePerGas });
      await mine(1);
    }
    const replaced = await payout(reference);
    expect(replaced.attempts).toBe(2);
    expect(replaced.transaction).not.toBe(transaction);
    await mine(3);
    expect((await payout(reference)).state).toBe('FINAL');
    expect(await held(silent, addressOf(reference))).toBe(USDT);
  });

  it('that a contract undoes in their block have failed (fault 9)', async () => {
    await chain.setAutomine(false);
    const reference = await plan('USDT', USDT);
    await turn(silent, 'pause', true, 10n ** 11n);
    await mine(3);
    expect(await payout(reference)).toMatchObject({ state: 'FAILED', waits_for: '' });
    expect(await held(silent, addressOf(reference))).toBe(0n);
  });

  it('of which a token moves nothing, though its transaction succeeds, have failed (fault 16)', async () => {
    await chain.setAutomine(false);
    const reference = await plan('USDC', USDT);
    await turn(careless, 'off', true, 10n ** 11n);
    await mine(3);
    const { state, transaction } = await payout(reference);
    expect([state, (await chain.getTransactionReceipt({ hash: transaction })).status]).toEqual(['FAILED', 'success']);
  });

  it('that a token would undo or answer with false are not sent before it does not (faults 16, 18)', async () => {
    await turn(careless, 'off', true);
    const refused = addressOf(references + 1);
    await call(silent, encodeFunctionData({ abi: switches, functionName: 'refuse', args: [refused, true] }));
    const before = await chain.getTransactionCount({ address: hot });
    const [one, two] = [await plan('USDT', USDT), await plan('USDC', USDT)];
    for (const reference of [one, two])
      expect(await payout(reference)).toMatchObject({ state: 'PLANNED', waits_for: 'WOULD_FAIL' });
    expect(await chain.getTransactionCount({ address: hot })).toBe(before);
    await turn(careless, 'off', false);
    await call(silent, encodeFunctionData({ abi: switches, functionName: 'refuse', args: [refused, false] }));
    app.advance(61_000);
    await sync();
    await mine(3);
    expect([(await payout(one)).state, (await payout(two)).state]).toEqual(['FINAL', 'FINAL']);
  });

  it('go on behind one whose receiver ends every call in a way of its own', async () => {
    // Jumps to where nothing can be jumped to.
    await chain.setCode({ address: addressOf(references + 1), bytecode: '0x600056' });
    const [odd, next] = [await plan('ETH', ETHER), await plan('ETH', ETHER)];
    await mine(3);
    expect(await payout(odd)).toMatchObject({ state: 'PLANNED', attempts: 0 });
    expect(await payout(next)).toMatchObject({ state: 'FINAL' });
    await chain.setCode({ address: addressOf(odd), bytecode: '0x' });
    app.advance(60_000);
    await mine(3);
    expect(await payout(odd)).toMatchObject({ state: 'FINAL' });
  });

  it('go on behind one whose receiver takes nearly all the gas that a transaction may have', async () => {
    // Counts down from 961,538, at 26 gas each: 25 million of the 30 million that a block has.
    await chain.setCode({ address: addressOf(references + 1), bytecode: '0x620eac025b600190038060045700' });
    const [odd, next] = [await plan('ETH', ETHER), await plan('ETH', ETHER)];
    await mine(3);
    expect(await payout(odd)).toMatchObject({ state: 'PLANNED', waits_for: 'WOULD_FAIL', attempts: 0 });
    expect(await payout(next)).toMatchObject({ state: 'FINAL' });
    await chain.setCode({ address: addressOf(odd), bytecode: '0x' });
    app.advance(60_000);
    await mine(3);
    expect(await payout(odd)).toMatchObject({ state: 'FINAL' });
  });

  it('give a receiver what a wallet of contracts takes, and nothing to work with for itself', async () => {
    // As above: 26,000 of gas beside the 21,000 of each transaction, and 300,000.
    await chain.setCode({ address: addressOf(references + 1), bytecode: '0x620003e85b600190038060045700' });
    await chain.setCode({ address: addressOf(references + 2), bytecode: '0x62002d125b600190038060045700' });
    const [wallet, worker] = [await plan('ETH', ETHER), await plan('ETH', ETHER)];
    await mine(3);
    expect(await payout(wallet)).toMatchObject({ state: 'FINAL' });
    expect(await payout(worker)).toMatchObject({ state: 'PLANNED', waits_for: 'WOULD_FAIL', attempts: 0 });
    await chain.setCode({ address: addressOf(worker), bytecode: '0x' });
    app.advance(60_000);
    await mine(3);
    expect(await payout(worker)).toMatchObject({ state: 'FINAL' });
  });

  it('go on behind one of a token that has ceased to answer', async () => {
    const later = async () => {
      app.advance(60_000);
      await chain.increaseTime({ seconds: 60 });
    };
    const bytecode = await chain.getCode({ address: careless });
    // It ends every call: the hot wallet's balance of it cannot be read.
    await chain.setCode({ address: careless, bytecode: '0x60006000fd' });
    const [odd, next] = [await plan('USDC', USDT), await plan('ETH', ETHER)];
    await mine(3);
    expect(await payout(odd)).toMatchObject({ state: 'PLANNED', waits_for: 'NODE', attempts: 0 });
    expect(await payout(next)).toMatchObject({ state: 'FINAL' });
    await chain.setCode({ address: careless, bytecode: '0x' });
    await later();
    const other = await plan('ETH', ETHER);
    await mine(3);
    expect([(await payout(odd)).state, (await payout(other)).state]).toEqual(['PLANNED', 'FINAL']);
    await chain.setCode({ address: careless, bytecode: bytecode ?? '0x' });
    await later();
    await mine(3);
    expect(await payout(odd)).toMatchObject({ state: 'FINAL' });
  });

  it('wait for a hot wallet that has too little, and those of another coin go on (fault 10)', async () => {
    const much = 2_000_000n * USDT;
    const [reference, other] = [await plan('USDT', much), await plan('ETH', ETHER)];
    await mine(4);
    expect([await payout(reference), await payout(other)]).toMatchObject([
      { state: 'PLANNED', waits_for: 'FUNDS' },
      { state: 'FINAL' },
    ]);
    await call(silent, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [hot, much] }));
    await mine(4);
    expect([(await payout(reference)).state, await held(silent, addressOf(reference))]).toEqual(['FINAL', much]);
  });

  it('of a token that keeps a part of them cost the wallet what was planned, and no more (fault 18)', async () => {
    const charge = (rate: bigint) =>
      call(silent, encodeFunctionData({ abi: switches, functionName: 'charge', args: [rate] }));
    await charge(100n);
    const before = await held(silent, hot);
    const reference = await plan('USDT', 50n * USDT);
    await mine(4);
    await charge(0n);
    expect((await payout(reference)).state).toBe('FINAL');
    expect([await held(silent, addressOf(reference)), await held(silent, hot)]).toEqual([
      49_500_000n,
      before - 50n * USDT,
    ]);
  });

  it('have failed only once another transaction with their nonce is final', async () => {
    await chain.setAutomine(false);
    const reference = await plan('ETH', ETHER);
    const { nonce } = await chain.getTransaction({ hash: (await payout(reference)).transaction });
    await chain.impersonateAccount({ address: hot });
    await chain.sendTransaction({
      account: hot,
      to: owner,
      value: 1n,
      nonce,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 10n ** 11n,
      gas: 21_000n,
    });
    await mine(2);
    expect((await payout(reference)).state).toBe('BROADCAST');
    await mine(2);
    expect((await payout(reference)).state).toBe('FAILED');
    expect(await chain.getBalance({ address: addressOf(reference) })).toBe(0n);
    await chain.stopImpersonatingAccount({ address: hot });
    const next = await plan('ETH', ETHER);
    await mine(3);
    expect((await payout(next)).state).toBe('FINAL');
  });

  it('are shown with all that the chain has taken for them, whatever has become of them', async () => {
    let taken = 0n;
    const head = await chain.getBlockNumber();
    for (let blockNumber = 0n; blockNumber <= head; blockNumber += 1n) {
      for (const { hash, from, to } of (await chain.getBlock({ blockNumber, includeTransactions: true }))
        .transactions) {
        // What was sent with its key from elsewhere, above, is no payout.
        if (from !== hot || to === owner.toLowerCase()) continue;
        const { gasUsed, effectiveGasPrice } = await chain.getTransactionReceipt({ hash });
        taken += gasUsed * effectiveGasPrice;
      }
    }
    const wd = createWithdrawing(app);
    const { margins } = await wd.get<AnswerOf<typeof adminChains>>('/api/v3/admin/chains', await wd.operator('cost'));
    const shown = margins.reduce((sum, { cost }) => sum + BigInt(cost.amount.replace('.', '')), 0n);
    expect(shown).toBe(taken);
    expect(margins.map(({ coin, undone }) => [coin, undone])).toEqual([
      ['ETH', 0],
      ['USDC', 1],
      ['USDT', 1],
    ]);
  });
});
