/** Deposits on a node of TRON. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestApp } from '../../../test/app.ts';
import { startTronApp, TOKEN, type TronApp } from '../../../test/tron-app.ts';
import { hexOf, type TronNodeOfTests } from '../../../test/tron-node.ts';
import { tronAddress } from '../chains/addresses.ts';

const FAKE = tronAddress('f'.repeat(40));
const USDT = 1_000_000n;

interface Shown {
  readonly coin: string;
  readonly state: string;
  readonly recharge_amount: string;
}

let tron: TronApp;
let node: TronNodeOfTests;
let app: TestApp;
let client: { readonly token: string; readonly address: string };
let clients = 0;

const deposits = async () => {
  const { body } = await app.call({ method: 'GET', url: '/api/v3/deposit-history', token: client.token });
  const { deposit } = body as unknown as { deposit: Shown[] };
  return deposit.map(({ coin, state, recharge_amount: amount }) => `${amount} ${coin} ${state}`);
};
/** An operator may credit earlier than by default. */
const creditedAt = (confirmations: number) =>
  tron.database.query(`UPDATE coin_networks SET credited_at = $1 WHERE network = 'TRC20'`, [confirmations]);
async function mine(blocks: number): Promise<void> {
  node.chain.mine(blocks);
  app.advance(blocks * 3000);
  await app.app.deposits.sync();
}

beforeAll(async () => {
  tron = await startTronApp();
  ({ node, app } = tron);
});
beforeEach(async () => {
  clients += 1;
  const token = await app.client(`tron-${clients}`, {});
  const payload = { wallet_type: 'TRC20' };
  const { body } = await app.call({ method: 'POST', url: '/api/v3/generate-wallet', token, payload });
  client = { token, address: (body as unknown as { wallet: { wallet_address: string } }).wallet.wallet_address };
});
afterAll(() => tron?.stop());

const unlisted = async () => {
  const found = await tron.database.query<{ contract: string; units: bigint }>(
    'SELECT contract, units FROM unlisted_deposits WHERE address = $1 ORDER BY units',
    [client.address],
  );
  return found.map(({ contract, units }) => `${units} of ${contract}`);
};

describe('deposits from a node of TRON', () => {
  it('are listed tokens, shown at once and credited once their block is final', async () => {
    node.chain.pay(client.address, { contract: TOKEN, units: 12_500_000n });
    await mine(1);
    expect(await deposits()).toEqual(['12.50000000 USDT SEEN']);
    await mine(18);
    expect(await deposits()).toEqual(['12.50000000 USDT SEEN']);
    await mine(1);
    expect(await deposits()).toEqual(['12.50000000 USDT UNLOCKED']);
  });

  it('are none that failed, whatever their logs say, and none of a token that only has the name (faults 17, 23)', async () => {
    for (const result of ['REVERT', 'OUT_OF_ENERGY', 'FAILED'])
      node.chain.pay(client.address, { contract: TOKEN, units: 5n * USDT, result });
    node.chain.pay(client.address, { contract: TOKEN, units: 0n });
    node.chain.pay(client.address, { asset: 'USDT', units: 7n * USDT });
    node.chain.pay(client.address, { asset: 'US\0DT', units: 8n * USDT });
    node.chain.pay(client.address, { contract: FAKE, units: 9n * USDT });
    await mine(30);
    expect(await deposits()).toEqual([]);
    expect(await unlisted()).toEqual(['7000000 of trc10:USDT', '8000000 of trc10:USDT', `9000000 of ${FAKE}`]);
  });

  it('show TRX to an operator, also what a contract sends on, and not what was undone', async () => {
    const passed = (units: number, more: object = {}, note = 'call') => ({
      transferTo_address: hexOf(client.address),
      callValueInfo: [{ callValue: units, ...more }],
      note: Buffer.from(note).toString('hex'),
    });
    node.chain.pay(client.address, { units: 3_000_000n });
    node.chain.pay(FAKE, {
      units: 1n,
      inner: [
        ...[passed(4_000_000), { ...passed(5_000_000), rejected: true }, passed(6_000_000, { tokenId: '1002000' })],
        // A contract that stakes may delegate to any address as often as it likes, and pays it nothing.
        ...['delegateResourceOfEnergy', 'unDelegateResourceOfEnergy', 'freezeBalanceV2ForEnergy'].map((note) =>
          passed(900_000_000, {}, note),
        ),
        passed(8_000_000, {}, 'suicide'),
      ],
    });
    await mine(2);
    expect(await deposits()).toEqual([]);
    expect(await unlisted()).toEqual(['3000000 of ', '4000000 of ', '6000000 of trc10:1002000', '8000000 of ']);
  });

  it('leave with a reorganization, and come once where they are mined again (faults 11, 12)', async () => {
    await creditedAt(1);
    node.chain.pay(client.address, { contract: TOKEN, units: 20n * USDT });
    await mine(2);
    expect(await deposits()).toEqual(['20.00000000 USDT CREDITED']);
    node.chain.reorganize(2, true);
    await app.app.deposits.sync();
    expect(await deposits()).toEqual(['20.00000000 USDT REVERSED']);
    await mine(20);
    expect(await deposits()).toEqual(['20.00000000 USDT UNLOCKED']);
    await creditedAt(20);
  });

  it('are found afterwards where the node was away', async () => {
    node.door = 'SHUT';
    node.chain.pay(client.address, { contract: TOKEN, units: 30n * USDT });
    await mine(3);
    expect(await deposits()).toEqual([]);
    node.door = 'OPEN';
    await app.app.deposits.sync();
    expect(await deposits()).toEqual(['30.00000000 USDT SEEN']);
  });
});
